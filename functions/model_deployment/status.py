"""The status of a deployment: where its replicas are, and why the missing ones are nowhere."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from model_deployment import keys, words, write
from modelplane.kit.seen import Child
from modelplane.kit.want import Want
from modelplane.placement.outcome import Placement, Plan
from modelplane.placement.reasons import Refusal

#: So many replicas and clusters are listed; the rest is counted. The limits of the XRD.
_PLACEMENTS: Final = 100
_REFUSALS: Final = 50
#: The most characters of a message.
_MESSAGE: Final = 512


def report(want: Want[Any], decided: Plan, ready: int, refusals: Sequence[Refusal]) -> dict[str, Any]:
    """The whole status but its conditions; `refusals` has one for each cluster, the most telling first.

    The children are written already.
    """
    placements = decided.placements
    status: dict[str, Any] = {
        "replicas": {"total": len(placements), "ready": ready, "unplaced": decided.short},
    }
    if placements:
        status["placements"] = [_placement(want, placement) for placement in placements[:_PLACEMENTS]]
    if len(placements) > _PLACEMENTS:
        status["placementsOmitted"] = len(placements) - _PLACEMENTS
    # A refusal of the demand as a whole has no cluster, and the condition tells it.
    listed = [refusal for refusal in refusals if refusal.cluster]
    if listed:
        status["refusals"] = [_refusal(refusal) for refusal in listed[:_REFUSALS]]
    if len(listed) > _REFUSALS:
        status["refusalsOmitted"] = len(listed) - _REFUSALS
    return status


def _placement(want: Want[Any], placement: Placement) -> dict[str, Any]:
    child = want.seen.children.get(keys.replica(placement.cluster, placement.index))
    pools = dict.fromkeys(member.pool for engine in placement.engines for member in engine.members)
    entry: dict[str, Any] = {
        "name": write.name(want.seen.composite, placement, child),
        "cluster": placement.cluster,
        "pools": [pool for pool in pools if pool],
        "ready": child is not None and child.ready,
    }
    if message := _message(placement, child, want.resources):
        entry["message"] = words.shortened(message, _MESSAGE)
    return entry


def _message(placement: Placement, child: Child | None, composed: Collection[str]) -> str:
    """Why a replica is not what is wanted; empty where it is."""
    if placement.blocked is not None:
        return placement.blocked.words()
    if child is None:
        return "being created"
    if child.ready:
        served = keys.endpoint(placement.cluster, placement.index) in composed
        return "" if served else "Ready, and not reachable: its cluster's gateway has no address"
    for kind in ("ModelAccepted", "ModelReady"):
        found = child.condition(kind)
        if found.status == "False":
            return ": ".join(filter(None, (found.reason, found.message)))
    return "not Ready yet"


def _refusal(refusal: Refusal) -> dict[str, Any]:
    entry: dict[str, Any] = {"cluster": refusal.cluster}
    if refusal.pool:
        entry["pool"] = refusal.pool
    entry["reason"] = refusal.reason
    entry["message"] = words.shortened(refusal.words(), _MESSAGE)
    entry["helpsIfFreed"] = refusal.helps_if_freed
    return entry
