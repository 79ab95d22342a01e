"""The accounts of the fleet, opened cluster by cluster when first asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from modelplane.placement.facts import Cluster, Held
from modelplane.placement.kinds import Catalogue
from modelplane.placement.ledger import Account, open_accounts


class Books:
    """Who is on each cluster, and what its pools have promised. Every replica is charged, whoever owns it."""

    def __init__(self, clusters: Mapping[str, Cluster], held: Iterable[Held], catalogue: Catalogue) -> None:
        self._clusters = clusters
        self._on: dict[str, list[Held]] = {}
        self._catalogue = catalogue
        self._accounts: dict[str, tuple[Account, ...]] = {}
        for replica in held:
            self._on.setdefault(replica.cluster, []).append(replica)

    def on(self, cluster: str) -> Sequence[Held]:
        """The replicas on the cluster, of every deployment."""
        return self._on.get(cluster, ())

    def accounts(self, cluster: str) -> tuple[Account, ...]:
        """The accounts of the cluster's pools, in their order; empty for a cluster that is unknown."""
        found = self._accounts.get(cluster)
        if found is None:
            known = self._clusters.get(cluster)
            found = self._accounts[cluster] = open_accounts(known, self.on(cluster), self._catalogue) if known else ()
        return found

    def post(self, cluster: str, accounts: tuple[Account, ...]) -> None:
        """Enter what the cluster's pools have promised now."""
        self._accounts[cluster] = accounts

    def positions(self, cluster: str) -> dict[str, int]:
        """Each pool's position in the accounts; of two pools with one name, the first."""
        known = self._clusters.get(cluster)
        return {pool.name: i for i, pool in reversed(tuple(enumerate(known.pools)))} if known else {}
