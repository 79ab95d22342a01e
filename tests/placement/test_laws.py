"""What holds of every plan, on generated worlds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import TypeVar

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from modelplane.placement.drops import Duplicate, Yielded
from modelplane.placement.facts import Cluster, Demand, Held, World
from modelplane.placement.outcome import Placement, Plan
from modelplane.placement.plan import plan
from tests.placement import oracle
from tests.placement.fleets import (
    OWNERS,
    carried_out,
    clusters,
    demands,
    grown_worlds,
    realised_alone,
    rough_worlds,
)

T = TypeVar("T")

law = settings(max_examples=60, deadline=None)


def any_world() -> st.SearchStrategy[World]:
    return st.one_of(rough_worlds(), grown_worlds())


@law
@given(demands(), any_world())
def test_every_own_replica_is_kept_or_dropped_once_and_no_stranger_is_touched(demand: Demand, world: World) -> None:
    found = plan(demand, world)
    touched = Counter([p.held for p in found.kept] + [drop.held for drop in found.dropped])

    assert touched == Counter(held for held in world.held if held.owner == demand.owner)


@law
@given(demands(), any_world())
def test_as_many_are_placed_as_wanted_or_the_rest_is_explained(demand: Demand, world: World) -> None:
    found = plan(demand, world)

    if not demand.paused:
        assert len(found.placements) + found.short == demand.replicas
    assert bool(found.why) == (found.short > 0)
    if found.short and not demand.hold and not demand.paused and world.clusters:
        refusing = {refusal.cluster for refusal in found.why}
        assert refusing == {cluster.name for cluster in world.clusters}
        assert all(refusal.words() for refusal in found.why)


@law
@given(demands(), any_world(), st.randoms(use_true_random=False))
def test_the_order_of_the_world_does_not_matter(demand: Demand, world: World, dice: Random) -> None:
    shuffled = World(shuffle(world.clusters, dice), shuffle(world.held, dice))

    assert plan(demand, shuffled) == plan(demand, world)


def shuffle(items: tuple[T, ...], dice: Random) -> tuple[T, ...]:
    return tuple(dice.sample(items, len(items)))


@law
@given(demands(), any_world())
def test_a_plan_carried_out_is_kept(demand: Demand, world: World) -> None:
    """Once with what was dropped still running, once with it gone: nothing that was placed moves or leaves."""
    first = plan(demand, world)

    for gone in (False, True):
        later = plan(demand, carried_out(first, world, demand.owner, gone=gone))
        assert places(later) >= places(first)
        assert all(drop.held.terminating for drop in later.dropped)
        if not first.short:
            assert later.placed == ()


def places(found: Plan) -> set[tuple[str, int]]:
    return {(placement.cluster, placement.index) for placement in found.placements}


@law
@given(demands(free=True), grown_worlds())
def test_nothing_is_promised_twice(demand: Demand, world: World) -> None:
    """From a world without overpromised pools, to one without: the growth of those kept included."""
    assert oracle.overpromised(world) == []
    found = plan(demand, world)

    assert oracle.overpromised(carried_out(found, world, demand.owner, gone=False)) == []


@law
@given(demands(), rough_worlds())
def test_a_pool_that_is_promised_too_much_gets_no_more(demand: Demand, world: World) -> None:
    found = plan(demand, world)
    after = carried_out(found, world, demand.owner, gone=False)
    broken = set(oracle.overpromised(world))

    for placement in found.placed:
        assert not broken & {f"{placement.cluster}/{pin.pool}" for pin in placement.pins if pin.claims}
    assert set(oracle.overpromised(after)) <= broken


@law
@given(demands(), any_world())
def test_what_is_placed_may_be_placed(demand: Demand, world: World) -> None:
    """Each new replica, taken alone, is an arrangement that brute force finds, on a cluster that takes new ones."""
    found = plan(demand, world)

    for placement in found.placed:
        on = next(cluster for cluster in world.clusters if cluster.name == placement.cluster)
        assert tolerates(demand, on) or oracle.open_to(demand, on)
        assert oracle.allowed(demand, placement, world)


def tolerates(demand: Demand, cluster: Cluster) -> bool:
    return bool(demand.tolerations) and oracle.open_to(demand, replace(cluster, taints=()))


@law
@given(demands(free=True), any_world())
def test_whatever_brute_force_places_is_placed(demand: Demand, world: World) -> None:
    """Where a plan is short, no cluster takes one more replica, by any arrangement whatever."""
    found = plan(demand, world)
    after = world
    for placement in found.placed:
        after = realised_alone(placement, demand.owner, after)
    grown = {p.held.key: p for p in found.kept if p.held and not p.blocked}
    after = World(after.clusters, tuple(larger(held, grown) for held in after.held))

    if found.short:
        assert oracle.takers(demand, after) == []


def larger(held: Held, grown: dict[str, Placement]) -> Held:
    """A kept replica with its new shape where that is the larger one."""
    placement = grown.get(held.key)
    if placement is None:
        return held
    wanted = replace(held, pins=placement.pins)
    return max(held, wanted, key=lambda h: sum(pin.pods * pin.copies * len(pin.claims) for pin in h.pins))


@law
@given(demands(free=True), grown_worlds(), clusters(("d",)))
def test_a_cluster_that_joins_moves_nothing(demand: Demand, world: World, joining: tuple[Cluster, ...]) -> None:
    assume(world.clusters)
    before = plan(demand, world)
    after = plan(demand, World((*world.clusters, *joining), world.held))

    assert (after.kept, after.dropped) == (before.kept, before.dropped)
    assert after.short <= before.short


@law
@given(demands(), any_world())
def test_a_healthy_replica_never_moves(demand: Demand, world: World) -> None:
    """Only these end a replica that served: fewer wanted, an edit, a drain, a deletion, a loss, a twin."""
    found = plan(demand, world)

    for drop in found.dropped:
        if drop.held.ready or drop.held.served:
            assert not isinstance(drop.cause, Yielded)
    if demand.paused:
        assert all(drop.held.terminating or isinstance(drop.cause, Duplicate) for drop in found.dropped)


@law
@given(demands(), any_world())
def test_no_identity_is_used_twice(demand: Demand, world: World) -> None:
    """Not that of a new replica with any that is there; those of paused twins stay as they are."""
    found = plan(demand, world)
    there = {(held.cluster, held.index) for held in world.held if held.owner == demand.owner}
    placed = [(placement.cluster, placement.index) for placement in found.placed]

    assert len(set(placed)) == len(placed)
    assert not set(placed) & there


@law
@given(st.tuples(*(demands(owner, free=True) for owner in OWNERS)), clusters())
def test_races_settle(wanted: tuple[Demand, ...], fleet: tuple[Cluster, ...]) -> None:
    """All plan at the same moment, again and again: soon nothing moves and nothing is promised twice."""
    world = World(fleet)
    for second in range(6):
        found = {demand.owner: plan(demand, world) for demand in wanted}
        own = [
            held
            for owner, done in found.items()
            for held in carried_out(done, world, owner, created=f"2026-01-01T00:00:{second:02d}Z").held
            if held.owner == owner
        ]
        world = World(fleet, tuple(own))

    last = [plan(demand, world) for demand in wanted]
    assert [(done.placed, done.dropped) for done in last] == [((), ())] * len(last)
    assert oracle.overpromised(world) == []
