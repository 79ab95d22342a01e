"""Why each cluster does not take the next replica: a refusal or more for the cluster, or one for each of its pools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from modelplane.placement.books import Books
from modelplane.placement.facts import Cluster, Demand
from modelplane.placement.fit import Fitter, Offer
from modelplane.placement.ledger import Account, Loads
from modelplane.placement.reasons import NoPools, Refusal, SearchCutShort
from modelplane.placement.screen import mismatches, unavailable

#: Why a pool refuses an engine, or the ways that it would take it.
Verdict = Refusal | tuple[Offer, ...]


def explain(
    demand: Demand, clusters: Iterable[Cluster], fitter: Fitter, books: Books, cut: Mapping[str, SearchCutShort]
) -> tuple[Refusal, ...]:
    """The refusals of every cluster, sorted by its name."""
    return tuple(
        refusal
        for cluster in sorted(clusters, key=lambda cluster: cluster.name)
        for refusal in _cluster(demand, cluster, fitter, books, cut)
    )


def _cluster(
    demand: Demand, cluster: Cluster, fitter: Fitter, books: Books, cut: Mapping[str, SearchCutShort]
) -> Iterator[Refusal]:
    """Labels hide the rest. A cluster that is unavailable says only what would be wrong with its devices besides."""
    wrong = mismatches(cluster, demand.selector)
    yield from wrong
    if wrong:
        return
    away = unavailable(cluster, demand.tolerations)
    yield from away
    if not cluster.pools:
        if not away:
            yield NoPools(cluster=cluster.name)
        return
    empty = [_offers(e, cluster, fitter) for e in range(len(demand.engines))]
    hopeless = [refusals for verdicts in empty if (refusals := _refusals(verdicts)) is not None]
    if hopeless:
        yield from _named(hopeless[0], cluster)
    elif away:
        return
    elif cluster.name in cut:
        yield replace(cut[cluster.name], cluster=cluster.name)
    else:
        yield from _named(_short(demand, empty, books.accounts(cluster.name)), cluster)


def _offers(e: int, cluster: Cluster, fitter: Fitter) -> list[Verdict]:
    """What each pool says to the e-th engine when it is empty."""
    return [fitter.offers(e, fitter.catalogue.kinds(pool.devices), pool.allocation) for pool in cluster.pools]


def _short(demand: Demand, empty: list[list[Verdict]], accounts: tuple[Account, ...]) -> list[Refusal]:
    """Each pool's refusal where the devices are right: an engine finds no room alone, or all find none together."""
    many = len(demand.engines) > 1
    names: list[tuple[str, ...]] = [(engine.name,) if many else () for engine in demand.engines]
    alone = [
        [_alone(verdict, account, name) for verdict, account in zip(verdicts, accounts, strict=True)]
        for verdicts, name in zip(empty, names, strict=True)
    ]
    homeless = [refusals for verdicts in alone if (refusals := _refusals(verdicts)) is not None]
    if homeless:
        return homeless[0]
    return [_together([verdicts[p] for verdicts in alone], account, names) for p, account in enumerate(accounts)]


def _alone(verdict: Verdict, account: Account, names: tuple[str, ...]) -> Verdict:
    """The ways that have room in the pool as it is, or why none has."""
    if isinstance(verdict, Refusal):
        return verdict
    return tuple(offer for offer in verdict if account.take(offer.loads)) or account.shortage(verdict[0].loads, names)


def _together(verdicts: list[Verdict], account: Account, names: list[tuple[str, ...]]) -> Refusal:
    """Why a pool does not take all the engines that it would take alone, or if it would, why not the others."""
    loads: Loads = ()
    engines: tuple[str, ...] = ()
    for verdict, name in zip(verdicts, names, strict=True):
        if not isinstance(verdict, Refusal):
            loads, engines = (*loads, *verdict[0].loads), (*engines, *name)
    if loads and account.take(loads) is None:
        return account.shortage(loads, engines)
    return min((verdict for verdict in verdicts if isinstance(verdict, Refusal)), key=lambda r: r.severity)


def _refusals(verdicts: list[Verdict]) -> list[Refusal] | None:
    """The verdicts if every pool refuses."""
    refusals = [verdict for verdict in verdicts if isinstance(verdict, Refusal)]
    return refusals if len(refusals) == len(verdicts) else None


def _named(refusals: list[Refusal], cluster: Cluster) -> Iterator[Refusal]:
    for refusal, pool in zip(refusals, cluster.pools, strict=True):
        yield replace(refusal, cluster=cluster.name, pool=pool.name)
