"""Which own replicas stay, and in which shape: all but those that an explicit decision removes.

What a cluster fails to say is no decision: a replica stays on a cluster that is not Ready, has no gateway, is full, or
publishes nothing. Nor is a drift of the published devices: a replica whose requests nobody edited keeps its claims.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from modelplane.placement.drops import (
    Cause,
    ClusterGone,
    ClusterTerminating,
    DevicesChanged,
    Duplicate,
    Evicted,
    PoolGone,
    ShapeChanged,
    Terminating,
)
from modelplane.placement.facts import Claim, Cluster, Demand, Engine, Held, Member, Pin, Pool
from modelplane.placement.fit import Fitter, placed
from modelplane.placement.ledger import shape_of
from modelplane.placement.outcome import Dropped, PlacedEngine, PlacedMember
from modelplane.placement.pool_reasons import DeviceRefusal, NothingClaimable, Unpublished
from modelplane.placement.reasons import Refusal
from modelplane.placement.screen import untolerated


class Kept(NamedTuple):
    """A replica that stays: the wanted engines on its pools, or why the wanted shape is not known."""

    held: Held
    engines: tuple[PlacedEngine, ...]
    blocked: Refusal | None = None


def asked(engines: Iterable[Engine]) -> str:
    """The device requests of a demand in a short form: equal requests give equal text, on any machine and day."""
    parts: list[str] = []
    for engine in sorted(engines, key=lambda engine: engine.name):
        for member in engine.members:
            parts += [engine.name, member.role, str(len(member.requests))]
            for request in member.requests:
                parts += [request.name, str(request.count), str(len(request.selectors)), *request.selectors]
    framed = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(framed.encode()).hexdigest()[:16]


def keep(
    own: Sequence[Held], demand: Demand, clusters: Mapping[str, Cluster], fitter: Fitter
) -> tuple[list[Kept], list[Dropped]]:
    """The own replicas, in this order, that stay and that do not."""
    judge = _Judge(demand, clusters, fitter)
    kept: list[Kept] = []
    dropped: list[Dropped] = []
    first: dict[tuple[str, int], str] = {}
    for held in own:
        other = first.get((held.cluster, held.index))
        found = judge.verdict(held) if other is None or held.terminating else Duplicate(other)
        if isinstance(found, Kept):
            first[held.cluster, held.index] = held.key
            kept.append(found)
        else:
            dropped.append(Dropped(held, found))
    return kept, dropped


def observed(held: Held) -> tuple[PlacedEngine, ...]:
    """The engines that the replica has, as its pins say."""
    return tuple(
        PlacedEngine(name, pins[0].copies, tuple(PlacedMember(p.role, p.pool, p.pods, p.claims) for p in pins))
        for name, pins in _by_engine(held).items()
    )


class _Judge:
    """Says of each replica whether it stays."""

    def __init__(self, demand: Demand, clusters: Mapping[str, Cluster], fitter: Fitter) -> None:
        self._demand = demand
        self._clusters = clusters
        self._fitter = fitter
        self._engines = {engine.name: (e, engine) for e, engine in enumerate(demand.engines)}
        self._wanted = tuple((e.name, tuple(member.role for member in e.members)) for e in demand.engines)
        self._asked = asked(demand.engines)

    def verdict(self, held: Held) -> Kept | Cause:
        if held.terminating:
            return Terminating()
        cluster = self._clusters.get(held.cluster)
        if cluster is None:
            return ClusterGone(held.cluster) if self._clusters else self._shaped(held, None)
        if cluster.terminating:
            return ClusterTerminating(cluster.name)
        taint = untolerated(cluster, self._demand.tolerations, "NoExecute")
        if taint is not None:
            return Evicted(cluster.name, taint.key, taint.value)
        return self._shaped(held, cluster)

    def _shaped(self, held: Held, cluster: Cluster | None) -> Kept | Cause:
        """Compare the engines, then the pools; a cluster that publishes none, or is unknown, says nothing of them."""
        by_engine = _by_engine(held)
        was = tuple((name, tuple(pin.role for pin in pins)) for name, pins in by_engine.items())
        if sorted(was) != sorted(self._wanted):
            return ShapeChanged(was, self._wanted)
        if cluster is None or not cluster.pools:
            edited = any(self._edited(held, name, pins) for name, pins in by_engine.items())
            stamped = tuple(self._stamped(name, pins) for name, pins in by_engine.items())
            return Kept(held, stamped, Unpublished(cluster=held.cluster) if edited else None)
        pools = {pool.name: pool for pool in reversed(cluster.pools)}
        engines: list[PlacedEngine] = []
        blocked: Refusal | None = None
        for name, pins in by_engine.items():
            gone = next((pin for pin in pins if pin.pool not in pools), None)
            if gone is not None:
                return PoolGone(cluster.name, gone.pool)
            claims = self._claims(name, pins, pools)
            if isinstance(claims, Refusal):
                if self._edited(held, name, pins):
                    refusal = replace(claims, cluster=cluster.name)
                    if isinstance(refusal, DeviceRefusal):
                        return DevicesChanged(refusal)
                    blocked = refusal
                claims = tuple(pin.claims for pin in pins)
            engines.append(self._engine(name, pins, claims))
        return Kept(held, tuple(engines), blocked)

    def _claims(self, name: str, pins: list[Pin], pools: Mapping[str, Pool]) -> tuple[tuple[Claim, ...], ...] | Refusal:
        """What each member claims on the pool that it is on, by the current spec; as before where there is a choice."""
        e = self._engines[name][0]
        claims: list[tuple[Claim, ...]] = []
        for m, pin in enumerate(pins):
            pool = pools[pin.pool]
            found = self._fitter.member(e, m, self._fitter.catalogue.kinds(pool.devices), every=True)
            if isinstance(found, Refusal):
                return replace(found, pool=pool.name)
            was = shape_of(pin.claims)
            claims.append(next((match.claims for match in found if match.shape == was), found[0].claims))
        return tuple(claims) if any(claims) else NothingClaimable(pool=pins[0].pool, engine=name)

    def _edited(self, held: Held, name: str, pins: list[Pin]) -> bool:
        """Whether the user edited the requests since the replica was written.

        Where that was not recorded, the claims tell: one that no longer answers a request of its name is an edit. A
        request without a claim may be one that a Synthetic kind met, so it is none.
        """
        if held.asked:
            return held.asked != self._asked
        members = self._engines[name][1].members
        return any(_outdated(pin, member) for pin, member in zip(pins, members, strict=True))

    def _stamped(self, name: str, pins: list[Pin]) -> PlacedEngine:
        return self._engine(name, pins, tuple(pin.claims for pin in pins))

    def _engine(self, name: str, pins: list[Pin], claims: tuple[tuple[Claim, ...], ...]) -> PlacedEngine:
        where = tuple((pin.pool, claim) for pin, claim in zip(pins, claims, strict=True))
        return placed(self._engines[name][1], where)


def _outdated(pin: Pin, member: Member) -> bool:
    wanted = {request.name: (request.count, request.selectors) for request in member.requests}
    return any(wanted.get(claim.request) != (claim.count, claim.selectors) for claim in pin.claims)


def _by_engine(held: Held) -> dict[str, list[Pin]]:
    """The pins of each engine, in the order observed."""
    found: dict[str, list[Pin]] = {}
    for pin in held.pins:
        found.setdefault(pin.engine, []).append(pin)
    return found
