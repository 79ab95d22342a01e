from __future__ import annotations

from typing import Any

import pytest

from model_deployment import clusters
from modelplane.kit.seen import Thing
from modelplane.kit.view import View, encode
from modelplane.placement.facts import Cluster, Device, Pool, Taint
from modelplane.value.device import Facts


def thing(plain: dict[str, Any]) -> Thing:
    return Thing(View(encode(plain)))


GPU = {
    "name": "gpu",
    "claim": "DRA",
    "driver": "gpu.example.com",
    "deviceClassName": "gpus",
    "count": 8,
    "attributes": {
        "model": {"string": "H100"},
        "arch": {"version": "9.0.0"},
        "ecc": {"bool": True},
        "slot": {"int": 3},
    },
    "capacity": {"memory": {"value": "80Gi"}, "slices": {}},
}
READ_GPU = Device(
    name="gpu",
    facts=Facts(
        "gpu.example.com",
        (("arch", ("version", "9.0.0")), ("ecc", ("bool", True)), ("model", ("string", "H100")), ("slot", ("int", 3))),
        (("memory", "80Gi"),),
    ),
    count_per_node=8,
    device_class="gpus",
)

CLUSTERS = [
    (
        {
            "metadata": {"name": "eu", "labels": {"b": "2", "a": "1"}},
            "spec": {"taints": [{"key": "maint", "value": "x", "effect": "NoExecute"}]},
            "status": {
                "conditions": [{"type": "Synced", "status": "False"}, {"type": "Ready", "status": "True"}],
                "gateway": {"address": "10.0.0.1"},
                "gpuPools": [
                    {"name": "p", "nodes": 4, "devices": [GPU]},
                    {"name": "q", "nodes": 2, "allocation": "Device", "devices": [GPU]},
                ],
            },
        },
        Cluster(
            name="eu",
            labels=(("a", "1"), ("b", "2")),
            pools=(Pool("p", 4, (READ_GPU,)), Pool("q", 2, (READ_GPU,), "Device")),
            taints=(Taint("maint", "NoExecute", "x"),),
            gateway="10.0.0.1",
        ),
        "every field that is published is read; a capacity without a value is left out, as Kubernetes does",
    ),
    (
        {"metadata": {"name": "eu", "deletionTimestamp": "2026-01-01T00:00:00Z"}},
        Cluster(name="eu", unready="its condition Ready is not True", terminating=True),
        "a cluster without a status has no pools and is not Ready",
    ),
    (
        {
            "metadata": {"name": "eu"},
            "status": {"conditions": [{"type": "Ready", "status": "False", "reason": "Creating", "message": "wait"}]},
        },
        Cluster(name="eu", unready="Creating: wait"),
        "why a cluster is not Ready is carried into the refusals",
    ),
    (
        {
            "metadata": {"name": "eu"},
            "status": {"conditions": [{"type": "Ready", "status": "Unknown", "reason": "Lost"}]},
        },
        Cluster(name="eu", unready="Lost"),
        "a reason without a message is told as it is",
    ),
    (
        {
            "metadata": {"name": "eu"},
            "spec": {"taints": [{"key": "a", "effect": "PreferNoSchedule"}, {"key": "b", "effect": "NoSchedule"}, 7]},
            "status": {
                "conditions": [{"type": "Ready", "status": "True"}],
                "gpuPools": [
                    {"name": "p", "nodes": -1, "devices": [{"name": "d", "count": -2, "claim": "Synthetic"}]},
                    {"name": "q", "nodes": "many", "allocation": "Both", "devices": [{"name": "d", "count": 1.5}]},
                    {
                        "name": "r",
                        "devices": [{"driver": "x", "attributes": {"a": {}}, "capacity": {"m": {"value": ""}}}],
                    },
                    None,
                ],
            },
        },
        Cluster(
            name="eu",
            pools=(
                Pool("p", 0, (Device("d", Facts(""), 0, claimable=False),)),
                Pool("q", 0, (Device("d", Facts(""), 0),)),
                Pool("r", 0, (Device("", Facts("x", (("a", ("version", "")),), (("m", ""),)), 0),)),
                Pool("", 0, ()),
            ),
            taints=(Taint("b", "NoSchedule"),),
        ),
        "negative, fractional and absent counts are none; an attribute without a value is one that no parser takes",
    ),
]


@pytest.mark.parametrize(("plain", "expected", "reason"), CLUSTERS)
def test_a_cluster_is_read_whole_and_never_breaks(plain: dict[str, Any], expected: Cluster, reason: str) -> None:
    assert clusters.read([thing(plain)]) == (expected,), reason


def test_the_devices_of_a_class_are_one_object() -> None:
    fleet = [
        {"metadata": {"name": f"c{n}"}, "status": {"gpuPools": [{"name": f"p{n}", "nodes": n, "devices": [GPU]}]}}
        for n in range(2)
    ]

    first, second = clusters.read(map(thing, fleet))

    assert first.pools[0].devices is second.pools[0].devices
