"""Says how a deployment stands: its conditions, its status, and an event where something changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from model_deployment import keys, status, words, write
from model_deployment.demand import Fault
from modelplane.contract.conditions import REPLICAS_CURRENT, REPLICAS_READY, REPLICAS_SCHEDULED, Condition
from modelplane.kit.want import Want
from modelplane.placement.facts import Demand
from modelplane.placement.outcome import Placement, Plan
from modelplane.placement.reasons import Refusal

#: The most characters of a compiler's message.
_MESSAGE: Final = 512
#: Placing and a cache that is missing have events of their own.
_TOLD_ELSEWHERE: Final = frozenset({"Scheduling", "PlacementHeld"})


@dataclass(frozen=True, slots=True)
class Tally:
    """How many replicas are wanted, have a cluster, exist, and are Ready; and the refusals, one a cluster."""

    wanted: int
    placed: int
    observed: int
    ready: int
    refusals: tuple[Refusal, ...]


# --- Where nothing could be decided


def invalid(want: Want[Any], faults: tuple[Fault, ...]) -> None:
    """Some selectors do not compile."""
    first, *others = (fault.words() for fault in faults)
    more = f" (and {words.count(len(others), 'more selector')})" if others else ""
    _tell(want, REPLICAS_SCHEDULED("InvalidNodeSelector", words.shortened(first, _MESSAGE) + more))
    want.condition(REPLICAS_CURRENT("InvalidNodeSelector", "spec is not applied until the selector compiles"))
    _undecided_ready(want)


def unresolved(want: Want[Any]) -> None:
    """The fleet was not fetched yet."""
    text = "the InferenceClusters and ModelReplicas have not been read yet"
    want.condition(REPLICAS_SCHEDULED("FleetUnresolved", text))
    want.condition(REPLICAS_CURRENT("FleetUnresolved", text))
    _undecided_ready(want)


def no_clusters(want: Want[Any], wanted: Demand) -> None:
    """The fleet is empty."""
    kept = _observed(want)
    text = f"{len(kept)} of {wanted.replicas}; the fleet has no InferenceCluster"
    _tell(want, REPLICAS_SCHEDULED("NoClusters", text))
    want.condition(REPLICAS_CURRENT("FleetUnresolved", text))
    _undecided_ready(want)


def _observed(want: Want[Any]) -> list[bool]:
    """Whether each composed replica that exists is Ready."""
    return [child.ready for key, child in want.seen.children.items() if keys.identity(key)]


def _undecided_ready(want: Want[Any]) -> None:
    """ReplicasReady by what exists, since what is wanted could not be placed."""
    wanted = max(0, want.seen.composite.spec.integer("replicas"))
    observed = _observed(want)
    want.condition(_ready(Tally(wanted, len(observed), len(observed), sum(observed), ()), terminating=0))


# --- Where a plan was made


def planned(want: Want[Any], wanted: Demand, decided: Plan, existing: int) -> None:
    """Conditions, status and events of a plan; `existing` counts the deployment's replicas that are not gone."""
    placements = decided.placements
    children = [want.seen.children.get(keys.replica(p.cluster, p.index)) for p in placements]
    tally = Tally(
        wanted=wanted.replicas,
        placed=len(placements),
        observed=sum(child is not None for child in children),
        ready=sum(child is not None and child.ready for child in children),
        refusals=words.ranked(decided.why),
    )
    scheduled = _scheduled(wanted, tally, placements)
    ready = _ready(tally, terminating=existing if not wanted.replicas else 0)
    _tell(want, scheduled)
    want.condition(_current(wanted, placements))
    want.condition(ready)
    _tell_placed(want, decided.placed)
    want.set_status(status.report(want, decided, tally.ready, tally.refusals))
    # A replica that nothing can reach does not serve, so the endpoints count too.
    reachable = all(want.is_ready(keys.endpoint(p.cluster, p.index)) for p in placements)
    want.composite_ready = scheduled.status == "True" and ready.status == "True" and reachable


def _tell(want: Want[Any], condition: Condition) -> None:
    """State ReplicasScheduled; where its reason is a new one, one event says so, and what to do about it."""
    want.condition(condition)
    before = want.seen.composite.condition(condition.type).reason
    if condition.reason == before or condition.reason in _TOLD_ELSEWHERE:
        return
    remedy = next(reason.remedy for reason in REPLICAS_SCHEDULED.reasons if reason.name == condition.reason)
    text = ". ".join(filter(None, (condition.message, remedy)))
    want.event(condition.reason, text, warning=condition.status == "False")


def _scheduled(wanted: Demand, tally: Tally, placements: tuple[Placement, ...]) -> Condition:
    counted = f"{tally.placed} of {tally.wanted}"
    if wanted.paused and tally.placed != tally.wanted:
        return REPLICAS_SCHEDULED("Paused", f"{counted}; spec.paused is true")
    if not tally.wanted:
        return REPLICAS_SCHEDULED("ScaledToZero", "spec.replicas is 0")
    if tally.placed < tally.wanted:
        return _short(wanted, tally, counted)
    if tally.observed < tally.placed:
        missing = words.count(tally.placed - tally.observed, "ModelReplica")
        return REPLICAS_SCHEDULED("Scheduling", f"{counted}; {missing} being created")
    return REPLICAS_SCHEDULED("ReplicasCreated", f"{counted} on {_clusters(placements)}")


def _short(wanted: Demand, tally: Tally, counted: str) -> Condition:
    if wanted.hold:
        return REPLICAS_SCHEDULED("PlacementHeld", f"{counted}; {wanted.hold}")
    headline = tally.refusals[0].condition if tally.refusals else "InsufficientCapacity"
    reason = "PartiallyScheduled" if tally.placed else headline
    return REPLICAS_SCHEDULED(reason, "; ".join(filter(None, (counted, words.sentence(tally.refusals)))))


def _current(wanted: Demand, placements: tuple[Placement, ...]) -> Condition:
    if wanted.paused:
        return REPLICAS_CURRENT("Paused", "spec.paused is true")
    blocked = [p.blocked for p in placements if p.blocked is not None]
    if not blocked:
        return REPLICAS_CURRENT("AllCurrent")
    text = f"{len(blocked)} of {words.count(len(placements), 'replica')} not reshaped; {words.sentence(blocked)}"
    return REPLICAS_CURRENT("GrowthBlocked", text)


def _ready(tally: Tally, *, terminating: int) -> Condition:
    if not tally.wanted:
        if terminating:
            return REPLICAS_READY("ReplicasTerminating", f"{words.count(terminating, 'replica')} not gone yet")
        return REPLICAS_READY("ScaledToZero")
    if not tally.placed:
        return REPLICAS_READY("NoReplicasScheduled", f"0 of {tally.wanted} ready")
    reason = "AllReplicasReady" if tally.ready >= tally.wanted else "ModelStarting"
    return REPLICAS_READY(reason, f"{tally.ready} of {tally.wanted} ready")


def _clusters(placements: tuple[Placement, ...]) -> str:
    return words.listed(sorted({placement.cluster for placement in placements}))


def _tell_placed(want: Want[Any], placed: tuple[Placement, ...]) -> None:
    """One event for the new placements that were not reported yet: they are new until their objects are observed."""
    reported = {view.text("name") for view in want.seen.composite.status.views("placements")}
    new = tuple(p for p in placed if write.name(want.seen.composite, p, None) not in reported)
    if new:
        want.event("Placed", f"placed {words.count(len(new), 'replica')} on {_clusters(new)}")
