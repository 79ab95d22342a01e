"""What a cluster's node pools have, published for placement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from modelplane.kit.seen import Answer, Found, Missing, Pending, Thing
from modelplane.kit.view import View

_COPIED: Final = ("name", "driver", "deviceClassName", "attributes", "capacity")


@dataclass(frozen=True, slots=True)
class Pools:
    """The pools to publish, and what is wrong, each in the order of the spec or sorted.

    A pool that cannot be judged is published as it was before; one that never was is left out.
    """

    published: tuple[dict[str, Any], ...]
    pending: tuple[str, ...]
    missing: tuple[str, ...]
    invalid: tuple[str, ...]


def classes(spec: View) -> tuple[str, ...]:
    """The names of the classes that the pools name, sorted."""
    return tuple(sorted({name for pool in spec.views("nodePools") if (name := pool.text("className"))}))


def read(composite: Thing, answer: Callable[[str], Answer]) -> Pools:
    """Judge every pool.

    Args:
        composite: the InferenceCluster, whose status has the pools as published before.
        answer: what was found for a class.
    """
    before = {pool.text("name"): pool.plain() for pool in composite.status.views("gpuPools")}
    answers = {name: answer(name) for name in classes(composite.spec)}
    invalid: list[str] = []
    published: list[dict[str, Any]] = []
    for pool in composite.spec.views("nodePools"):
        made, fault = _pool(pool, answers)
        if fault:
            invalid.append(f"pool {pool.text('name')}: {fault}")
        chosen = made or before.get(pool.text("name"))
        if chosen:
            published.append(chosen)
    return Pools(tuple(published), _of(answers, Pending), _of(answers, Missing), tuple(invalid))


def _of(answers: Mapping[str, Answer], outcome: type[Pending | Missing]) -> tuple[str, ...]:
    return tuple(name for name, found in answers.items() if isinstance(found, outcome))


def _pool(pool: View, answers: Mapping[str, Answer]) -> tuple[dict[str, Any] | None, str]:
    """What to publish of a pool, None where that cannot be told, and what is wrong with it."""
    name = pool.text("className")
    answer = answers.get(name)
    if not isinstance(answer, Found):
        return None, "" if name else "className is empty"
    (found,) = answer.things[:1]
    fault = _fault(pool, found)
    return (None, fault) if fault else (_publish(pool, found), "")


def _fault(pool: View, found: Thing) -> str:
    accepted = found.condition("Accepted")
    if accepted.status == "False":
        return f"class {found.name} is not accepted: {accepted.message}"
    least, most = pool.integer("minNodeCount"), pool.integer("maxNodeCount")
    if pool.has("maxNodeCount") and least > most:
        return f"minNodeCount {least} is more than maxNodeCount {most}"
    return ""


def _publish(pool: View, found: Thing) -> dict[str, Any]:
    """The pool at its largest: placement may count on nodes that an autoscaler has yet to make."""
    return {
        "name": pool.text("name"),
        "nodes": pool.integer("maxNodeCount") or pool.integer("nodeCount", 1),
        "allocation": pool.text("allocation", "Node"),
        "devices": [_device(device) for device in found.spec.views("devices")],
    }


def _device(device: View) -> dict[str, Any]:
    copied = {key: device.field(key) for key in _COPIED if device.field(key) is not None}
    return {**copied, "claim": device.text("claim", "DRA"), "count": device.integer("count", 1)}
