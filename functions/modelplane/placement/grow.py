"""Whether the wanted shape of a kept replica has room on its pools: if not, it keeps the shape that it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from modelplane.placement.books import Books
from modelplane.placement.facts import Cluster, Pin
from modelplane.placement.keep import Kept, observed
from modelplane.placement.ledger import Account, loads_of
from modelplane.placement.outcome import Placement
from modelplane.placement.pool_reasons import Unpublished
from modelplane.placement.reasons import Refusal


def reshape(kept: list[Kept], clusters: Mapping[str, Cluster], books: Books) -> list[Placement]:
    """The kept replicas as placements, by cluster and index; what they grow by is entered in the books."""
    placements: list[Placement] = []
    for held, engines, blocked in sorted(kept, key=lambda each: (each.held.cluster, each.held.index)):
        wanted = Placement(held.cluster, held.index, engines, held)
        cluster = clusters.get(held.cluster)
        why = blocked or _grow(held.pins, wanted.pins, cluster, books, held.cluster)
        placements.append(replace(wanted, engines=observed(held), blocked=why) if why else wanted)
    return placements


def _grow(
    was: tuple[Pin, ...], wanted: tuple[Pin, ...], cluster: Cluster | None, books: Books, name: str
) -> Refusal | None:
    """Charge the larger of both shapes in each pool, or say why not and charge nothing."""
    old, new = loads_of(was), loads_of(wanted)
    if old == new:
        return None
    if cluster is None or not cluster.pools:
        return Unpublished(cluster=name)
    accounts: list[Account] = list(books.accounts(name))
    for pool, position in books.positions(name).items():
        before = accounts[position]
        after = before.regrow(old.get(pool, ()), new.get(pool, ()))
        if after is not before and not after.sound:
            return replace(before.stunted(old.get(pool, ()), new.get(pool, ())), cluster=name, pool=pool)
        accounts[position] = after
    books.post(name, tuple(accounts))
    return None
