"""What a workload cluster is made of: nodes and their devices, as a description that a person writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from modelplane.contract import labels
from modelplane.value.device import Attribute, AttributeType, Facts


@dataclass(frozen=True, slots=True)
class Devices:
    """`count` like devices on a node, claimed through `device_class`."""

    facts: Facts
    count: int = 1
    device_class: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """A node: its name, labels, and devices by kind."""

    name: str
    labels: Mapping[str, str] = field(default_factory=dict)
    devices: tuple[Devices, ...] = ()

    def device_name(self, kind: int, index: int) -> str:
        """A device's name: the first part of its class, counted through all kinds of that class on the node."""
        own = self.devices[kind].device_class
        before = sum(devices.count for devices in self.devices[:kind] if devices.device_class == own)
        return f"{own.split('.')[0]}-{before + index}"


def pool(name: str, nodes: int, devices: Sequence[Devices] = ()) -> tuple[Node, ...]:
    """Like nodes with the label of a pool."""
    return tuple(Node(f"{name}-{index}", {labels.POOL: name}, tuple(devices)) for index in range(nodes))


def of_class(spec: Mapping[str, Any]) -> tuple[Devices, ...]:
    """The devices of a node that keeps the promise of an InferenceClass; Synthetic ones are left out."""
    return tuple(
        Devices(facts(device), device.get("count", 1), device.get("deviceClassName", ""))
        for device in spec.get("devices", ())
        if device.get("claim", "DRA") == "DRA"
    )


def facts(device: Mapping[str, Any]) -> Facts:
    """A device's driver, attributes and capacity, written as in an InferenceClass."""
    kinds: tuple[AttributeType, ...] = ("string", "bool", "int", "version")
    attributes: list[tuple[str, Attribute]] = [
        (name, (kind, value[kind]))
        for name, value in sorted(device.get("attributes", {}).items())
        for kind in kinds
        if kind in value
    ]
    capacity = tuple(sorted((name, str(value["value"])) for name, value in device.get("capacity", {}).items()))
    return Facts(device["driver"], tuple(attributes), capacity)
