"""Where the missing replicas go, one by one: each to the cluster that suits best at that moment."""

from __future__ import annotations

import heapq
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from modelplane.placement.books import Books
from modelplane.placement.facts import Cluster, Held
from modelplane.placement.fit import Fit, Fitter
from modelplane.placement.outcome import Placement
from modelplane.placement.reasons import SearchCutShort


class Fill:
    """The clusters that may take replicas, the best on top: fewest of this deployment, most free nodes after, name.

    Only the cluster that took a replica changes by it, so it alone is fitted again.
    """

    def __init__(self, clusters: Iterable[Cluster], fitter: Fitter, books: Books) -> None:
        self._fitter = fitter
        self._books = books
        self._clusters = {cluster.name: (cluster, fitter.layout(cluster)) for cluster in clusters}
        #: The clusters where the search was given up.
        self.cut: dict[str, SearchCutShort] = {}

    def place(self, count: int, kept: Sequence[Placement], own: Iterable[Held]) -> list[Placement]:
        """As many of `count` new replicas as fit. An index that any own replica has on a cluster is not taken again."""
        loads = Counter(placement.cluster for placement in kept)
        taken = {(held.cluster, held.index) for held in own}
        indices: dict[str, Iterator[int]] = {}
        heap: list[tuple[int, int, str, Fit]] = []
        for name in self._clusters:
            self._offer(heap, loads[name], name)
        placed: list[Placement] = []
        while heap and len(placed) < count:
            load, _, name, fit = heapq.heappop(heap)
            free = indices.setdefault(name, (i for i in itertools.count() if (name, i) not in taken))
            placed.append(Placement(name, next(free), self._fitter.placed(self._clusters[name][0], fit)))
            self._books.post(name, fit.accounts)
            self._offer(heap, load + 1, name)
        return placed

    def _offer(self, heap: list[tuple[int, int, str, Fit]], load: int, name: str) -> None:
        layout = self._clusters[name][1]
        fit = self._fitter.fit(layout, self._books.accounts(name))
        if isinstance(fit, SearchCutShort):
            self.cut[name] = fit
        elif fit is not None:
            heapq.heappush(heap, (load, -layout.free(fit.accounts), name, fit))
