"""What ends a replica and what does not, and in which shape it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pytest

from modelplane.placement import match
from modelplane.placement.drops import (
    Cause,
    ClusterGone,
    ClusterTerminating,
    DevicesChanged,
    Duplicate,
    Evicted,
    PoolGone,
    ScaledDown,
    ShapeChanged,
    Terminating,
)
from modelplane.placement.facts import Claim, Demand, Unmet, World
from modelplane.placement.keep import asked
from modelplane.placement.outcome import PlacedEngine, PlacedMember
from modelplane.placement.plan import plan
from modelplane.placement.pool_reasons import GrowthBlocked, NoMatchingDevice, NothingClaimable, Unpublished
from modelplane.placement.reasons import Paused, Refusal, SearchCutShort
from tests.placement.worlds import (
    HAIKU,
    alone,
    ask,
    cluster,
    demand,
    gang,
    held,
    kind,
    no_execute,
    no_schedule,
    pool,
    world,
)

HUGE = ask("memory >= 150")
NIC = ask("rail == ib", name="nic")
P = pool("p", 4)
LIMA = cluster("lima", P)


@dataclass(frozen=True)
class Ended:
    reason: str
    demand: Demand
    world: World
    #: Causes in the order of cluster, index and key.
    want: tuple[Cause, ...]


def unmet(pool_name: str) -> NoMatchingDevice:
    return NoMatchingDevice(
        cluster="lima", pool=pool_name, request="gpu", device="acc", unmet=Unmet(0, "memory >= 150", "memory = 96")
    )


ENDED: Final = [
    Ended("it is being deleted anyway", demand(1), world(LIMA, held("lima/0", terminating=True)), (Terminating(),)),
    Ended("its cluster is gone from a fleet that is not empty", demand(0), world(LIMA, held("oslo/0")),
          (ClusterGone("oslo"),)),
    Ended("its cluster is being deleted", demand(1), world(cluster("lima", P, terminating=True), held("lima/0")),
          (ClusterTerminating("lima"),)),
    Ended("its cluster is drained; the first untolerated taint is named", demand(1),
          world(cluster("lima", P, taints=(no_schedule("x"), no_execute("y", "v"), no_execute("z"))), held("lima/0")),
          (Evicted("lima", "y", "v"),)),
    Ended("it is the twin of another, whose key comes first", demand(1),
          world(LIMA, held("lima/0", key="b"), held("lima/0", key="a"), held("lima/0", key="c", terminating=True)),
          (Duplicate("a"), Terminating())),
    Ended("an engine was added", demand(1, alone(), alone(name="more")), world(LIMA, held("lima/0")),
          (ShapeChanged((("main", ("Standalone",)),), (("main", ("Standalone",)), ("more", ("Standalone",)))),)),
    Ended("its pool is gone from a cluster that publishes others", demand(1),
          world(cluster("lima", pool("new", 1)), held("lima/0", pools="old")), (PoolGone("lima", "old"),)),
    Ended("the requests were edited, and its pool does not meet them", demand(1, alone(HUGE)),
          world(LIMA, held("lima/0")), (DevicesChanged(unmet("p")),)),
    Ended("the claims tell of the edit where it was not recorded", demand(1, alone(HUGE)),
          world(LIMA, held("lima/0", remembers=False)), (DevicesChanged(unmet("p")),)),
    Ended("a request that was added is an edit where that is recorded", demand(1, alone(ask("memory >= 80"), NIC)),
          world(LIMA, held("lima/0")),
              (DevicesChanged(NoMatchingDevice(cluster="lima", pool="p", request="nic", device="acc",
                  unmet=Unmet(0, "rail == ib", error="no such key: rail")) ),)),
    Ended("the edited requests are met by nothing that can be claimed", demand(1, alone(NIC)),
          world(cluster("lima", pool("p", 4, kind(), kind("rail", 0, rail="ib", synthetic=True))), held("lima/0")),
          (DevicesChanged(NothingClaimable(cluster="lima", pool="p", engine="main")),)),
    Ended("paused, a twin has no object of its own to be written again", demand(9, paused=True),
          world(LIMA, held("lima/0", key="b"), held("lima/0", key="a"), held("lima/1", terminating=True)),
          (Duplicate("a"), Terminating())),
    Ended("fewer are wanted", demand(0), world(LIMA, held("lima/0"), held("lima/1")), (ScaledDown(0), ScaledDown(0))),
]  # fmt: skip


@pytest.mark.parametrize("case", ENDED, ids=lambda case: case.reason)
def test_what_ends_a_replica(case: Ended) -> None:
    found = plan(case.demand, case.world)

    assert tuple(drop.cause for drop in found.dropped) == case.want
    assert all(drop.cause.words() for drop in found.dropped)


@dataclass(frozen=True)
class Stays:
    reason: str
    demand: Demand
    world: World
    engines: tuple[PlacedEngine, ...]
    blocked: Refusal | None = None


def solo(claims: tuple[Claim, ...], name: str = "main", on: str = "p", copies: int = 1) -> PlacedEngine:
    return PlacedEngine(name, copies, (PlacedMember("Standalone", on, 1, claims),))


GPU = (Claim("gpu", "acc", 1, ("memory >= 80",)),)
WEAK = pool("p", 4, kind(memory=24))
EIGHT = pool("p", 1, kind("a", count=4, cls="a"), kind("b", count=4, cls="b"), allocation="Device")

STAYS: Final = [
    Stays("the devices drifted below what was asked, and nobody edited anything: the claims stay as stamped", demand(1),
          world(cluster("lima", WEAK), held("lima/0")), (solo(GPU),)),
    Stays("the same, where the claims alone tell", demand(1),
          world(cluster("lima", WEAK), held("lima/0", remembers=False)), (solo(GPU),)),
    Stays("a Synthetic kind that drifted away is no edit either, where only the claims tell",
          demand(1, alone(ask("memory >= 80"), NIC)),
          world(LIMA, held("lima/0", alone(ask("memory >= 80"), NIC), remembers=False)), (solo(GPU),)),
    Stays("a drift lets the other edits through: copies grow by the claims as stamped", demand(1, alone(copies=3)),
          world(cluster("lima", WEAK), held("lima/0")), (solo(GPU, copies=3),)),
    Stays("an edit that the pool still meets is stamped in place", demand(1, alone(ask("memory >= 90"))),
          world(LIMA, held("lima/0")), (solo((Claim("gpu", "acc", 1, ("memory >= 90",)),)),)),
    Stays("a class that was renamed is stamped in place", demand(1),
          world(cluster("lima", pool("p", 4, kind(cls="new"))), held("lima/0")),
          (solo((Claim("gpu", "new", 1, ("memory >= 80",)),)),)),
    Stays("of several kinds the one that it has is kept", demand(1),
          world(cluster("lima", EIGHT), held("lima/0", classes="b")),
          (solo((Claim("gpu", "b", 1, ("memory >= 80",)),)),)),
    Stays("in a Node pool too, though another is listed first", demand(1),
          world(cluster("lima", pool("p", 1, kind("a", cls="a"), kind("b", cls="b"))), held("lima/0", classes="b")),
          (solo((Claim("gpu", "b", 1, ("memory >= 80",)),)),)),
    Stays("of two pools with one name the first counts", demand(1, alone(ask("memory >= 90"))),
          world(cluster("lima", P, WEAK), held("lima/0")), (solo((Claim("gpu", "acc", 1, ("memory >= 90",)),)),)),
    Stays("the engines stay in the order of the replica", demand(1, alone(name="x"), alone(name="y")),
          world(LIMA, held("lima/0", alone(name="y"), alone(name="x"))), (solo(GPU, "y"), solo(GPU, "x"))),
    Stays("members that an older placement split over pools stay split", demand(1, gang(2)),
          world(cluster("lima", P, pool("q", 4)), held("lima/0", gang(2), pools="p q")),
          (PlacedEngine("main", 1, (PlacedMember("Leader", "p", 1, GPU), PlacedMember("Worker", "q", 2, GPU))),)),
    Stays("a cluster that publishes nothing keeps what it has", demand(1), world(cluster("lima"), held("lima/0")),
          (solo(GPU),)),
    Stays("an empty fleet says nothing of any cluster", demand(1), world(held("lima/0")), (solo(GPU),)),
    Stays("where nothing is published, growth cannot be checked and waits", demand(1, alone(copies=2)),
          world(cluster("lima"), held("lima/0")), (solo(GPU),), Unpublished(cluster="lima")),
    Stays("nor in an empty fleet", demand(1, alone(copies=2)), world(held("lima/0")), (solo(GPU),),
          Unpublished(cluster="lima")),
    Stays("nor can edited requests be", demand(1, alone(HUGE)), world(cluster("lima"), held("lima/0", remembers=False)),
          (solo(GPU),), Unpublished(cluster="lima")),
    Stays("growth beyond the nodes that are free is not done", demand(1, alone(copies=4)),
          world(cluster("lima", pool("p", 3)), held("lima/0"), held("lima/1", owner=HAIKU)), (solo(GPU),),
          GrowthBlocked(cluster="lima", pool="p", need=3, free=1)),
    Stays("of two pools with one name it grows in the first", demand(1, alone(copies=3)),
          world(cluster("lima", P, pool("p", 1)), held("lima/0")), (solo(GPU, copies=3),)),
    Stays("growth within them is", demand(1, alone(copies=3)), world(cluster("lima", pool("p", 3)), held("lima/0")),
          (solo(GPU, copies=3),)),
    Stays("a shrink is done even where the pool is promised too much", demand(1, alone(copies=1)),
          world(cluster("lima", pool("p", 1)), held("lima/0", alone(copies=3))), (solo(GPU),)),
    Stays("growth in one pool waits for that in another", demand(1, gang(4)),
          world(cluster("lima", P, pool("q", 3)), held("lima/0", gang(2), pools="p q")),
          (PlacedEngine("main", 1, (PlacedMember("Leader", "p", 1, GPU), PlacedMember("Worker", "q", 2, GPU))),),
          GrowthBlocked(cluster="lima", pool="q", need=2, free=1)),
    Stays("paused, everything stays as it is", demand(1, alone(HUGE, copies=9), paused=True),
          world(cluster("oslo", P), held("lima/0")), (solo(GPU),), Paused(cluster="lima")),
]  # fmt: skip


@pytest.mark.parametrize("case", STAYS, ids=lambda case: case.reason)
def test_what_stays_and_how(case: Stays) -> None:
    found = plan(case.demand, case.world)
    stays = found.kept[0]

    assert (len(found.kept), found.placed, found.dropped) == (1, (), ())
    assert (stays.engines, stays.blocked) == (case.engines, case.blocked)


def test_a_replica_of_requests_too_many_to_match_keeps_its_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether an edited replica still fits is then unknown, which is no reason to end it."""
    monkeypatch.setattr(match, "LIMIT", 0)

    found = plan(demand(1, alone(ask("memory >= 90"))), world(LIMA, held("lima/0")))

    assert (found.kept[0].engines, found.kept[0].blocked) == (
        (solo(GPU),),
        SearchCutShort(cluster="lima", pool="p", steps=0),
    )
    assert found.dropped == ()


