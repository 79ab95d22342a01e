"""The speed of the placement core, and of selectors, in seconds of the processor: nothing here waits."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from bench import fleet
from model_deployment import clusters, demand
from modelplane import selector
from modelplane.kit.seen import Thing
from modelplane.kit.view import View, encode
from modelplane.placement.facts import World
from modelplane.placement.plan import plan
from modelplane.value.device import Attribute, Facts


def placement(number: int = 1000, pools: int = 10, replicas: int = 1000, times: int = 5) -> dict[str, Any]:
    """Replicas placed in a second, all of one deployment, into an empty fleet."""
    world = World(clusters.read(Thing(View(encode(c))) for c in fleet.clusters(number, pools, 4)))
    wanted = demand.read(Thing(View(encode(fleet.deployment(replicas)))), (), "")
    seconds: list[float] = []
    for _ in range(times):
        start = time.process_time()
        decided = plan(wanted, world)
        seconds.append(time.process_time() - start)
        if len(decided.placed) != replicas:
            msg = f"{len(decided.placed)} of {replicas} replicas were placed"
            raise RuntimeError(msg)
    took = statistics.median(seconds)
    return {
        "clusters": number,
        "pools": number * pools,
        "replicas": replicas,
        "plan_s": round(took, 4),
        "replicas_per_s": round(replicas / took),
    }


def selectors(times: int = 5, each: int = 500) -> dict[str, Any]:
    """Microseconds of an evaluation that no memo answers, and of a compilation likewise; three clauses.

    `new_device_us` is the first look at a kind of device, which is made known to the runtime first. A fleet has few
    kinds, so what a plan repeats is `eval_us`.
    """
    text = " && ".join(fleet.SELECTORS)
    run = iter(range(10**9))
    compiled = selector.compile(text)
    kinds = [[_facts(next(run)) for _ in range(each)] for _ in range(times)]
    texts = [[f"{text} && device.driver != 'none-{next(run)}'" for _ in range(20)] for _ in range(times)]
    new_device = _median_us(compiled.check, kinds)
    known = [[kinds[0][0]] * each for _ in range(times)]
    return {
        "eval_us": round(_median_us(compiled.evaluate, known), 1),
        "new_device_us": round(new_device, 1),
        "compile_us": round(_median_us(selector.compile, texts), 1),
    }


def _median_us(act: Callable[[Any], object], batches: list[list[Any]]) -> float:
    """The median over the batches of the mean time of one act, in microseconds."""
    means: list[float] = []
    for batch in batches:
        start = time.process_time()
        for item in batch:
            act(item)
        means.append((time.process_time() - start) / len(batch))
    return statistics.median(means) * 1e6


def _facts(number: int) -> Facts:
    """A device that meets the selectors and is like no other."""
    attributes: tuple[tuple[str, Attribute], ...] = (
        ("cudaComputeCapability", ("version", "9.0.0")),
        ("driverVersion", ("version", "580.65.6")),
        ("productName", ("string", f"NVIDIA-H100-{number}")),
    )
    return Facts("gpu.nvidia.com", attributes, (("memory", f"{80 + number}Gi"),))
