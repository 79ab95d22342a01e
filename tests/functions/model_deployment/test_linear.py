"""The work of a call grows no faster than the fleet: counted in calls of functions, so on any machine."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

from crossplane.function.proto.v1 import run_function_pb2 as fnv1

from bench import fleet
from model_deployment import FUNCTION
from modelplane.kit.view import encode


def steps(clusters: int, replicas: int) -> int:
    """The calls, Python's and C's, of one request with so many clusters of four pools and so many other replicas."""
    request = fnv1.RunFunctionRequest()
    request.observed.composite.resource.CopyFrom(encode(fleet.deployment(10)))
    for name, things in {
        "clusters": fleet.clusters(clusters, 4, 20),
        "all-replicas": fleet.replicas(replicas, clusters, 4),
    }.items():
        for plain in things:
            request.required_resources[name].items.add().resource.CopyFrom(encode(plain))
    FUNCTION.run(request)  # what is compiled and remembered once is not counted

    counted = 0

    def count(_frame: FrameType, event: str, _arg: Any) -> None:
        nonlocal counted
        counted += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        response = FUNCTION.run(request)
    finally:
        sys.setprofile(None)
    assert len(response.desired.resources) == 10
    return counted


def test_twice_the_fleet_is_at_most_twice_the_work() -> None:
    once, twice = steps(20, 400), steps(40, 800)

    assert twice <= 2.05 * once


def test_a_further_replica_of_a_stranger_costs_few_steps() -> None:
    assert (steps(20, 800) - steps(20, 400)) / 400 <= 25


def test_a_further_cluster_costs_few_steps() -> None:
    assert (steps(80, 400) - steps(40, 400)) / 40 <= 250