def test_a_pin_is_what_it_was_made_from() -> None:
    there = held("lima/0", gang(2), pools="p q")

    found = plan(demand(1, gang(2)), world(cluster("lima", P, pool("q", 4)), there))

    assert found.kept[0].pins == there.pins
    assert found.kept[0].held is there


@dataclass(frozen=True)
class Asked:
    reason: str
    one: Demand
    other: Demand
    same: bool


ASKED: Final = [
    Asked("replicas and copies are not asked of devices", demand(1), demand(9, alone(copies=3)), same=True),
    Asked("the order of engines does not matter", demand(1, alone(name="a"), alone(name="b")),
          demand(1, alone(name="b"), alone(name="a")), same=True),
    Asked("a count does", demand(1), demand(1, alone(ask("memory >= 80", count=2))), same=False),
    Asked("and a selector", demand(1), demand(1, alone(HUGE)), same=False),
    Asked("and where one ends and the next begins", demand(1, alone(ask("a b c", "d"))),
          demand(1, alone(ask("a b c1:d"))), same=False),
    Asked("and which member asks", demand(1, gang(1, (HUGE,), ())), demand(1, gang(1, (), (HUGE,))), same=False),
]  # fmt: skip


@pytest.mark.parametrize("case", ASKED, ids=lambda case: case.reason)
def test_what_is_asked_has_a_name(case: Asked) -> None:
    assert (asked(case.one.engines) == asked(case.other.engines)) == case.same


def test_the_name_of_what_is_asked_never_changes() -> None:
    """Replicas carry it: another spelling would read as an edit of every deployment.

    It is the start of the SHA-256 of ``4:main10:Standalone1:13:gpu1:11:112:memory >= 80``.
    """
    assert asked(demand(1).engines) == "21e37ef1d7870ae9"
