"""Generated fleets, demands and worlds for the laws: small, crowded and nasty."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from hypothesis import strategies as st

from modelplane.placement.facts import (
    Cluster,
    Demand,
    Engine,
    Held,
    LabelRule,
    Member,
    Owner,
    Pool,
    Request,
    Taint,
    Toleration,
    World,
)
from modelplane.placement.outcome import Placement, Plan
from modelplane.placement.plan import plan
from tests.placement.worlds import ask, cluster, held, kind, realised

T = TypeVar("T")

OWNERS = (Owner("ml", "sonnet"), Owner("web", "sonnet"), Owner("ml", "haiku"))

KINDS = (
    kind("small", 24, 2),
    kind("big", 96, 1),
    kind("many", 96, 4),
    kind("twin", 192, 2, "twin"),
    kind("none", 96, 0),
    kind("synth", 192, 2, synthetic=True),
    kind("nic", 0, 1, "nic", rail="ib"),
    kind("rail", 0, 4, rail="ib", synthetic=True),
)

REQUESTS = (
    ask("memory >= 20"),
    ask("memory >= 80"),
    ask("memory >= 80", count=2),
    ask("memory >= 20", "memory < 100", name="mid"),
    ask("rail == ib", name="nic"),
)

NAMES = ("a", "b", "c")

#: Pieces are made once, from a fixed seed, and sampled: drawing every field of every pool anew takes seconds a law.
#: They are sorted by size, so that a failure shrinks to small ones.
_DICE = random.Random(20)  # noqa: S311  # the same pieces each time is what is wanted
SIZE = 400


def some(most: int, pick: Callable[[], T], least: int = 0) -> tuple[T, ...]:
    return tuple(pick() for _ in range(_DICE.randint(least, most)))


def sorted_by_size(pieces: Iterable[T]) -> list[T]:
    return sorted(pieces, key=lambda piece: len(repr(piece)))


def _pools() -> tuple[Pool, ...]:
    found = some(
        3,
        lambda: Pool(
            "?",
            _DICE.choice((-1, 0, 1, 1, 2, 2, 3, 4)),
            tuple(_DICE.sample(KINDS, _DICE.randint(0, 3))),
            _DICE.choice(("Node", "Device")),
        ),
    )
    return tuple(replace(pool, name=f"p{i}") for i, pool in enumerate(found))


def _cluster() -> Cluster:
    """One in several is ill, tainted or labelled otherwise."""
    return cluster(
        "?",
        *_pools(),
        taints=_DICE.choice(((), (), (), (), (), (Taint("maint", "NoSchedule"),), (Taint("maint", "NoExecute"),))),
        ready=_DICE.random() < 0.85,
        gateway=_DICE.choice((None, None, None, None, None, "")),
        terminating=_DICE.random() < 0.08,
        region=_DICE.choice(("eu", "eu", "us")),
    )


def _requests(least: int) -> tuple[Request, ...]:
    picked = {request.name: request for request in some(2, lambda: _DICE.choice(REQUESTS), least)}
    return tuple(picked.values())


def _engine() -> Engine:
    alone = (Member("Standalone", 1, _requests(1)),)
    pair = (Member("Leader", 1, _requests(0)), Member("Worker", _DICE.randint(1, 2), _requests(1)))
    return Engine("?", _DICE.choice((1, 1, 2)), _DICE.choice((alone, alone, pair)))


def _engines() -> tuple[Engine, ...]:
    found = some(2, _engine, 1)
    return tuple(replace(engine, name=f"e{i}") for i, engine in enumerate(found))


ENGINES = sorted_by_size(dict.fromkeys(_engines() for _ in range(60)))


def _stray() -> Held:
    """A replica that nobody planned: on any pool, of any shape and owner, in any state."""
    state = _DICE.choice(("ready", "served", "starting", "starting", "terminating"))
    name, index = _DICE.choice(NAMES), _DICE.randint(0, 2)
    created = f"2026-01-01T00:00:{_DICE.randint(0, 59):02d}Z"
    owner = _DICE.choice(OWNERS)
    return held(
        f"{name}/{index}",
        *_DICE.choice(ENGINES),
        owner=owner,
        pools=_DICE.choice(("p0", "p0", "p1", "p9")),
        key=f"{owner.name}-{name}-{index}-{_DICE.randint(0, 10**9)}",
        ready=state == "ready",
        served=state in {"ready", "served"},
        terminating=state == "terminating",
        remembers=_DICE.random() < 0.7,
        created=created,
        uid=created,
    )


CLUSTERS = sorted_by_size(dict.fromkeys(_cluster() for _ in range(SIZE)))
STRAYS = sorted_by_size(_stray() for _ in range(SIZE))


def clusters(names: tuple[str, ...] = NAMES) -> st.SearchStrategy[tuple[Cluster, ...]]:
    """Up to as many clusters as there are names."""
    return st.lists(st.sampled_from(CLUSTERS), max_size=len(names)).map(
        lambda found: tuple(replace(each, name=name) for name, each in zip(names, found, strict=False))
    )


def demands(owner: Owner = OWNERS[0], *, free: bool = False) -> st.SearchStrategy[Demand]:
    """Demands of one owner; a `free` one is neither held, paused, tolerant nor bound to a region."""
    extra = (
        {"tolerations": (Toleration("maint", "Exists"),)},
        {"selector": (LabelRule("region", "eu"),)},
        {"hold": "waits"},
        {"paused": True},
    )
    return st.builds(
        lambda replicas, engines, fields: Demand(owner, replicas, engines, **fields),
        st.integers(0, 4),
        st.sampled_from(ENGINES),
        st.just({}) if free else st.sampled_from(({}, {}, {}, *extra)),
    )


def strays() -> st.SearchStrategy[tuple[Held, ...]]:
    return st.lists(st.sampled_from(STRAYS), max_size=5, unique_by=lambda h: h.key).map(tuple)


def rough_worlds() -> st.SearchStrategy[World]:
    return st.builds(World, clusters(), strays())


@st.composite
def grown_worlds(draw: st.DrawFn) -> World:
    """A world in which every replica was planned, one deployment after another: nothing is promised twice."""
    found = World(draw(clusters()))
    for owner in OWNERS:
        wanted = draw(demands(owner, free=True))
        found = carried_out(plan(wanted, found), found, owner, ready=True, served=True)
    return found


def carried_out(done: Plan, before: World, owner: Owner, *, gone: bool = True, **fields: object) -> World:
    """The world after the plan; what it dropped is gone, or on its way out."""
    others = [h for h in before.held if h.owner != owner]
    own = [realised(placement, owner, done.asked, **fields) for placement in done.placements]
    leaving = [] if gone else [replace(drop.held, terminating=True) for drop in done.dropped]
    return World(before.clusters, (*others, *own, *leaving))


def realised_alone(placement: Placement, owner: Owner, before: World) -> World:
    """The world with nothing but this placement added."""
    return World(before.clusters, (*before.held, realised(placement, owner, "")))
