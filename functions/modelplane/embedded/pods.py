"""Pods of a workload cluster: made from a template, given a node and claims, started, and gone with their node."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from modelplane.embedded import conditions
from modelplane.embedded.allocation import Allocation
from modelplane.embedded.hardware import Node
from modelplane.embedded.store import Store
from modelplane.embedded.things import Key, Plain, terminating

MANAGER: Final = "simulator"
#: The label by which a workload's controller tells pods of its present template from older ones.
TEMPLATE: Final = "pod-template-hash"


@dataclass(slots=True)
class Pods:
    """The pods of one cluster. `broken` holds images that never become ready, `lost` nodes that are gone."""

    store: Store
    allocation: Allocation
    nodes: dict[str, Node] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)

    def of(self, owner: Mapping[str, Any]) -> list[Plain]:
        """A workload's pods that are not on their way out, by name."""
        keys = self.store.dependents(owner["metadata"]["uid"])
        found = [self.store.get(key) for key in keys if key.kind == "Pod"]
        return [pod for pod in found if not terminating(pod)]

    def make(self, owner: Plain, name: str, template: Mapping[str, Any], labels: Mapping[str, str]) -> None:
        """Make a pod from a template, and a claim for each claim template that it names."""
        metadata = template.get("metadata", {})
        namespace = owner["metadata"]["namespace"]
        controlled = {"apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": owner["metadata"]["name"]}
        reference = {**controlled, "uid": owner["metadata"]["uid"], "controller": True, "blockOwnerDeletion": True}
        pod = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                **metadata,
                "name": name,
                "namespace": namespace,
                "labels": {**metadata.get("labels", {}), **labels},
                "ownerReferences": [reference],
            },
            "spec": dict(template.get("spec", {})),
            "status": {"phase": "Pending"},
        }
        self.store.create(pod, MANAGER)

    def delete(self, pods: Iterable[Plain]) -> None:
        """Delete pods at once, with their claims; the devices are free again."""
        for pod in pods:
            self.store.delete(self.store.key(pod))

    def start(self) -> bool:
        """Make pods ready that have had a node since an earlier step. Whether any was."""
        started = False
        for pod in self.store.list("", "Pod"):
            images = {container.get("image", "") for container in pod["spec"].get("containers", ())}
            if pod["status"]["phase"] == "Pending" and pod["spec"].get("nodeName") and not images & self.broken:
                ready = conditions.condition("Ready", "True", "ContainersReady")
                self.store.set_status(self.store.key(pod), {"phase": "Running", "conditions": [ready]}, MANAGER)
                started = True
        return started

    def schedule(self) -> None:
        """Take pods off lost nodes, free what gone pods had, and give waiting pods a node in the order of their age."""
        self.delete(pod for pod in self.store.list("", "Pod") if pod["spec"].get("nodeName") in self.lost)
        living = {pod["metadata"]["uid"] for pod in self.store.list("", "Pod")}
        for uid in [uid for uid in self.allocation.taken if uid not in living]:
            self.allocation.release(uid)
        waiting = [pod for pod in self.store.list("", "Pod") if not pod["spec"].get("nodeName")]
        for pod in sorted(waiting, key=lambda pod: (pod["metadata"]["creationTimestamp"], self.store.key(pod))):
            self._place(pod)

    def _place(self, pod: Plain) -> None:
        namespace = pod["metadata"]["namespace"]
        templates: list[tuple[str, Plain]] = []
        for claim in pod["spec"].get("resourceClaims", ()):
            name = claim["resourceClaimTemplateName"]
            found = self.store.find(Key("resource.k8s.io", "ResourceClaimTemplate", namespace, name))
            if found is None:
                self._wait(pod, f'resourceclaimtemplate "{name}" not found')
                return
            templates.append((claim["name"], found["spec"]["spec"]))
        uid = pod["metadata"]["uid"]
        nodes = [node for name, node in sorted(self.nodes.items()) if name not in self.lost]
        node = self.allocation.place(uid, pod["spec"].get("nodeSelector", {}), [spec for _, spec in templates], nodes)
        if not node:
            self._wait(pod, f"0/{len(nodes)} nodes are available: no node has the labels and free devices")
            return
        for name, spec in templates:
            self._claim(pod, name, spec)
        current = self.store.get(self.store.key(pod))
        self.store.update({**current, "spec": {**current["spec"], "nodeName": node}}, MANAGER)

    def _claim(self, pod: Plain, name: str, spec: Plain) -> None:
        """The allocated claim of a pod."""
        given = self.allocation.taken[pod["metadata"]["uid"]]
        wanted = {request["name"] for request in spec.get("devices", {}).get("requests", ())}
        results = [
            {
                "request": gift.request,
                "driver": self.nodes[gift.node].devices[gift.kind].facts.driver,
                "pool": gift.node,
                "device": self.nodes[gift.node].device_name(gift.kind, gift.number),
            }
            for gift in given
            if gift.request in wanted
        ]
        owner = {"apiVersion": "v1", "kind": "Pod", "name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]}
        self.store.create(
            {
                "apiVersion": "resource.k8s.io/v1",
                "kind": "ResourceClaim",
                "metadata": {
                    "name": f"{pod['metadata']['name']}-{name}",
                    "namespace": pod["metadata"]["namespace"],
                    "ownerReferences": [{**owner, "controller": True, "blockOwnerDeletion": True}],
                },
                "spec": spec,
                "status": {"allocation": {"devices": {"results": results}}},
            },
            MANAGER,
        )

    def _wait(self, pod: Plain, why: str) -> None:
        waits = conditions.condition("PodScheduled", "False", "Unschedulable", why)
        self.store.set_status(self.store.key(pod), {"phase": "Pending", "conditions": [waits]}, MANAGER)


def is_ready(pod: Mapping[str, Any]) -> bool:
    """Whether a pod serves."""
    return conditions.is_true(pod, "Ready")


def digest(template: Any) -> str:  # noqa: ANN401  # any JSON value
    """A short name for the content of a template."""
    return hashlib.sha256(json.dumps(template, sort_keys=True).encode()).hexdigest()[:8]


def free_name(prefix: str, taken: Iterable[str]) -> str:
    """The first of prefix-0, prefix-1 ... that is not taken."""
    names = set(taken)
    index = 0
    while f"{prefix}-{index}" in names:
        index += 1
    return f"{prefix}-{index}"
