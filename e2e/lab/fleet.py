"""What a test says about a workload cluster's hardware, and the objects that describe it to Kubernetes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from e2e.lab.objects import Manifest

POOL_LABEL = "modelplane.ai/pool"


@dataclass(frozen=True, slots=True)
class Device:
    """Like devices on a node: how many, from which driver, with the attributes and capacity that they publish.

    An attribute's type is that of its value: a bool, an int, or a string, which is a version where it starts with `v`
    and a digit (the `v` is not published).
    """

    count: int = 1
    driver: str = "gpu.example.com"
    capacity: Mapping[str, str] = field(default_factory=lambda: {"memory": "80Gi"})
    attributes: Mapping[str, str | int | bool] = field(default_factory=dict)

    def published(self) -> Manifest:
        """Its entry in a ResourceSlice, without the name."""
        entry: Manifest = {}
        if self.attributes:
            entry["attributes"] = {name: _typed(value) for name, value in self.attributes.items()}
        if self.capacity:
            entry["capacity"] = {name: {"value": amount} for name, amount in self.capacity.items()}
        return entry


@dataclass(frozen=True, slots=True)
class Node:
    """A node: its pool (empty: it has no pool label), its devices, and taints in Kubernetes' own shape."""

    pool: str
    devices: tuple[Device, ...] = (Device(),)
    taints: tuple[Mapping[str, str], ...] = ()


def _typed(value: str | int | bool) -> Manifest:  # noqa: FBT001 - an attribute's value, not a switch
    if isinstance(value, bool):
        return {"bool": value}
    if isinstance(value, int):
        return {"int": value}
    if value[:1] == "v" and value[1:2].isdigit():
        return {"version": value[1:]}
    return {"string": value}


def device_classes(nodes: Mapping[str, Node]) -> Iterator[Manifest]:
    """A DeviceClass of the driver's own name for each driver, as vendors ship it."""
    for driver in sorted({device.driver for node in nodes.values() for device in node.devices}):
        expression = f"device.driver == {json.dumps(driver)}"
        yield {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "DeviceClass",
            "metadata": {"name": driver},
            "spec": {"selectors": [{"cel": {"expression": expression}}]},
        }


def node_objects(name: str, node: Node) -> Iterator[Manifest]:
    """The Node and its ResourceSlices, one for each driver."""
    labels = {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}
    if node.pool:
        labels[POOL_LABEL] = node.pool
    spec: Manifest = {"taints": [dict(taint) for taint in node.taints]} if node.taints else {}
    yield {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "spec": spec}
    for driver in sorted({device.driver for device in node.devices}):
        like = [device for device in node.devices if device.driver == driver]
        every = [device.published() for device in like for _ in range(device.count)]
        yield {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {"name": f"{name}-{driver}"},
            "spec": {
                "driver": driver,
                "nodeName": name,
                "pool": {"name": name, "generation": 1, "resourceSliceCount": 1},
                "devices": [{"name": f"device-{index}", **entry} for index, entry in enumerate(every)],
            },
        }


def node_status(address: str) -> Manifest:
    """A healthy node's status, which its kubelet would write first of all."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    beat = {"lastHeartbeatTime": now, "lastTransitionTime": now}
    room = {"cpu": "64", "memory": "512Gi", "pods": "110", "ephemeral-storage": "1Ti"}
    pressures = ("MemoryPressure", "DiskPressure", "PIDPressure")
    return {
        "phase": "Running",
        "addresses": [{"type": "InternalIP", "address": address}],
        "capacity": room,
        "allocatable": room,
        "conditions": [
            *({"type": kind, "status": "False", "reason": "None", "message": "", **beat} for kind in pressures),
            {"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "pretended", **beat},
        ],
    }
