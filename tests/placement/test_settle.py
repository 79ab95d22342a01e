"""Who yields where a pool was promised twice at the same moment."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import pytest

from modelplane.placement.drops import Yielded
from modelplane.placement.facts import Held, Owner
from modelplane.placement.plan import plan
from tests.placement.worlds import HAIKU, SONNET, alone, cluster, demand, held, pool, world


@dataclass(frozen=True)
class Yields:
    reason: str
    held: tuple[Held, ...]
    nodes: int
    #: Keys of sonnet's replicas that yield.
    want: tuple[str, ...]


def at(second: int, where: str, key: str, *, owner: Owner = SONNET, copies: int = 1, **fields: Any) -> Held:
    """A replica made at this second that never served, unless said otherwise."""
    created = f"2026-01-01T00:00:{second:02d}Z"
    return held(where, alone(copies=copies), key=key, owner=owner, created=created, **{"ready": False, **fields})


#: A member that runs on a pool that is gone.
GONE = held("lima/0", pools="gone").pins

YIELDS: Final = [
    Yields("the later one yields", (at(1, "lima/0", "h", owner=HAIKU), at(2, "lima/0", "s")), 1, ("s",)),
    Yields("the earlier one does not", (at(2, "lima/0", "h", owner=HAIKU), at(1, "lima/0", "s")), 1, ()),
    Yields("of equal age the higher uid yields",
           (at(1, "lima/0", "h", owner=HAIKU, uid="1"), at(1, "lima/0", "s", uid="2")), 1, ("s",)),
    Yields("whoever owns it", (at(1, "lima/0", "h", owner=HAIKU, uid="2"), at(1, "lima/0", "s", uid="1")), 1, ()),
    Yields("then the later owner, which is not sonnet's key", (at(1, "lima/0", "z", owner=HAIKU), at(1, "lima/0", "s")),
           1, ("s",)),
    Yields("one that served stays, whatever its age",
           (at(1, "lima/0", "h", owner=HAIKU), at(2, "lima/0", "s", served=True)), 1, ()),
    Yields("an earlier one that never served yields to it: the nodes are taken",
           (at(2, "lima/0", "h", owner=HAIKU, served=True), at(1, "lima/0", "s")), 1, ("s",)),
    Yields("and its room counts for those after it",
           (at(1, "lima/0", "h", owner=HAIKU), at(2, "lima/1", "h2", owner=HAIKU, served=True), at(3, "lima/0", "s")),
           2, ("s",)),
    Yields("of the own ones, those that served stay",
           (at(1, "lima/0", "h", owner=HAIKU), at(2, "lima/0", "s", served=True), at(3, "lima/1", "s2")), 1, ("s2",)),
    Yields("a later small one that finds room stays, though an earlier large one yields",
           (at(1, "lima/0", "h", owner=HAIKU), at(2, "lima/0", "s", copies=3), at(3, "lima/1", "s2")), 2, ("s",)),
    Yields("one that is leaving makes room by itself",
           (at(1, "lima/0", "h", owner=HAIKU, terminating=True), at(2, "lima/0", "s")), 1, ()),
    Yields("as many as have no room yield",
           (at(1, "lima/0", "h", owner=HAIKU), at(2, "lima/0", "s"), at(4, "lima/1", "s2"), at(3, "lima/2", "s3")), 2,
           ("s2", "s3")),
    Yields("one whose other pool is gone is ranked by the pool that is there",
           (replace(at(1, "lima/0", "h", owner=HAIKU), pins=(*GONE, *held("lima/0").pins)), at(2, "lima/0", "s")), 1,
           ("s",)),
    Yields("a pool with room for all settles nothing", (at(1, "lima/0", "h", owner=HAIKU), at(2, "lima/0", "s")), 2,
           ()),
]  # fmt: skip


@pytest.mark.parametrize("case", YIELDS, ids=lambda case: case.reason)
def test_who_yields(case: Yields) -> None:
    own = sum(replica.owner != HAIKU for replica in case.held)

    found = plan(demand(own), world(cluster("lima", pool("p", case.nodes)), *case.held))

    assert tuple(drop.held.key for drop in found.dropped) == case.want
    assert all(drop.cause == Yielded("lima", "p") for drop in found.dropped)


def test_nothing_yields_while_nothing_may_be_placed() -> None:
    """It would be lost and not moved."""
    both = (at(1, "lima/0", "h", owner=HAIKU), at(2, "lima/0", "s"))

    assert plan(demand(1, hold="waits"), world(cluster("lima", pool("p", 1)), *both)).dropped == ()


def test_a_replica_that_leaves_in_this_plan_has_no_rank() -> None:
    """The earlier one is drained of its shape, so the later need not yield to it."""
    both = (at(1, "lima/0", "s", copies=1), at(2, "lima/1", "s2"))
    changed = replace(both[0], pins=tuple(replace(pin, engine="gone") for pin in both[0].pins))

    found = plan(demand(2), world(cluster("lima", pool("p", 1)), changed, both[1]))

    assert [(drop.held.key, drop.cause.reason) for drop in found.dropped] == [("s", "ShapeChanged")]
