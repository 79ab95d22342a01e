"""The kinds of device that pools have, each list of them looked at once: the pools of a fleet share few lists."""

from __future__ import annotations

from typing import NamedTuple

from modelplane.placement.facts import Device

#: For each device class of a pool, sorted, the counts per node of its claimable kinds, sorted.
PerNode = tuple[tuple[str, tuple[int, ...]], ...]


class Kinds(NamedTuple):
    """A pool's devices, with a number that is equal for equal devices: hashing them again would cost more."""

    number: int
    devices: tuple[Device, ...]
    per_node: PerNode


class Catalogue:
    """The lists of devices that a plan has met."""

    def __init__(self) -> None:
        # By identity first. The devices are kept with it, so that an identity is never reused.
        self._by_identity: dict[int, tuple[tuple[Device, ...], Kinds]] = {}
        self._by_content: dict[tuple[Device, ...], Kinds] = {}

    def kinds(self, devices: tuple[Device, ...]) -> Kinds:
        """The numbered form of a pool's devices."""
        known = self._by_identity.get(id(devices))
        if known is None:
            kinds = self._by_content.get(devices)
            if kinds is None:
                kinds = self._by_content[devices] = Kinds(len(self._by_content), devices, _per_node(devices))
            known = self._by_identity[id(devices)] = (devices, kinds)
        return known[1]


def _per_node(devices: tuple[Device, ...]) -> PerNode:
    """The counts of the claimable kinds that a node has any of."""
    counts: dict[str, list[int]] = {}
    for device in devices:
        if device.claimable and device.count_per_node > 0:
            counts.setdefault(device.device_class, []).append(device.count_per_node)
    return tuple((name, tuple(sorted(counts[name]))) for name in sorted(counts))
