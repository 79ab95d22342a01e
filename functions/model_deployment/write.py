"""Writes the children: a ModelReplica for each placement, a ModelEndpoint in front of each that serves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from modelplane.contract import labels, names
from modelplane.kit.seen import Thing
from modelplane.kit.view import View
from modelplane.placement.facts import Claim
from modelplane.placement.outcome import PlacedEngine, PlacedMember, Placement


def name(deployment: Thing, placement: Placement, child: Thing | None) -> str:
    """The name of a placement's objects; what exists under the key keeps its own, as Crossplane has it."""
    if child is not None:
        return child.name
    return names.replica(deployment.namespace, deployment.name, placement.cluster, placement.index)


def replica(deployment: Thing, placement: Placement, child: Thing | None, asked: str) -> dict[str, Any]:
    """The ModelReplica of a placement: the deployment's template with the placement resolved.

    Args:
        deployment: the composite.
        placement: where it goes.
        child: the replica as it exists, or None.
        asked: what the placement room wants remembered on it.
    """
    template = deployment.spec.view("template").view("spec")
    engines = {engine.text("name"): engine for engine in template.views("engines")}
    spec: dict[str, Any] = {"clusterName": placement.cluster}
    if cache := template.view("modelCacheRef").text("name"):
        spec["modelCacheRef"] = {"name": cache}
    if template.has("serving"):
        spec["serving"] = template.field("serving")
    spec["engines"] = [_engine(engines[placed.name], placed) for placed in placement.engines]
    metadata = _metadata(deployment, placement, name(deployment, placement, child))
    metadata["annotations"] = {labels.ASKED: asked}
    return {"apiVersion": labels.API_VERSION, "kind": "ModelReplica", "metadata": metadata, "spec": spec}


def endpoint(deployment: Thing, placement: Placement, child: Thing, gateway: str) -> dict[str, Any]:
    """The ModelEndpoint in front of a replica that exists, behind the gateway at that address."""
    path = f"/{deployment.namespace}/{child.name}/"
    return {
        "apiVersion": labels.API_VERSION,
        "kind": "ModelEndpoint",
        "metadata": _metadata(deployment, placement, child.name),
        "spec": {"url": f"http://{_host(gateway)}{path}v1", "rewritePath": path},
    }


def _host(address: str) -> str:
    """An address as a URL has it: IPv6 in brackets."""
    return f"[{address}]" if ":" in address and not address.startswith("[") else address


def _metadata(deployment: Thing, placement: Placement, named: str) -> dict[str, Any]:
    managed = {
        labels.DEPLOYMENT: names.label(deployment.name),
        labels.CLUSTER: names.label(placement.cluster),
        labels.REPLICA_INDEX: str(placement.index),
    }
    users = deployment.spec.view("template").view("metadata").pairs("labels")
    return {"name": named, "namespace": deployment.namespace, "labels": {**users, **managed}}


def _engine(wanted: View, placed: PlacedEngine) -> dict[str, Any]:
    members = zip(wanted.views("members"), placed.members, strict=True)
    engine: dict[str, Any] = {"name": placed.name, "copies": placed.copies}
    if phase := wanted.text("phase"):
        engine["phase"] = phase
    engine["members"] = [_member(member, where) for member, where in members]
    return engine


def _member(wanted: View, placed: PlacedMember) -> dict[str, Any]:
    member: dict[str, Any] = {"role": placed.role, "nodePoolName": placed.pool}
    if wanted.has("worker"):
        member["worker"] = {"nodes": wanted.view("worker").integer("nodes", 1)}
    if placed.claims:
        member["deviceRequests"] = [_request(claim) for claim in placed.claims]
    member["template"] = wanted.view("template").plain()
    return member


def _request(claim: Claim) -> Mapping[str, Any]:
    request: dict[str, Any] = {"name": claim.request, "deviceClassName": claim.device_class, "count": claim.count}
    if claim.selectors:
        request["selectors"] = [{"cel": text} for text in claim.selectors]
    return request
