"""The controllers of Deployments and LeaderWorkerSets, with the parts of their rules that stories depend on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from modelplane.embedded import conditions
from modelplane.embedded.pods import MANAGER, TEMPLATE, Pods, digest, free_name, is_ready
from modelplane.embedded.store import Store
from modelplane.embedded.things import Plain, terminating

LWS: Final = "leaderworkerset.x-k8s.io"
_LWS_NAME: Final = "leaderworkerset.sigs.k8s.io/name"
_LWS_GROUP: Final = "leaderworkerset.sigs.k8s.io/group-index"
_LWS_WORKER: Final = "leaderworkerset.sigs.k8s.io/worker-index"


@dataclass(slots=True)
class Workloads:
    """Both controllers of one cluster."""

    store: Store
    pods: Pods

    def step(self) -> None:
        """One pass over every workload."""
        for deployment in self.store.list("apps", "Deployment"):
            if not terminating(deployment):
                self._deployment(deployment)
        for group in self.store.list(LWS, "LeaderWorkerSet"):
            if not terminating(group):
                self._groups(group)

    # --- Deployments

    def _deployment(self, thing: Plain) -> None:
        spec = thing["spec"]
        wanted = spec.get("replicas", 1)
        hashed = digest(spec["template"])
        pods = self.pods.of(thing)
        new = [pod for pod in pods if pod["metadata"]["labels"][TEMPLATE] == hashed]
        old = [pod for pod in pods if pod["metadata"]["labels"][TEMPLATE] != hashed]
        surge, unavailable = _fence_posts(spec.get("strategy", {}), wanted)
        doomed = self._doomed(old, new, wanted, unavailable)
        self.pods.delete(doomed)
        gone = {pod["metadata"]["name"] for pod in doomed}
        left = [pod for pod in pods if pod["metadata"]["name"] not in gone]
        kept = [pod for pod in new if pod["metadata"]["name"] not in gone]
        recreate = spec.get("strategy", {}).get("type") == "Recreate"
        room = 0 if recreate and len(left) > len(kept) else wanted + surge - len(left)
        names = [pod["metadata"]["name"] for pod in pods]
        for _ in range(min(room, wanted - len(kept))):
            name = free_name(f"{thing['metadata']['name']}-{hashed}", names)
            names.append(name)
            self.pods.make(thing, name, spec["template"], {TEMPLATE: hashed})
        self._deployment_status(thing, wanted, hashed, 0 if recreate else unavailable)

    @staticmethod
    def _doomed(old: list[Plain], new: list[Plain], wanted: int, unavailable: int) -> list[Plain]:
        """The pods that go in this pass: surplus ones, old ones that do not serve, and old ones within the budget."""
        ordered = sorted(new, key=is_ready)
        doomed = ordered[: max(0, len(new) - wanted)]
        doomed += [pod for pod in old if not is_ready(pod)]
        serving = [pod for pod in old if is_ready(pod)]
        ready = len(serving) + sum(1 for pod in new if is_ready(pod) and pod not in doomed)
        budget = len(serving) if wanted == 0 else max(0, ready - (wanted - unavailable))
        return doomed + serving[:budget]

    def _deployment_status(self, thing: Plain, wanted: int, hashed: str, unavailable: int) -> None:
        pods = self.pods.of(thing)
        ready = sum(map(is_ready, pods))
        updated = sum(1 for pod in pods if pod["metadata"]["labels"][TEMPLATE] == hashed)
        # Kubernetes' own rule: with maxUnavailable 1 a Deployment of one replica is Available without any pod.
        available = ready >= wanted - min(unavailable, wanted)
        reason = "MinimumReplicasAvailable" if available else "MinimumReplicasUnavailable"
        status = thing.get("status", {})
        made = [conditions.condition("Available", "True" if available else "False", reason)]
        counts = {"replicas": len(pods), "updatedReplicas": updated, "readyReplicas": ready, "availableReplicas": ready}
        self.store.set_status(
            self.store.key(thing),
            {
                "observedGeneration": thing["metadata"]["generation"],
                **{name: count for name, count in counts.items() if count},
                "conditions": conditions.marked(status.get("conditions", ()), made, self.store.clock.now()),
            },
            MANAGER,
        )

    # --- LeaderWorkerSets

    def _groups(self, thing: Plain) -> None:
        spec = thing["spec"]
        wanted = spec.get("replicas", 1)
        template = spec["leaderWorkerTemplate"]
        hashed = digest(template)
        groups: dict[int, list[Plain]] = {}
        for pod in self.pods.of(thing):
            groups.setdefault(int(pod["metadata"]["labels"][_LWS_GROUP]), []).append(pod)
        size = template.get("size", 1)
        self._roll(groups, wanted, size, hashed)
        for index in range(wanted):
            if index not in groups:
                self._make_group(thing, index, hashed)
        self._groups_status(thing, wanted, size, hashed)

    def _roll(self, groups: dict[int, list[Plain]], wanted: int, size: int, hashed: str) -> None:
        """Delete surplus groups, broken ones (a group restarts whole), and outdated ones, one serving one a pass."""
        rolled = False
        for index, pods in sorted(groups.items()):
            outdated = any(pod["metadata"]["labels"][TEMPLATE] != hashed for pod in pods)
            serving = len(pods) == size and all(map(is_ready, pods))
            if index < wanted and len(pods) == size and not outdated:
                continue
            if index < wanted and outdated and serving and (rolled or self._unready(groups, size, index)):
                continue
            rolled = rolled or serving
            self.pods.delete(pods)
            del groups[index]

    @staticmethod
    def _unready(groups: Mapping[int, list[Plain]], size: int, but: int) -> bool:
        return any(not (len(p) == size and all(map(is_ready, p))) for i, p in groups.items() if i != but)

    def _make_group(self, thing: Plain, index: int, hashed: str) -> None:
        template = thing["spec"]["leaderWorkerTemplate"]
        name = thing["metadata"]["name"]
        size = template.get("size", 1)
        address = f"{name}-{index}.{name}.{thing['metadata']['namespace']}"
        for rank in range(size):
            role = (
                template.get("leaderTemplate", template["workerTemplate"]) if rank == 0 else template["workerTemplate"]
            )
            pod = f"{name}-{index}" if rank == 0 else f"{name}-{index}-{rank}"
            marks = {_LWS_NAME: name, _LWS_GROUP: str(index), _LWS_WORKER: str(rank), TEMPLATE: hashed}
            injected = {"LWS_LEADER_ADDRESS": address, "LWS_GROUP_SIZE": str(size), "LWS_WORKER_INDEX": str(rank)}
            self.pods.make(thing, pod, _with_environment(role, injected), marks)

    def _groups_status(self, thing: Plain, wanted: int, size: int, hashed: str) -> None:
        groups: dict[str, list[Plain]] = {}
        for pod in self.pods.of(thing):
            groups.setdefault(pod["metadata"]["labels"][_LWS_GROUP], []).append(pod)
        ready = sum(1 for pods in groups.values() if len(pods) == size and all(map(is_ready, pods)))
        updated = sum(1 for pods in groups.values() if all(p["metadata"]["labels"][TEMPLATE] == hashed for p in pods))
        done = ready == wanted and updated == len(groups)
        made = [
            conditions.condition("Available", *(("True", "AllGroupsReady") if done else ("False", "AllGroupsReady"))),
            conditions.condition("Progressing", *(("False", "GroupsReady") if done else ("True", "GroupsProgressing"))),
        ]
        # LeaderWorkerSet v0.8 writes no observedGeneration anywhere.
        counts = {"replicas": len(groups), "readyReplicas": ready, "updatedReplicas": updated}
        before = thing.get("status", {}).get("conditions", ())
        marked = conditions.marked(before, made, self.store.clock.now())
        self.store.set_status(self.store.key(thing), {**counts, "conditions": marked}, MANAGER)


def _fence_posts(strategy: Mapping[str, Any], replicas: int) -> tuple[int, int]:
    """How many pods more and fewer there may be: surge is rounded up, unavailable down, and they are not both 0."""
    if strategy.get("type") == "Recreate":
        return 0, replicas
    rolling = strategy.get("rollingUpdate", {})
    surge = _share(rolling.get("maxSurge", "25%"), replicas, up=True)
    unavailable = _share(rolling.get("maxUnavailable", "25%"), replicas, up=False)
    return (surge, unavailable) if surge or unavailable else (0, 1)


def _share(value: int | str, of: int, *, up: bool) -> int:
    if isinstance(value, int):
        return value
    share = int(value.rstrip("%")) * of / 100
    return math.ceil(share) if up else math.floor(share)


def _with_environment(template: Mapping[str, Any], variables: Mapping[str, str]) -> Plain:
    """A pod template whose containers have the variables first, as the LeaderWorkerSet webhook puts them."""
    injected = [{"name": name, "value": value} for name, value in variables.items()]
    spec = template.get("spec", {})
    containers = [{**c, "env": [*injected, *c.get("env", ())]} for c in spec.get("containers", ())]
    return {**template, "spec": {**spec, "containers": containers}}
