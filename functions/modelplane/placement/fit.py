"""Whether and how a whole replica fits a cluster: an exhaustive search over engines and pools, with a step bound.

An engine goes wholly onto one pool; engines may go to different ones. Pools where more of an engine's members claim
come first, then the published order: a member is left without a claim only where nothing better has room.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Final, NamedTuple

from modelplane.placement.facts import Allocation, Claim, Cluster, Engine
from modelplane.placement.kinds import Catalogue, Kinds
from modelplane.placement.ledger import Account, Load, Loads
from modelplane.placement.match import Match, Matcher
from modelplane.placement.outcome import PlacedEngine, PlacedMember, Steps
from modelplane.placement.pool_reasons import DeviceRefusal, NothingClaimable
from modelplane.placement.reasons import Refusal, SearchCutShort

#: Choices of a pool for an engine that are tried in one cluster for one replica, and in all of a plan before patience
#: ends: from there on `BRIEF` are tried in a cluster, so that no demand makes a plan take long.
LIMIT: Final = 20_000
PATIENCE: Final = 400_000
BRIEF: Final = 200


class Offer(NamedTuple):
    """One way to put an engine on a pool: the claims of each member, what that promises, and how many members claim."""

    claims: tuple[tuple[Claim, ...], ...]
    loads: Loads
    claiming: int


class Hosting(NamedTuple):
    """An offer on the pool at a position of a cluster."""

    position: int
    offer: Offer


class Layout(NamedTuple):
    """What fitting needs to know of a cluster; equal for clusters whose pools have like devices in one order.

    `hostings` has for each engine the ways to host it, best first. `hosts` are the positions that host any engine,
    those together that host the same engines in the same ways and so are interchangeable.
    """

    hostings: tuple[tuple[Hosting, ...], ...]
    hosts: tuple[tuple[int, ...], ...]

    def free(self, accounts: tuple[Account, ...]) -> int:
        """Free nodes of the pools that host any engine."""
        return sum(accounts[position].free for group in self.hosts for position in group)


class Fit(NamedTuple):
    """A replica's arrangement on a cluster, an entry for each engine, and the cluster's accounts with it promised."""

    hostings: tuple[Hosting, ...]
    accounts: tuple[Account, ...]


class Fitter:
    """The engines of one demand, with the answers that hold for the whole plan."""

    def __init__(self, engines: tuple[Engine, ...], catalogue: Catalogue, steps: Steps) -> None:
        self.engines = engines
        self.catalogue = catalogue
        self.steps = steps
        self._matcher = matcher = Matcher(steps)
        self._asking = [[matcher.asking(member.requests) for member in engine.members] for engine in engines]
        self._offers: dict[tuple[int, int, Allocation], tuple[Offer, ...] | Refusal] = {}
        self._layouts: dict[tuple[tuple[int, Allocation], ...], Layout] = {}

    def offers(self, e: int, kinds: Kinds, allocation: Allocation) -> tuple[Offer, ...] | Refusal:
        """The ways to put the e-th engine on an empty pool of such devices, best first, or why there is none."""
        key = (e, kinds.number, allocation)
        found = self._offers.get(key)
        if found is None:
            found = self._offers[key] = self._offer(e, kinds, every=allocation == "Device")
        return found

    def member(self, e: int, m: int, kinds: Kinds, *, every: bool) -> tuple[Match, ...] | Refusal:
        """The ways to meet the requests of the m-th member of the e-th engine, or why there is none."""
        return self._matcher.matches(self._asking[e][m], self.engines[e].members[m].requests, kinds, every=every)

    def layout(self, cluster: Cluster) -> Layout:
        """The cluster's layout, shared by all clusters that have the same."""
        kinds = [self.catalogue.kinds(pool.devices) for pool in cluster.pools]
        key = tuple((k.number, pool.allocation) for k, pool in zip(kinds, cluster.pools, strict=True))
        found = self._layouts.get(key)
        if found is None:
            hostings = tuple(tuple(self._hostings(e, cluster, kinds)) for e in range(len(self.engines)))
            found = self._layouts[key] = Layout(hostings, _alike(hostings))
        return found

    def fit(self, layout: Layout, accounts: tuple[Account, ...]) -> Fit | SearchCutShort | None:
        """The best arrangement with this much promised; None where there is none."""
        self.steps.fitted += 1
        if not all(layout.hostings):
            return None
        limit = LIMIT if self.steps.tried < PATIENCE else BRIEF
        search = _Search(layout, limit)
        found = search.run(0, accounts, ())
        self.steps.tried += search.steps
        return SearchCutShort(steps=limit) if found is None and search.steps > limit else found

    def placed(self, cluster: Cluster, fit: Fit) -> tuple[PlacedEngine, ...]:
        """The arrangement in the words of a placement."""
        return tuple(
            placed(engine, tuple((cluster.pools[position].name, claims) for claims in offer.claims))
            for engine, (position, offer) in zip(self.engines, fit.hostings, strict=True)
        )

    def _offer(self, e: int, kinds: Kinds, *, every: bool) -> tuple[Offer, ...] | Refusal:
        engine = self.engines[e]
        ways: list[tuple[Match, ...]] = []
        for m, member in enumerate(engine.members):
            found = self.member(e, m, kinds, every=every)
            if isinstance(found, Refusal):
                return _about(found, engine.name, member.role)
            ways.append(found)
        if not any(matches[0].claims for matches in ways):
            return NothingClaimable(engine=engine.name)
        return tuple(
            Offer(
                claims=tuple(match.claims for match in choice),
                loads=tuple(
                    Load(member.pods * engine.copies, match.shape)
                    for member, match in zip(engine.members, choice, strict=True)
                    if match.claims
                ),
                claiming=sum(bool(match.claims) for match in choice),
            )
            for choice in product(*ways)
        )

    def _hostings(self, e: int, cluster: Cluster, kinds: list[Kinds]) -> list[Hosting]:
        found: list[Hosting] = []
        for position, pool in enumerate(cluster.pools):
            offers = self.offers(e, kinds[position], pool.allocation)
            if not isinstance(offers, Refusal):
                found.extend(Hosting(position, offer) for offer in offers)
        return sorted(found, key=lambda hosting: (-hosting.offer.claiming, hosting.position))


