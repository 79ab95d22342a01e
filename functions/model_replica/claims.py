"""ResourceClaimTemplates: what each pod of a member claims."""

from __future__ import annotations

import json
from typing import Any, Final

from model_replica.read import DeviceRequest, Engine, Member, Replica
from modelplane.contract import names
from modelplane.kit.view import View

API_VERSION: Final = "resource.k8s.io/v1"
#: The prefix of the composition keys of claim templates.
PREFIX: Final = "claims-"


def name(replica: Replica, engine: Engine, member: Member) -> str:
    """The template's name. It covers the content.

    A claim template is immutable; under an unchanged name an edit would be refused for ever, and as the pod template
    would not change either, it would never reach a pod.
    """
    content = json.dumps([_plain(request) for request in member.requests], sort_keys=True)
    return names.name(replica.name, engine.name, member.role, hidden=(content,))


def key(replica: Replica, engine: Engine, member: Member) -> str:
    """The composition key. It covers the content too: an Object whose manifest is renamed forgets the old one."""
    return f"{PREFIX}{member.role.lower()}-{engine.name}-{name(replica, engine, member).rpartition('-')[2]}"


def write(replica: Replica, engine: Engine, member: Member) -> dict[str, Any]:
    """The claim template of a member that has device requests."""
    metadata = {"name": name(replica, engine, member), "namespace": names.tenant_namespace(replica.namespace)}
    requests = [_plain(request) for request in member.requests]
    return {
        "apiVersion": API_VERSION,
        "kind": "ResourceClaimTemplate",
        "metadata": metadata,
        "spec": {"spec": {"devices": {"requests": requests}}},
    }


def wanted(replica: Replica) -> frozenset[str]:
    """The names of all claim templates of a replica."""
    return frozenset(name(replica, e, member) for e in replica.engines for member in e.members if member.requests)


def named_in(workload: View) -> frozenset[str]:
    """The claim templates that the pods of a Deployment or LeaderWorkerSet, as observed, are made with."""
    spec = workload.view("spec")
    gang = spec.view("leaderWorkerTemplate")
    templates = (spec.view("template"), gang.view("leaderTemplate"), gang.view("workerTemplate"))
    pods = (template.view("spec") for template in templates)
    return frozenset(claim.text("resourceClaimTemplateName") for pod in pods for claim in pod.views("resourceClaims"))


def _plain(request: DeviceRequest) -> dict[str, Any]:
    exactly: dict[str, Any] = {"deviceClassName": request.device_class, "count": request.count}
    if request.selectors:
        exactly["selectors"] = [{"cel": {"expression": text}} for text in request.selectors]
    return {"name": request.name, "exactly": exactly}
