"""Which replicas go when fewer are wanted than there are."""

from __future__ import annotations

import heapq
from collections import Counter

from modelplane.placement.drops import ScaledDown
from modelplane.placement.keep import Kept
from modelplane.placement.outcome import Dropped


def shrink(kept: list[Kept], wanted: int) -> tuple[list[Kept], list[Dropped]]:
    """Remove one by one until as many as wanted are left; those removed come in that order.

    First one that is not Ready, then from the cluster with the most replicas of this deployment, then from the cluster
    that is last by name, and there the highest index.
    """
    surplus = len(kept) - wanted
    if surplus <= 0:
        return kept, []
    loads = Counter(each.held.cluster for each in kept)
    gone: list[Kept] = []
    for ready in (False, True):
        gone += _heaviest([each for each in kept if each.held.ready == ready], loads, surplus - len(gone))
    lost = {id(each.held) for each in gone}
    return [each for each in kept if id(each.held) not in lost], [Dropped(e.held, ScaledDown(wanted)) for e in gone]


def _heaviest(kept: list[Kept], loads: Counter[str], count: int) -> list[Kept]:
    """Up to `count` of these, always from the cluster with the highest load; `loads` is reduced along."""
    stacks: dict[str, list[Kept]] = {}
    for each in sorted(kept, key=lambda each: each.held.index):
        stacks.setdefault(each.held.cluster, []).append(each)
    names = sorted(stacks, reverse=True)
    heap = [(-loads[name], place) for place, name in enumerate(names)]
    heapq.heapify(heap)
    gone: list[Kept] = []
    while heap and len(gone) < count:
        _, place = heapq.heappop(heap)
        name = names[place]
        gone.append(stacks[name].pop())
        loads[name] -= 1
        if stacks[name]:
            heapq.heappush(heap, (-loads[name], place))
    return gone
