"""Which of many refusals to show: the nearest to success among alternatives, the gravest among joint conditions.

A cluster is as far from taking a replica as the gravest of its own refusals and of its best pool's; the fleet is as far
as its nearest cluster.
"""

from __future__ import annotations

from collections.abc import Iterable

from modelplane.placement.pool_reasons import TooFewNodes
from modelplane.placement.reasons import Refusal


def by_cluster(why: Iterable[Refusal]) -> tuple[Refusal, ...]:
    """One refusal for each cluster, in the order of `why`; those of the demand itself come as they are."""
    demand: list[Refusal] = []
    clusters: dict[str, list[Refusal]] = {}
    for refusal in why:
        if refusal.cluster:
            clusters.setdefault(refusal.cluster, []).append(refusal)
        else:
            demand.append(refusal)
    return (*demand, *(_of_cluster(refusals) for refusals in clusters.values()))


def headline(why: Iterable[Refusal]) -> Refusal | None:
    """The refusal that says best why nothing is placed; None where there is none."""
    return min(by_cluster(why), key=_distance, default=None)


def _of_cluster(refusals: list[Refusal]) -> Refusal:
    pools = [refusal for refusal in refusals if refusal.pool]
    own = [refusal for refusal in refusals if not refusal.pool]
    if pools:
        own.append(min(pools, key=_distance))
    return max(own, key=lambda refusal: refusal.severity)


def _distance(refusal: Refusal) -> tuple[int, int]:
    """How far from a placement; among those equally far by kind, how many nodes are lacking."""
    return refusal.severity, refusal.need - refusal.free if isinstance(refusal, TooFewNodes) else 0
