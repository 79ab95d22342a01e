"""provider-kubernetes' Object: one manifest on another cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from modelplane.remote.config import ConfigRef

API_VERSION: Final = "kubernetes.m.crossplane.io/v1alpha1"

#: The remote object outlives its Object, because others may use it too.
ORPHAN: Final = ("Observe", "Create", "Update")


@dataclass(frozen=True, slots=True)
class Readiness:
    """When an Object counts as Ready; `query` is CEL over `object`, the remote object as observed."""

    policy: str
    query: str = ""

    def plain(self) -> dict[str, str]:
        """The Object's spec.readiness."""
        return {"policy": self.policy, **({"celQuery": self.query} if self.query else {})}


def _available(*more: str) -> str:
    """CEL: the condition Available is True, and so is all the rest; false, never an error, before status exists."""
    guards = (
        "has(object.status)",
        "has(object.status.conditions)",
        *more,
        'object.status.conditions.exists(c, c.type == "Available" && c.status == "True")',
    )
    return " && ".join(guards)


#: The remote object was made.
CREATED: Final = Readiness("SuccessfulCreate")
#: A Deployment whose controller has seen the latest spec and finds enough pods available.
DEPLOYMENT_AVAILABLE: Final = Readiness(
    "DeriveFromCelQuery",
    _available(
        "has(object.status.observedGeneration)", "object.status.observedGeneration >= object.metadata.generation"
    ),
)
#: A LeaderWorkerSet with all its groups ready. It has no observedGeneration (v0.8.0), so the condition may be that of
#: an older spec; the count of ready groups catches one that was scaled up since.
GANG_AVAILABLE: Final = Readiness(
    "DeriveFromCelQuery",
    _available("has(object.status.readyReplicas)", "object.status.readyReplicas >= object.spec.replicas"),
)
#: A Gateway with an address. By mere creation the Object would be Ready at once, and an address that comes later would
#: be seen only at the provider's next poll, ten minutes on.
ADDRESSED: Final = Readiness(
    "DeriveFromCelQuery",
    "has(object.status) && has(object.status.addresses) && size(object.status.addresses) > 0",
)


def wrap(
    manifest: Mapping[str, Any],
    config: ConfigRef,
    *,
    readiness: Readiness = CREATED,
    policies: Sequence[str] = (),
    watch: bool = True,
) -> dict[str, Any]:
    """The Object that keeps a manifest on the cluster of a provider config.

    Args:
        manifest: the remote object, whole. Its kind, namespace and name must not change under one composition key: the
            provider makes the new object and forgets the old one (provider-kubernetes issue 287).
        config: which cluster.
        readiness: when it counts as Ready.
        policies: management policies; empty leaves the provider's default, which is all of them.
        watch: follow the remote object by events instead of polling it; needs the provider's --enable-watches.
    """
    spec: dict[str, Any] = {
        "providerConfigRef": config.plain(),
        "readiness": readiness.plain(),
        "forProvider": {"manifest": manifest},
    }
    if policies:
        spec["managementPolicies"] = list(policies)
    if watch:
        spec["watch"] = True
    return {"apiVersion": API_VERSION, "kind": "Object", "spec": spec}