class _Search:
    """Depth first over the engines; the first full arrangement wins."""

    def __init__(self, layout: Layout, limit: int) -> None:
        self.steps = 0
        self._limit = limit
        self._hostings, self._hosts = layout
        # From which engine on and with which accounts nothing was found; interchangeable pools as a multiset.
        self._dead: set[tuple[object, ...]] = set()

    def run(self, e: int, accounts: tuple[Account, ...], chosen: tuple[Hosting, ...]) -> Fit | None:
        """The first arrangement of the engines from the e-th on."""
        if e == len(self._hostings):
            return Fit(chosen, accounts)
        state = (e, *self._state(accounts)) if e else ()
        if state in self._dead:
            return None
        for hosting in self._hostings[e]:
            self.steps += 1
            if self.steps > self._limit:
                return None
            position, offer = hosting
            after = accounts[position].take(offer.loads)
            if after is not None:
                promised = (*accounts[:position], after, *accounts[position + 1 :])
                found = self.run(e + 1, promised, (*chosen, hosting))
                if found is not None:
                    return found
        self._dead.add(state)
        return None

    def _state(self, accounts: tuple[Account, ...]) -> Iterator[object]:
        for positions in self._hosts:
            yield tuple(sorted(accounts[position].key for position in positions))


def _alike(hostings: tuple[tuple[Hosting, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """The positions that host anything, those together that have the same offers for every engine."""
    offers: dict[int, list[tuple[int, Offer]]] = {}
    for e, each in enumerate(hostings):
        for position, offer in each:
            offers.setdefault(position, []).append((e, offer))
    groups: dict[tuple[tuple[int, Offer], ...], list[int]] = {}
    for position in sorted(offers):
        groups.setdefault(tuple(offers[position]), []).append(position)
    return tuple(tuple(group) for group in groups.values())


def placed(engine: Engine, where: tuple[tuple[str, tuple[Claim, ...]], ...]) -> PlacedEngine:
    """The engine with a pool and claims for each of its members."""
    return PlacedEngine(
        engine.name,
        engine.copies,
        tuple(
            PlacedMember(member.role, pool, member.pods, claims)
            for member, (pool, claims) in zip(engine.members, where, strict=True)
        ),
    )


def _about(refusal: Refusal, engine: str, role: str) -> Refusal:
    return replace(refusal, engine=engine, role=role) if isinstance(refusal, DeviceRefusal) else refusal
