"""How a workload cluster gives nodes and devices to pods: the scheduler with dynamic resource allocation, in small.

It is not obliging: a pod that does not fit waits. Selectors are judged by the product's own CEL, whose agreement with
Kubernetes' is what tests/selector shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from modelplane.embedded.hardware import Devices, Node
from modelplane.embedded.things import Plain

#: Whether a device of these facts meets a CEL selector.
Meets = Callable[[str, Devices], bool]


class Given(NamedTuple):
    """One device of a node given to one request of a claim."""

    node: str
    kind: int
    number: int
    request: str


@dataclass(slots=True)
class _Matching:
    """Devices of one node for wanted ones, each device once, by augmenting paths."""

    node: Node
    wants: Sequence[Plain]
    free: Sequence[tuple[int, int]]
    accepts: Callable[[Plain, Devices], bool]
    owner: dict[tuple[int, int], int] = field(default_factory=dict)

    def take(self, number: int, tried: set[tuple[int, int]]) -> bool:
        """Find a device for one wanted one, moving others where that helps."""
        for device in self.free:
            if device in tried or not self.accepts(self.wants[number], self.node.devices[device[0]]):
                continue
            tried.add(device)
            if device not in self.owner or self.take(self.owner[device], tried):
                self.owner[device] = number
                return True
        return False


@dataclass(slots=True)
class Allocation:
    """Which devices are taken, by pod.

    `spread` picks the node with the most free devices, which is the packing that strands most; else the first by name.
    """

    meets: Meets
    spread: bool = True
    taken: dict[str, tuple[Given, ...]] = field(default_factory=dict)
    _known: dict[tuple[str, str, Devices], bool] = field(default_factory=dict)

    def release(self, pod: str) -> None:
        """Give back what a pod (by uid) had."""
        self.taken.pop(pod, None)

    def place(self, pod: str, selector: Mapping[str, str], claims: Sequence[Plain], nodes: Iterable[Node]) -> str:
        """Give a pod a node and the devices of its claims (their specs). The node's name; empty where none fits."""
        used = {(given.node, given.kind, given.number) for gifts in self.taken.values() for given in gifts}
        fitting = [node for node in nodes if selector.items() <= node.labels.items()]
        if self.spread:
            fitting.sort(key=lambda node: (sum(1 for where, _, _ in used if where == node.name), node.name))
        for node in fitting:
            gifts = self._fit(node, claims, used)
            if gifts is not None:
                self.taken[pod] = gifts
                return node.name
        return ""

    def _fit(self, node: Node, claims: Sequence[Plain], used: set[tuple[str, int, int]]) -> tuple[Given, ...] | None:
        """Devices of the node for every request of every claim, each device once; None where they do not suffice."""
        free = [
            (kind, index)
            for kind, devices in enumerate(node.devices)
            for index in range(devices.count)
            if (node.name, kind, index) not in used
        ]
        wants = [want for claim in claims for want in _wanted(claim)]
        matching = _Matching(node, [exactly for _, exactly in wants], free, self._accepts)
        if not all(matching.take(number, set()) for number in range(len(wants))):
            return None
        return tuple(sorted(Given(node.name, *device, wants[at][0]) for device, at in matching.owner.items()))

    def _accepts(self, request: Plain, devices: Devices) -> bool:
        if request["deviceClassName"] != devices.device_class:
            return False
        return all(self._meets(selector["cel"]["expression"], devices) for selector in request.get("selectors", ()))

    def _meets(self, expression: str, devices: Devices) -> bool:
        key = (expression, devices.device_class, devices)
        if key not in self._known:
            self._known[key] = self.meets(expression, devices)
        return self._known[key]


def _wanted(claim: Mapping[str, Any]) -> list[tuple[str, Plain]]:
    """The single devices that a claim's spec asks for: the request's name and what it says."""
    wanted: list[tuple[str, Plain]] = []
    for request in claim.get("devices", {}).get("requests", ()):
        exactly = request["exactly"]
        wanted += [(request["name"], exactly)] * exactly.get("count", 1)
    return wanted
