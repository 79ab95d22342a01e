"""Builders of small worlds, and short spellings of plans to compare them with.

Selectors here are a toy: ``KEY OP VALUE`` over a device's capacity and attributes, with whole numbers or words. The
core never looks inside a selector, so that is all it takes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final

from modelplane.placement.facts import (
    Allocation,
    Claim,
    Cluster,
    Demand,
    Device,
    Engine,
    Held,
    LabelRule,
    Member,
    Owner,
    Pin,
    Pool,
    Request,
    Taint,
    Toleration,
    Unmet,
    World,
)
from modelplane.placement.keep import asked
from modelplane.placement.outcome import Placement, Plan
from modelplane.value.device import Attribute, Facts

SONNET = Owner("ml", "sonnet")
HAIKU = Owner("ml", "haiku")

#: How often each (selectors, facts) was evaluated; a test that counts clears it first.
EVALUATED: Counter[tuple[tuple[str, ...], Facts]] = Counter()


OPERATORS: Final[dict[str, Callable[[str, str], bool]]] = {
    "==": lambda found, wanted: found == wanted,
    ">=": lambda found, wanted: int(found) >= int(wanted),
    "<": lambda found, wanted: int(found) < int(wanted),
}


def accepts(selectors: tuple[str, ...], facts: Facts) -> Unmet | None:
    EVALUATED[selectors, facts] += 1
    values = dict(facts.capacity) | {name: str(value) for name, (_, value) in facts.attributes}
    for i, text in enumerate(selectors):
        key, op, wanted = text.split()
        found = values.get(key)
        if found is None:
            return Unmet(i, text, error=f"no such key: {key}")
        holds = OPERATORS[op](found, wanted)
        if not holds:
            return Unmet(i, text, found=f"{key} = {found}")
    return None


def ask(*selectors: str, name: str = "gpu", count: int = 1) -> Request:
    return Request(name, count, selectors, partial(accepts, selectors))


def kind(
    name: str = "acc", memory: int = 96, count: int = 1, cls: str = "acc", *, synthetic: bool = False, **words: str
) -> Device:
    """A kind of device with `memory` Gi and string attributes."""
    attributes: tuple[tuple[str, Attribute], ...] = tuple((key, ("string", words[key])) for key in sorted(words))
    facts = Facts(f"{cls}.acme.io", attributes, (("memory", str(memory)),))
    return Device(name, facts, count, "" if synthetic else cls, claimable=not synthetic)


def pool(name: str, nodes: int, *kinds: Device, allocation: Allocation = "Node") -> Pool:
    return Pool(name, nodes, kinds or (kind(),), allocation)


def cluster(
    name: str,
    *pools: Pool,
    ready: bool = True,
    gateway: str | None = None,
    taints: tuple[Taint, ...] = (),
    terminating: bool = False,
    **labels: str,
) -> Cluster:
    """A cluster that is Ready behind a gateway unless said otherwise."""
    address = f"{name}.example.org" if gateway is None else gateway
    unready = "" if ready else "Provisioning: not yet"
    return Cluster(name, tuple(sorted(labels.items())), pools, taints, address, unready, terminating)


def no_schedule(key: str = "maint", value: str = "") -> Taint:
    return Taint(key, "NoSchedule", value)


def no_execute(key: str = "maint", value: str = "") -> Taint:
    return Taint(key, "NoExecute", value)


BIG = ask("memory >= 80")
NONE = ()


def alone(*requests: Request, name: str = "main", copies: int = 1) -> Engine:
    """One Standalone; with no request given, one device of at least 80Gi."""
    return Engine(name, copies, (Member("Standalone", 1, requests or (BIG,)),))


def gang(
    workers: int,
    leader: tuple[Request, ...] = (BIG,),
    worker: tuple[Request, ...] = (BIG,),
    name: str = "main",
    copies: int = 1,
) -> Engine:
    """A Leader and its Workers."""
    return Engine(name, copies, (Member("Leader", 1, leader), Member("Worker", workers, worker)))


def demand(
    replicas: int,
    *engines: Engine,
    owner: Owner = SONNET,
    tolerations: tuple[Toleration, ...] = (),
    selector: tuple[LabelRule, ...] = (),
    hold: str = "",
    paused: bool = False,
) -> Demand:
    return Demand(owner, replicas, engines or (alone(),), tolerations, selector, hold, paused)


def key_of(owner: Owner, cluster_name: str, index: int) -> str:
    return f"{owner.name}-{cluster_name}-{index}"


def held(
    where: str,
    *engines: Engine,
    pools: str = "p",
    owner: Owner = SONNET,
    key: str | None = None,
    classes: str = "acc",
    remembers: bool = True,
    **fields: Any,
) -> Held:
    """A replica of such engines at "cluster/index", every request of it claimed.

    `pools` has one pool, or one for each member over all engines. `remembers` says whether what was asked is recorded.
    """
    name, _, index = where.partition("/")
    members = [(engine, member) for engine in engines or (alone(),) for member in engine.members]
    pinned = pools.split() if " " in pools else [pools] * len(members)
    pins = tuple(
        Pin(
            engine.name,
            member.role,
            pool_name,
            member.pods,
            engine.copies,
            tuple(Claim(r.name, classes, r.count, r.selectors) for r in member.requests if r.name != "nic"),
        )
        for (engine, member), pool_name in zip(members, pinned, strict=True)
    )
    known = asked(engines or (alone(),)) if remembers else ""
    base = Held(owner, key or key_of(owner, name, int(index)), name, int(index), pins, ready=True, asked=known)
    return replace(base, **fields)


def world(*parts: Cluster | Held) -> World:
    return World(
        tuple(part for part in parts if isinstance(part, Cluster)),
        tuple(part for part in parts if isinstance(part, Held)),
    )


# --- Plans in short


def spot(placement: Placement) -> str:
    return f"{placement.cluster}/{placement.index}"


def spots(plan: Plan) -> str:
    """Where all replicas are: "lima/0 oslo/1"."""
    return " ".join(spot(placement) for placement in plan.placements)


def new(plan: Plan) -> str:
    return " ".join(spot(placement) for placement in plan.placed)


def kept(plan: Plan) -> str:
    return " ".join(spot(placement) for placement in plan.kept)


def dropped(plan: Plan) -> str:
    """What goes and why: "lima/0 Evicted"."""
    return ", ".join(f"{d.held.cluster}/{d.held.index} {d.cause.reason}" for d in plan.dropped)


def pinned(placement: Placement) -> str:
    """Where the members are: "S@p" or "L@p~ W@p", where ~ claims nothing."""
    return " ".join(
        f"{member.role[0]}@{member.pool}{'' if member.claims else '~'}"
        for engine in placement.engines
        for member in engine.members
    )


def reasons(plan: Plan) -> str:
    """Who refuses and why: "lima/p TooFewNodes", the demand itself as "-"."""
    return ", ".join(f"{(r.cluster + (f'/{r.pool}' if r.pool else '')) or '-'} {r.reason}" for r in plan.why)


def after(plan: Plan, before: World, owner: Owner = SONNET, **fields: Any) -> World:
    """The world when the plan was carried out and what it dropped is gone."""
    others = tuple(h for h in before.held if h.owner != owner)
    own = [realised(p, owner, plan.asked, **fields) for p in plan.placements]
    return World(before.clusters, (*others, *own))


def realised(placement: Placement, owner: Owner, known: str, **fields: Any) -> Held:
    """The replica of a placement: a kept one with its shape, a new one that was never Ready."""
    if placement.held is not None:
        return placement.held if placement.blocked else replace(placement.held, pins=placement.pins, asked=known)
    key = key_of(owner, placement.cluster, placement.index)
    fresh = Held(
        owner, key, placement.cluster, placement.index, placement.pins, asked=known, created="2026-12-01T00:00:00Z"
    )
    return replace(fresh, **fields)
