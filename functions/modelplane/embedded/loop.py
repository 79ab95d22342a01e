"""The embedded control loop: everything that acts on a control plane and its clusters, to a fixpoint."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from modelplane.contract import labels
from modelplane.embedded import apis, connections, objects, releases, usages
from modelplane.embedded.clock import Clock
from modelplane.embedded.cluster import WorkloadCluster
from modelplane.embedded.composites import Composites
from modelplane.embedded.connections import Connections
from modelplane.embedded.events import Events
from modelplane.embedded.garbage import Garbage
from modelplane.embedded.hardware import Node
from modelplane.embedded.objects import Objects
from modelplane.embedded.pipeline import Failed, Pipeline
from modelplane.embedded.releases import Releases
from modelplane.embedded.store import Store
from modelplane.embedded.things import Change, Key, Plain, group_of, select
from modelplane.embedded.usages import Usages
from modelplane.kit import registry
from modelplane.kit.function import Function
from modelplane.kit.want import Requirement

#: Seconds of a round, and of the wait before things that nobody watches are looked at again.
ROUND_SECONDS: Final = 1
WAIT_SECONDS: Final = 60
_USER: Final = "kubectl"
_FUNCTION_PREFIX: Final = "modelplane-"


class NotSettled(AssertionError):  # noqa: N818  # a finding about the functions, not an error of the loop
    """The rounds ran out while something still changed."""


class Loop:
    """A control plane with its workload clusters.

    Args:
        functions: by kind, in place of the installed ones.
        kinds: the API; by default what apis/ defines.
        seed: shuffles the order within each round; None keeps it sorted.
        twice: run each request twice and compare (see `Pipeline`).
        lag: within a round, judge every composite by the fleet as it was when the round began. Crossplane reads
            required resources from a cache that lags, so deployments that are reconciled at the same moment do not see
            each other.
    """

    def __init__(
        self,
        *,
        functions: Mapping[str, Function[Any]] | None = None,
        kinds: Sequence[apis.Api] | None = None,
        seed: int | None = None,
        twice: bool = True,
        lag: bool = True,
    ) -> None:
        self.clock = Clock()
        self.events = Events(self.clock)
        self.clusters: dict[str, WorkloadCluster] = {}
        self.functions: dict[str, Function[Any]] = dict(functions or {})
        #: Called after each round; an invariant that must hold at every step raises here.
        self.watchers: list[Callable[[Loop], None]] = []
        #: Kinds whose controller is down: their work waits.
        self.stopped: set[str] = set()
        self.rounds = 0
        self.lag = lag
        known = {(api.group, api.kind): api for api in (apis.load() if kinds is None else kinds)}
        self.control = Store("control", self.clock, rules={key: api.rules for key, api in known.items()})
        self.pipeline = Pipeline(twice=twice)
        links = Connections(self.control, self.clusters)
        self._composites = Composites(self.control, known, self._function, self._fetch, self.events, self.pipeline)
        self._objects = Objects(self.control, links)
        self._releases = Releases(self.control, links)
        self._usages = Usages(self.control)
        self._garbage = Garbage(self.control)
        self.reseed(seed)
        self._queue: set[Key] = set()
        self._failed: set[Key] = set()
        self._polled: set[Key] = set()
        self._past: dict[tuple[str, str], Mapping[tuple[str, str], Plain]] = {}
        self._judged: dict[Key, int] = {}
        self._waited_at: tuple[object, ...] = ()
        self.control.guard = self._usages.guard
        for namespace in ("default", labels.SYSTEM_NAMESPACE):
            self.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})

    # --- What a person does

    def connect(self, name: str, nodes: Iterable[Node], *, secret: str = "", spread: bool = True) -> WorkloadCluster:
        """Bring up a workload cluster, and the Secret with its kubeconfig on the control plane."""
        address = f"10.201.{len(self.clusters)}.1"
        cluster = WorkloadCluster(name, nodes, address=address, clock=self.clock, spread=spread)
        self.clusters[name] = cluster
        metadata = {"name": secret or f"{name}-kubeconfig", "namespace": labels.SYSTEM_NAMESPACE}
        text = {"kubeconfig": connections.kubeconfig(name)}
        self.apply({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": text})
        return cluster

    def apply(self, *manifests: Mapping[str, Any]) -> None:
        """`kubectl apply --server-side` of whole manifests, in order.

        Raises:
            Refused: the API server's answer.
        """
        for manifest in manifests:
            self.control.apply(copy.deepcopy(dict(manifest)), _USER)

    def edit(self, key: Key, change: Callable[[Plain], None]) -> None:
        """`kubectl edit`: change a copy of an object in place, and write it back.

        Raises:
            Refused: the API server's answer.
        """
        edited = copy.deepcopy(self.control.get(key))
        change(edited)
        self.control.update(edited, f"{_USER}-edit")

    def delete(self, key: Key, *, foreground: bool = True) -> None:
        """`kubectl delete --cascade=foreground`, or in the background.

        Raises:
            Refused: the API server's answer, such as that a Usage protects the object.
        """
        self.control.delete(key, foreground=foreground)

    def get(self, key: Key) -> Plain:
        """A copy of an object of the control plane.

        Raises:
            NotFound: there is none.
        """
        return copy.deepcopy(self.control.get(key))

    def every(self, kind: str, namespace: str = "", matching: Mapping[str, str] | None = None) -> list[Plain]:
        """Copies of the objects of one of our kinds, by namespace and name."""
        found = self.control.list(self._group(kind), kind, namespace, matching)
        return [copy.deepcopy(thing) for thing in found]

    def key(self, kind: str, name: str, namespace: str = "") -> Key:
        """The key of an object of one of our kinds."""
        return Key(self._group(kind), kind, namespace, name)

    # --- What then happens

    def settle(self, max_rounds: int = 300) -> int:
        """Go on until nothing changes any more. The number of rounds that it took.

        Raises:
            NotSettled: it did not within `max_rounds`; names what was still changing.
        """
        for cluster in self.clusters.values():
            cluster.step()  # what happened to it meanwhile, such as a lost node, nobody has written down yet
        for count in range(max_rounds):
            self._dispatch()
            if not self._due() and not self._busy() and not self._wait():
                return count
            self.round()
        self._dispatch()
        msg = f"no fixpoint after {max_rounds} rounds; still changing: {', '.join(map(str, sorted(self._queue)[:8]))}"
        raise NotSettled(msg)

    def round(self) -> None:
        """Everything that has something to do acts once, then every cluster."""
        self._dispatch()
        self.rounds += 1
        self.clock.advance(ROUND_SECONDS)
        if self.lag:
            self._past = {kind: self.control.snapshot(*kind) for kind in self._composites.apis}
        for key in self._order(self._due()):
            self._reconcile(key)
        self._past = {}
        self._garbage.collect()
        for name in self._order(self.clusters):
            self.clusters[name].step()
        for watcher in self.watchers:
            watcher(self)

    def reseed(self, seed: int | None) -> None:
        """Shuffle the order within each round from now on; None sorts it."""
        self._random = random.Random(seed) if seed is not None else None  # noqa: S311  # an order, not a secret

    def restart(self) -> None:
        """Everything that acts on the control plane starts again: it forgets what it had to do, and looks at all."""
        self._dispatch()
        self._failed, self._polled = set(), set()
        self._queue = {key for key, _ in self.control.everything() if self._acted_on(key)}

    def _due(self) -> set[Key]:
        return {key for key in self._queue if key.kind not in self.stopped} if self.stopped else self._queue

    def _reconcile(self, key: Key) -> None:
        self._queue.discard(key)
        controllers = {
            (objects.GROUP, objects.KIND): self._objects.reconcile,
            (releases.GROUP, releases.KIND): self._releases.reconcile,
            **{(usages.GROUP, kind): self._usages.reconcile for kind in usages.KINDS},
        }
        act = controllers.get((key.group, key.kind), self._composites.reconcile)
        self._judged[key] = self.control.version
        (self._failed.discard if act(key) else self._failed.add)(key)

    def _dispatch(self) -> None:
        """Turn the writes since the last time into work."""
        journal, self.control.journal = self.control.journal, []
        for change in journal:
            self._garbage.observe(change)
            self._concern(change)
        for cluster in self.clusters.values():
            remote, cluster.changes = cluster.changes + cluster.store.journal, []
            for change in remote:
                self._queue.update(self._objects.concerned(cluster.name, change.key, watching=True))
                self._polled.update(self._objects.concerned(cluster.name, change.key, watching=False))

    def _concern(self, change: Change) -> None:
        """A write concerns its object's own controller, and the composite that composes it."""
        key = change.key
        if self._acted_on(key):
            self._queue.add(key)
        for state in (change.old, change.new):
            for owner in (state or {}).get("metadata", {}).get("ownerReferences", ()):
                if owner.get("controller"):
                    group = group_of(owner["apiVersion"])
                    scoped = self.control.namespaced(group, owner["kind"])
                    self._queue.add(Key(group, owner["kind"], key.namespace if scoped else "", owner["name"]))

    def _acted_on(self, key: Key) -> bool:
        own = {(objects.GROUP, objects.KIND), (releases.GROUP, releases.KIND)}
        kind = (key.group, key.kind)
        return kind in own or kind in self._composites.apis or (key.group == usages.GROUP and key.kind in usages.KINDS)

    def _busy(self) -> bool:
        return any(cluster.starting or cluster.store.journal for cluster in self.clusters.values())

    def _wait(self) -> bool:
        """Let time pass until what nobody watches is looked at again. Whether that gave anything to do."""
        reach = tuple((c.store.version, c.reachable, c.balanced) for c in self.clusters.values())
        at = (self.control.version, *reach, *map(id, self.functions.values()), *sorted(self.stopped))
        if at == self._waited_at:
            return False
        self._waited_at = at
        self.clock.advance(WAIT_SECONDS)
        stale = {
            key
            for key, kinds in self._composites.required.items()
            if any(self.control.touched(*kind) > self._judged.get(key, 0) for kind in kinds)
        }
        self._queue |= stale | self._failed | self._polled
        self._failed, self._polled = set(), set()
        return bool(self._due())

    def _fetch(self, requirement: Requirement) -> Sequence[Plain]:
        group = group_of(requirement.api_version)
        kind = (group, requirement.kind)
        past = self._past[kind] if kind in self._past else self.control.snapshot(*kind)
        if requirement.name:
            where = requirement.namespace if self.control.namespaced(*kind) else ""
            found = past.get((where, requirement.name))
            return [found] if found is not None else []
        return select(past, requirement.namespace, requirement.labels)

    def _function(self, api: apis.Api) -> Function[Any]:
        if api.kind not in self.functions:
            try:
                self.functions[api.kind] = registry.load(api.function.removeprefix(_FUNCTION_PREFIX))
            except LookupError as error:
                raise Failed(str(error)) from error
        return self.functions[api.kind]

    def _group(self, kind: str) -> str:
        return next((group for group, known in self._composites.apis if known == kind), "")

    def _order(self, things: Iterable[Any]) -> list[Any]:
        ordered = sorted(things)
        if self._random is not None:
            self._random.shuffle(ordered)
        return ordered
