"""How a cluster stands: conditions and status."""

from __future__ import annotations

from typing import Any

from inference_cluster import write
from inference_cluster.pools import Pools
from modelplane.contract import labels
from modelplane.contract.conditions import BACKEND_READY, CLUSTER_READY, Condition
from modelplane.kit.seen import Seen
from modelplane.remote.infrastructure import ClusterFacts


def cluster_ready(facts: ClusterFacts, pools: Pools) -> Condition:
    """Whether the cluster and all its pools can be counted on."""
    if pools.pending:
        return CLUSTER_READY("ClassesUnresolved", f"waiting to read InferenceClasses {', '.join(pools.pending)}")
    if pools.missing:
        gone = ", ".join(pools.missing)
        return CLUSTER_READY("WaitingForClasses", f"no InferenceClass {gone}; pools that were published stay published")
    if pools.invalid:
        return CLUSTER_READY("InvalidNodePool", "; ".join(pools.invalid))
    if not facts.ready:
        return CLUSTER_READY("Provisioning", "the cluster does not exist yet, or is not Ready")
    return CLUSTER_READY("ClusterRunning", f"pools published: {len(pools.published)}")


def backend_ready(seen: Seen[Any], facts: ClusterFacts, address: str) -> Condition:
    """Whether the serving stack is up and requests can reach the cluster."""
    stack = seen.children.get(write.STACK)
    if stack is None and facts.kubeconfig is None:
        return BACKEND_READY("WaitingForCluster", "the cluster's credentials are not known yet")
    if stack is None:
        return BACKEND_READY("Installing", "the ServingStack has not been made yet")
    if not stack.ready:
        return BACKEND_READY("Installing", f"ServingStack {stack.name} is not Ready")
    if not address:
        return BACKEND_READY("Installing", f"the gateway of ServingStack {stack.name} has no address")
    return BACKEND_READY("BackendHealthy", f"requests reach the cluster at {address}")


def gateway_address(seen: Seen[Any]) -> str:
    """The gateway's address as the stack reports it, or as last published while the stack reports none."""
    stack = seen.children.get(write.STACK)
    reported = stack.status.view("gateway").text("address") if stack is not None else ""
    return reported or seen.composite.status.view("gateway").text("address")


def status(seen: Seen[Any], facts: ClusterFacts, pools: Pools, address: str) -> dict[str, Any]:
    """The whole status. The provider config is named once it exists, and from then on: replicas are reached by it."""
    made: dict[str, Any] = {"namespace": labels.SYSTEM_NAMESPACE}
    if write.CONFIG in seen.children or seen.composite.status.view("providerConfigRef").text("name"):
        made["providerConfigRef"] = {"name": write.config_name(seen.composite.name)}
    if address:
        made["gateway"] = {"address": address}
    if facts.cache_class:
        made["cache"] = {"storageClassName": facts.cache_class}
    if pools.published:
        made["gpuPools"] = list(pools.published)
    return made
