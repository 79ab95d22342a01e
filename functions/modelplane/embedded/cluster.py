"""A workload cluster that pretends: its API server, nodes with devices, the controllers, and what can go wrong."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any, Final

from modelplane.embedded import conditions
from modelplane.embedded.allocation import Allocation
from modelplane.embedded.clock import Clock
from modelplane.embedded.garbage import Garbage
from modelplane.embedded.hardware import Devices, Node
from modelplane.embedded.pods import MANAGER, Pods
from modelplane.embedded.refusals import Invalid
from modelplane.embedded.store import Store
from modelplane.embedded.things import Change, Key, Plain, Rules
from modelplane.embedded.workloads import Workloads

GATEWAYS: Final = "gateway.networking.k8s.io"
#: Kinds that a cluster has by itself; the rest was given to it.
OWN_KINDS: Final = frozenset({"Node", "ResourceSlice", "DeviceClass", "Pod", "ResourceClaim"})
_OWN_NAMESPACES: Final = ("default", "kube-system")


class WorkloadCluster:
    """One cluster.

    Args:
        name: also the host of its API server's URL.
        nodes: what it has from the start.
        address: what its gateways get from the load balancer.
        spread: how its scheduler packs (see `Allocation`).
    """

    def __init__(self, name: str, nodes: Iterable[Node], *, address: str, clock: Clock, spread: bool = True) -> None:
        self.name = name
        self.address = address
        #: False: providers cannot reach it; it goes on by itself.
        self.reachable = True
        #: False: the load balancer gives no address, and takes back what it gave.
        self.balanced = True
        self.charts: dict[str, Plain] = {}
        self.store = Store(name, clock, rules=_RULES)
        self.pods = Pods(self.store, Allocation(_meets, spread=spread))
        self.changes: list[Change] = []
        self._workloads = Workloads(self.store, self.pods)
        self._garbage = Garbage(self.store)
        for namespace in _OWN_NAMESPACES:
            self._own("v1", "Namespace", namespace, {})
        for node in nodes:
            self.add(node)

    def add(self, node: Node) -> None:
        """Let a node join."""
        self.pods.nodes[node.name] = node
        self.pods.lost.discard(node.name)
        self._own("v1", "Node", node.name, {}, dict(node.labels))
        drivers = sorted({devices.facts.driver for devices in node.devices})
        for driver in drivers:
            kinds = [devices for devices in node.devices if devices.facts.driver == driver]
            spec = {"driver": driver, "nodeName": node.name, "devices": [_published(kind) for kind in kinds]}
            self._own("resource.k8s.io/v1", "ResourceSlice", f"{node.name}-{driver}", {"spec": spec})
        for devices in node.devices:
            self._own("resource.k8s.io/v1", "DeviceClass", devices.device_class, {"spec": {}})

    def lose(self, node: str) -> None:
        """Let a node die with all its pods."""
        self.pods.lost.add(node)
        self.store.delete(Key("", "Node", "", node))

    def step(self) -> bool:
        """Let every controller act until none has anything to do. Whether something changed.

        Pods that got a node in an earlier step become ready in this one, so that nothing starts at once.
        """
        before = self.store.version
        self.pods.start()
        for _ in range(_PASSES):
            at = self.store.version
            self._workloads.step()
            # A pod that was replaced under its name leaves a claim of the same name, which must go before the new one.
            self._collect()
            self.pods.schedule()
            self._network()
            self._collect()
            if self.store.version == at:
                return self.store.version != before
        msg = f"the controllers of {self.name} do not settle within {_PASSES} passes"
        raise RuntimeError(msg)

    @property
    def starting(self) -> bool:
        """Whether a pod has a node and is not ready yet."""
        pods = self.store.list("", "Pod")
        return any(pod["status"]["phase"] == "Pending" and "nodeName" in pod["spec"] for pod in pods)

    def given(self) -> list[Plain]:
        """The objects that others put here, without the cluster's own and what its controllers made."""
        return [
            thing
            for key, thing in self.store.everything()
            if key.kind not in OWN_KINDS and not (key.kind == "Namespace" and key.name in _OWN_NAMESPACES)
        ]

    def _network(self) -> None:
        """Gateways of a known class get the address; routes are accepted."""
        for gateway in self.store.list(GATEWAYS, "Gateway"):
            known = self.store.find(Key(GATEWAYS, "GatewayClass", "", gateway["spec"]["gatewayClassName"]))
            served = self.balanced and known is not None
            addresses = [{"type": "IPAddress", "value": self.address}]
            flag = ("True", "Programmed") if served else ("False", "AddressNotAssigned")
            before = gateway.get("status", {}).get("conditions", ())
            made = [conditions.condition("Accepted", "True", "Accepted"), conditions.condition("Programmed", *flag)]
            marked = conditions.marked(before, made, self.store.clock.now())
            status = {"conditions": marked, **({"addresses": addresses} if served else {})}
            self.store.set_status(self.store.key(gateway), status, MANAGER)

    def _collect(self) -> None:
        for change in self._drain():
            self._garbage.observe(change)
            if change.new is None and change.key.kind == "Namespace":
                for key, _ in list(self.store.everything()):
                    if key.namespace == change.key.name and self.store.find(key) is not None:
                        self.store.delete(key)
        self._garbage.collect()
        for change in self._drain():
            self._garbage.observe(change)

    def _drain(self) -> list[Change]:
        drained, self.store.journal = self.store.journal, []
        self.changes += drained
        return drained

    def _own(
        self, api_version: str, kind: str, name: str, body: Plain, labels: Mapping[str, str] | None = None
    ) -> None:
        marked = {"labels": dict(labels)} if labels else {}
        thing = {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, **marked}, **body}
        self.store.apply(thing, MANAGER)


def _published(devices: Devices) -> Plain:
    attributes = {name: {kind: value} for name, (kind, value) in devices.facts.attributes}
    capacity = {name: {"value": value} for name, value in devices.facts.capacity}
    return {"count": devices.count, "attributes": attributes, "capacity": capacity}


@functools.cache
def _meets(expression: str, devices: Devices) -> bool:
    from modelplane import selector  # noqa: PLC0415  # loaded when a pod claims a device

    return selector.compile(expression).check(devices.facts) == selector.MATCH


def _immutable(*path: str) -> Rules:
    """Rules of a kind one of whose fields may not change once it is set."""

    def admit(new: Plain, old: Plain | None) -> Plain:
        if old is not None and _at(new, path) != _at(old, path):
            msg = f"{new['kind']} {new['metadata']['name']}: {'.'.join(path)}: field is immutable"
            raise Invalid(msg)
        return new

    return Rules(admit=admit)


def _at(thing: Mapping[str, Any], path: tuple[str, ...]) -> object:
    found: Any = thing
    for name in path:
        found = found.get(name, {})
    return found


#: Passes of a cluster's controllers; a rolling update of n pods takes about two for each.
_PASSES: Final = 1000
#: What Kubernetes refuses to change, of the kinds that we compose.
_RULES: Final = {
    ("resource.k8s.io", "ResourceClaimTemplate"): _immutable("spec"),
    ("apps", "Deployment"): _immutable("spec", "selector"),
}
