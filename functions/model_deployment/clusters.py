"""Reads InferenceClusters as placement has them.

Nothing that somebody else wrote can break it: what is absent or malformed reads as nothing, none or zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final, cast

from model_deployment.memo import Memo
from modelplane.kit.seen import Thing
from modelplane.kit.view import View
from modelplane.placement.facts import Cluster, Device, Effect, Pool, Taint
from modelplane.value.device import Attribute, Facts

#: A version that no parser takes: an attribute without a value fails every selector on its device, as in Kubernetes.
_NO_VALUE: Final[Attribute] = ("version", "")
_EFFECTS: Final = frozenset({"NoSchedule", "NoExecute"})


#: Clusters, and lists of devices: the pools of a class have equal devices, which are one object.
_CLUSTERS: Final[Memo[Cluster]] = Memo(4_000)
_DEVICES: Final[Memo[tuple[Device, ...]]] = Memo(1_000)


def read(things: Iterable[Thing]) -> tuple[Cluster, ...]:
    """The clusters, in the order given."""
    return tuple(_CLUSTERS.get(thing.view.encoded(), partial(_cluster, thing)) for thing in things)


def _cluster(thing: Thing) -> Cluster:
    status = thing.status
    return Cluster(
        name=thing.name,
        labels=tuple(sorted(thing.labels.items())),
        pools=tuple(map(_pool, status.views("gpuPools"))),
        taints=tuple(_taint(view) for view in thing.spec.views("taints") if view.text("effect") in _EFFECTS),
        gateway=status.view("gateway").text("address"),
        unready=_unready(thing),
        terminating=thing.terminating,
    )


def _pool(view: View) -> Pool:
    return Pool(
        name=view.text("name"),
        nodes=max(0, view.integer("nodes")),
        devices=_DEVICES.get(view.encoded("devices"), lambda: tuple(map(_device, view.views("devices")))),
        allocation="Device" if view.text("allocation") == "Device" else "Node",
    )


def _device(view: View) -> Device:
    attributes = sorted((name, _attribute(value)) for name, value in view.entries("attributes").items())
    capacity = sorted(
        (name, value.text("value")) for name, value in view.entries("capacity").items() if value.has("value")
    )
    return Device(
        name=view.text("name"),
        facts=Facts(view.text("driver"), tuple(attributes), tuple(capacity)),
        count_per_node=max(0, view.integer("count")),
        device_class=view.text("deviceClassName"),
        claimable=view.text("claim") != "Synthetic",
    )


def _attribute(view: View) -> Attribute:
    """The value of the first type that is given, in the order in which the API server's own reader tries them."""
    if view.has("version"):
        return "version", view.text("version")
    if view.has("string"):
        return "string", view.text("string")
    if view.has("bool"):
        return "bool", view.flag("bool")
    if view.has("int"):
        return "int", view.integer("int")
    return _NO_VALUE


def _taint(view: View) -> Taint:
    return Taint(view.text("key"), cast("Effect", view.text("effect")), view.text("value"))


def _unready(thing: Thing) -> str:
    """Empty when the condition Ready is True, else what it says."""
    ready = thing.condition("Ready")
    if ready.status == "True":
        return ""
    said = ": ".join(filter(None, (ready.reason, ready.message)))
    return said or "its condition Ready is not True"
