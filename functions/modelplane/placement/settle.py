"""Which own replicas yield where two deployments promised the same room at the same moment.

Every deployment ranks the replicas of such a cluster alike: those that ever served first, since their nodes are taken,
then by creation, uid, owner and key. They take their room in that order. One that finds none stays if it ever served,
and its room counts; else it yields. So of two that were made at the same moment exactly the later one moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from modelplane.placement.books import Books
from modelplane.placement.drops import Yielded
from modelplane.placement.facts import Cluster, Held
from modelplane.placement.keep import Kept
from modelplane.placement.kinds import Catalogue
from modelplane.placement.ledger import Account, loads_of, open_accounts
from modelplane.placement.outcome import Dropped


def settle(
    kept: list[Kept], dropped: Iterable[Dropped], clusters: Mapping[str, Cluster], books: Books
) -> tuple[list[Kept], list[Dropped]]:
    """The kept replicas that stay, and those that yield."""
    leaving = {id(drop.held) for drop in dropped}
    yielding: dict[int, Yielded] = {}
    for name in sorted({each.held.cluster for each in kept if not served(each.held)}):
        if name in clusters and not all(account.sound for account in books.accounts(name)):
            staying = [held for held in books.on(name) if not held.terminating and id(held) not in leaving]
            yielding |= _yielding(clusters[name], staying, books.positions(name))
    stay = [each for each in kept if id(each.held) not in yielding]
    return stay, [Dropped(each.held, yielding[id(each.held)]) for each in kept if id(each.held) in yielding]


def served(held: Held) -> bool:
    """Whether the replica ever served: such a one never yields."""
    return held.served or held.ready


def _yielding(cluster: Cluster, staying: Iterable[Held], positions: Mapping[str, int]) -> dict[int, Yielded]:
    """By identity, the replicas of every deployment that find no room."""
    accounts = list(open_accounts(cluster, (), Catalogue()))
    found: dict[int, Yielded] = {}
    for held in sorted(staying, key=lambda h: (not served(h), h.created, h.uid, h.owner, h.key)):
        after: dict[int, Account] = {}
        full = ""
        for pool, loads in loads_of(held.pins).items():
            if pool in positions:
                charged = after[positions[pool]] = accounts[positions[pool]].charge(loads)
                full = full or ("" if charged.sound else pool)
        if full and not served(held):
            found[id(held)] = Yielded(cluster.name, full)
        else:
            for position, account in after.items():
                accounts[position] = account
    return found
