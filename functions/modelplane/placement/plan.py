"""Where a deployment's replicas go: one story, told in order.

`plan` reads nothing but its arguments. What-if is the same function on an edited `World`.
"""

from __future__ import annotations

from dataclasses import replace

from modelplane.placement.books import Books
from modelplane.placement.drops import Duplicate, Terminating
from modelplane.placement.explain import explain
from modelplane.placement.facts import Cluster, Demand, Held, World
from modelplane.placement.fill import Fill
from modelplane.placement.fit import Fitter
from modelplane.placement.grow import reshape
from modelplane.placement.keep import asked, keep, observed
from modelplane.placement.kinds import Catalogue
from modelplane.placement.outcome import Dropped, Placement, Plan, Steps
from modelplane.placement.reasons import NoClusters, Paused, PlacementHeld, Refusal
from modelplane.placement.screen import conflicts, mismatches, unavailable
from modelplane.placement.settle import settle
from modelplane.placement.shrink import shrink

__all__ = ["Plan", "plan"]


def plan(demand: Demand, world: World) -> Plan:
    """Decide where the deployment's replicas are.

    The order of the clusters and of the replicas in the world is of no account; that of pools, devices and engines
    breaks ties.
    """
    own = sorted((held for held in world.held if held.owner == demand.owner), key=lambda h: (h.key, h.uid))
    if demand.paused:
        return _paused(demand, own)
    steps = Steps()
    catalogue = Catalogue()
    fitter = Fitter(demand.engines, catalogue, steps)
    clusters = {cluster.name: cluster for cluster in world.clusters}
    books = Books(clusters, world.held, catalogue)

    # 1. Keep what no explicit decision removes.
    kept, dropped = keep(own, demand, clusters, fitter)
    # 2. Settle races. A yielding replica is to be placed again, so not while nothing may be placed.
    against = _against(demand, world)
    if not against:
        kept, yielded = settle(kept, dropped, clusters, books)
        dropped += yielded
    # 3. Shrink to what is wanted.
    kept, surplus = shrink(kept, max(0, demand.replicas))
    dropped += surplus
    # 4. Give those kept the wanted shape where it has room.
    stay = reshape(kept, clusters, books)
    # 5. Fill up to what is wanted.
    missing = max(0, demand.replicas) - len(stay)
    takers = [] if against or not missing else _takers(demand, world.clusters)
    fill = Fill(takers, fitter, books)
    placed = fill.place(missing, stay, own)
    # 6. Explain what is still missing.
    short = missing - len(placed)
    why = (against or explain(demand, world.clusters, fitter, books, fill.cut)) if short else ()
    return Plan(_sorted(stay), _sorted(placed), _by_place(dropped), short, why, asked(demand.engines), steps)


def _paused(demand: Demand, own: list[Held]) -> Plan:
    """Everything stays as it is, but what is being deleted, and twins: one identity has one object to write."""
    why = Paused()
    staying = {(h.cluster, h.index): h for h in reversed(own) if not h.terminating}
    first = {id(h) for h in staying.values()}
    kept = [Placement(h.cluster, h.index, observed(h), h, replace(why, cluster=h.cluster)) for h in staying.values()]
    leaving = [
        Dropped(h, Terminating() if h.terminating else Duplicate(staying[h.cluster, h.index].key))
        for h in own
        if id(h) not in first
    ]
    short = max(0, demand.replicas - len(kept))
    return Plan(_sorted(kept), (), _by_place(leaving), short, (why,) if short else (), asked(demand.engines))


def _against(demand: Demand, world: World) -> tuple[Refusal, ...]:
    """Why nothing new may be placed anywhere; empty if it may."""
    if demand.hold:
        return (PlacementHeld(why=demand.hold),)
    return conflicts(demand.selector) or (() if world.clusters else (NoClusters(),))


def _takers(demand: Demand, clusters: tuple[Cluster, ...]) -> list[Cluster]:
    """The clusters that may take a new replica, if it fits; by name, because the search of later ones may be brief."""
    found = [c for c in clusters if not mismatches(c, demand.selector) and not unavailable(c, demand.tolerations)]
    return sorted(found, key=lambda cluster: cluster.name)


def _sorted(placements: list[Placement]) -> tuple[Placement, ...]:
    return tuple(sorted(placements, key=lambda placement: (placement.cluster, placement.index)))


def _by_place(dropped: list[Dropped]) -> tuple[Dropped, ...]:
    return tuple(sorted(dropped, key=lambda drop: (drop.held.cluster, drop.held.index, drop.held.key)))
