"""Stories over time, one a file in `timelines/`: changes to a fleet, and the plan of each deployment after each change.

In a step all deployments plan at the same moment, on the same world; then the plans are carried out. What a plan places
is Ready before the next step unless the step says that it is `starting`; what it drops is gone unless it `lingers`.

A plan is spelled as ``=`` kept, ``!`` kept with its shape blocked, ``+`` placed, ``-`` dropped with the cause; then how
many are short, and who refuses.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from modelplane.placement.facts import Cluster, Demand, Device, Held, Owner, Pool, Taint, World
from modelplane.placement.outcome import Plan
from modelplane.placement.plan import plan
from tests.placement.worlds import alone, ask, cluster, gang, kind, pool, realised, reasons

FILES = sorted((Path(__file__).parent / "timelines").glob("*.yaml"))


class Stage:
    """A fleet and its deployments, as they change."""

    def __init__(self, story: dict[str, Any]) -> None:
        self.clusters: dict[str, Cluster] = {}
        self.demands: dict[str, Demand] = {}
        self.held: list[Held] = []
        self.now = 0
        self.change({"join": story["fleet"], "deploy": story["deployments"]})

    def change(self, changes: dict[str, Any]) -> None:
        for verb, subjects in changes.items():
            for name, value in subjects.items():
                getattr(self, f"_{verb}")(name, value)

    def plan(self) -> dict[str, Plan]:
        world = World(tuple(self.clusters.values()), tuple(self.held))
        return {name: plan(demand, world) for name, demand in self.demands.items()}

    def carry_out(self, plans: dict[str, Plan], starting: list[str], lingers: list[str]) -> None:
        self.now += 1
        held: list[Held] = []
        for name, done in plans.items():
            made = {"created": f"2026-01-01T00:00:{self.now:02d}Z", "uid": name}
            own = [realised(placement, Owner("ml", name), done.asked, **made) for placement in done.placements]
            serves: dict[str, Any] = {} if name in starting else {"ready": True, "served": True}
            held += [replace(replica, **serves) for replica in own]
            held += [replace(drop.held, terminating=True) for drop in done.dropped if name in lingers]
        self.held = held

    def _join(self, name: str, pools: dict[str, Any]) -> None:
        self.clusters[name] = cluster(name, *(made(pool_name, spec) for pool_name, spec in pools.items()))

    def _leave(self, name: str, _: Any) -> None:
        del self.clusters[name]

    def _set(self, name: str, fields: dict[str, Any]) -> None:
        self.clusters[name] = replace(self.clusters[name], **fields)

    def _taint(self, name: str, effect: str) -> None:
        taints = (Taint("maint", effect),) if effect else ()  # type: ignore[arg-type]  # an Effect, from YAML
        self.clusters[name] = replace(self.clusters[name], taints=taints)

    def _deploy(self, name: str, spec: dict[str, Any]) -> None:
        engine = gang(spec["workers"]) if "workers" in spec else alone()
        self.demands[name] = Demand(Owner("ml", name), spec["replicas"], (engine,))
        self._ask(name, spec.get("ask", "memory >= 80"))

    def _scale(self, name: str, replicas: int) -> None:
        self.demands[name] = replace(self.demands[name], replicas=replicas)

    def _ask(self, name: str, selector: str) -> None:
        requests = (ask(selector),)
        self._reshape(name, requests=requests)

    def _workers(self, name: str, pods: int) -> None:
        engine = self.demands[name].engines[0]
        leader, worker = engine.members
        shaped = replace(engine, members=(leader, replace(worker, pods=pods)))
        self.demands[name] = replace(self.demands[name], engines=(shaped,))

    def _pause(self, name: str, paused: bool) -> None:
        self.demands[name] = replace(self.demands[name], paused=paused)

    def _hold(self, name: str, why: str) -> None:
        self.demands[name] = replace(self.demands[name], hold=why)

    def _reshape(self, name: str, **fields: Any) -> None:
        engine = self.demands[name].engines[0]
        shaped = replace(engine, members=tuple(replace(member, **fields) for member in engine.members))
        self.demands[name] = replace(self.demands[name], engines=(shaped,))


def made(name: str, spec: Any) -> Pool:
    """A pool from its number of nodes, or from nodes, memory, count, class and allocation."""
    if isinstance(spec, int):
        return pool(name, spec)
    devices: tuple[Device, ...] = (kind(memory=spec.get("memory", 96), count=spec.get("count", 1)),)
    return Pool(name, spec["nodes"], devices, spec.get("allocation", "Node"))


def spelled(done: Plan) -> str:
    parts = [f"{'!' if p.blocked else '='}{p.cluster}/{p.index}" for p in done.kept]
    parts += [f"+{p.cluster}/{p.index}" for p in done.placed]
    parts += [f"-{drop.held.cluster}/{drop.held.index} {drop.cause.reason}" for drop in done.dropped]
    if done.short:
        parts.append(f"short {done.short}: {reasons(done)}")
    return " ".join(parts)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_timeline(file: Path) -> None:
    story = yaml.safe_load(file.read_text())
    stage = Stage(story)
    for step in story["steps"]:
        stage.change(step.get("change", {}))
        plans = stage.plan()

        assert {name: spelled(done) for name, done in plans.items()} == step["want"], step["then"]
        stage.carry_out(plans, step.get("starting", []), step.get("lingers", []))


def test_every_timeline_says_why_it_exists() -> None:
    assert FILES
    for file in FILES:
        assert yaml.safe_load(file.read_text())["reason"]
