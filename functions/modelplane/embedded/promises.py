"""What must hold of a fleet at every step of a story, judged from the objects alone, without the planner's code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from modelplane.contract import labels
from modelplane.embedded import conditions
from modelplane.embedded.loop import Loop
from modelplane.embedded.things import Plain, terminating


def nodes_promised(replicas: Iterable[Mapping[str, Any]]) -> Counter[tuple[str, str]]:
    """Nodes that replicas take, by cluster and pool: a node for each pod that claims a device."""
    promised: Counter[tuple[str, str]] = Counter()
    for replica in replicas:
        for engine in replica["spec"]["engines"]:
            for member in engine["members"]:
                if not member.get("deviceRequests"):
                    continue
                pods = member.get("worker", {}).get("nodes", 1) if member.get("role") == "Worker" else 1
                where = replica["spec"]["clusterName"], member["nodePoolName"]
                promised[where] += pods * engine.get("copies", 1)
    return promised


def over_promised(loop: Loop, *, serving_only: bool = False) -> list[str]:
    """Pools whose nodes are promised more than once, with the numbers. Pools that count devices are left to `stranded`.

    With `serving_only`, only replicas count that were Ready once: those past the end of a pool that never were may
    stand there for a moment, until they yield.
    """
    replicas = [
        replica
        for replica in _all(loop, "ModelReplica")
        if not serving_only or conditions.is_true(replica, "Served") or conditions.is_true(replica, "Ready")
    ]
    promised = nodes_promised(replicas)
    return [
        f"{cluster['metadata']['name']}/{pool['name']}: {promised[cluster['metadata']['name'], pool['name']]} nodes"
        f" promised, {pool['nodes']} there"
        for cluster in _all(loop, "InferenceCluster")
        for pool in cluster.get("status", {}).get("gpuPools", ())
        if pool.get("allocation", "Node") == "Node"
        and promised[cluster["metadata"]["name"], pool["name"]] > pool["nodes"]
    ]


def routed_to_nothing(loop: Loop) -> list[str]:
    """Endpoints that stay, and have no replica of their name or one whose model does not serve."""
    replicas = {_identity(replica): replica for replica in _all(loop, "ModelReplica")}
    return [
        "/".join(_identity(endpoint))
        for endpoint in _all(loop, "ModelEndpoint")
        if labels.DEPLOYMENT in endpoint["metadata"].get("labels", {})
        and not terminating(endpoint)
        and not _serves(replicas.get(_identity(endpoint), {}))
    ]


def stranded(loop: Loop) -> list[str]:
    """Pods that wait for a node or a device: a promise that their cluster could not keep."""
    return [
        f"{cluster.name}: {pod['metadata']['namespace']}/{pod['metadata']['name']}"
        for cluster in loop.clusters.values()
        for pod in cluster.store.list("", "Pod")
        if "nodeName" not in pod["spec"]
    ]


def serving(loop: Loop) -> dict[tuple[str, str], Plain]:
    """The replicas that are Ready and stay, by namespace and name."""
    return {
        _identity(replica): replica
        for replica in _all(loop, "ModelReplica")
        if conditions.is_true(replica, "Ready") and not terminating(replica)
    }


def _serves(replica: Mapping[str, Any]) -> bool:
    """A replica that is held, because an input of its is broken or missing, is not Ready while its model serves on."""
    return conditions.is_true(replica, "Ready") or conditions.is_true(replica, "ModelReady")


def _all(loop: Loop, kind: str) -> tuple[Plain, ...]:
    """The objects of a kind, not copied: these questions are asked after every round."""
    return loop.control.list(labels.GROUP, kind)


def _identity(thing: Mapping[str, Any]) -> tuple[str, str]:
    return thing["metadata"]["namespace"], thing["metadata"]["name"]
