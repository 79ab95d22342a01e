"""What the demo shows: the fleet, a deployment's placements and refusals, and what each workload cluster was given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table

from modelplane.embedded import conditions
from modelplane.embedded.cluster import WorkloadCluster
from modelplane.embedded.promises import nodes_promised
from modelplane.embedded.stage import Stage, claim_of, pods, remote


def fleet(stage: Stage) -> Table:
    """Every InferenceCluster: whether it is Ready, its gateway, and each pool's nodes and what is promised of them."""
    table = _table("The fleet", "CLUSTER", "READY", "GATEWAY", "POOL", "NODES", "PROMISED", "DEVICES", "TAINTS")
    promised = nodes_promised(stage.loop.every("ModelReplica"))
    for cluster in stage.loop.every("InferenceCluster"):
        name = cluster["metadata"]["name"]
        status = cluster.get("status", {})
        taints = ", ".join(f"{taint['key']}:{taint['effect']}" for taint in cluster["spec"].get("taints", ()))
        for pool in status.get("gpuPools", ()):
            table.add_row(
                name,
                str(conditions.is_true(cluster, "Ready")),
                status.get("gateway", {}).get("address", ""),
                pool["name"],
                str(pool["nodes"]),
                str(promised[name, pool["name"]]),
                ", ".join(_device(device) for device in pool.get("devices", ())),
                taints or "-",
            )
    return table


def deployments(stage: Stage) -> Table:
    """Every ModelDeployment with its numbers and its two main conditions."""
    table = _table("The deployments", "DEPLOYMENT", "WANTED", "PLACED", "READY", "SCHEDULED", "WHY")
    for thing in stage.loop.every("ModelDeployment"):
        replicas = thing.get("status", {}).get("replicas", {})
        scheduled = conditions.of(thing, "ReplicasScheduled")
        table.add_row(
            f"{thing['metadata']['namespace']}/{thing['metadata']['name']}",
            str(thing["spec"]["replicas"]),
            str(replicas.get("total", 0)),
            str(replicas.get("ready", 0)),
            f"{scheduled.get('status', '')} {scheduled.get('reason', '')}",
            scheduled.get("message", ""),
        )
    return table


def placements(stage: Stage) -> Table:
    """Every replica: where it is, on which pools, and whether requests reach it."""
    table = _table("The placements", "REPLICA", "CLUSTER", "POOLS", "READY", "ENDPOINT")
    endpoints = {
        (endpoint["metadata"]["namespace"], endpoint["metadata"]["name"]): endpoint["spec"]["url"].removeprefix(
            "http://"
        )
        for endpoint in stage.loop.every("ModelEndpoint")
    }
    for replica in stage.loop.every("ModelReplica"):
        metadata = replica["metadata"]
        members = [member for engine in replica["spec"]["engines"] for member in engine["members"]]
        table.add_row(
            metadata["name"],
            replica["spec"]["clusterName"],
            ", ".join(sorted({member["nodePoolName"] for member in members})),
            str(conditions.is_true(replica, "Ready")),
            endpoints.get((metadata["namespace"], metadata["name"]), "-"),
        )
    return table


def refusals(stage: Stage) -> Table:
    """Why replicas that are missing are nowhere: the most severe reason of each cluster."""
    table = _table("The refusals", "DEPLOYMENT", "CLUSTER", "POOL", "REASON", "MESSAGE", "HELPS IF FREED")
    for thing in stage.loop.every("ModelDeployment"):
        for refusal in thing.get("status", {}).get("refusals", ()):
            table.add_row(
                thing["metadata"]["name"],
                refusal["cluster"],
                refusal.get("pool", "-"),
                refusal["reason"],
                refusal["message"],
                "yes" if refusal.get("helpsIfFreed") else "no",
            )
    return table


def objects(cluster: WorkloadCluster) -> Table:
    """What was put on a workload cluster."""
    table = _table(f"Given to {cluster.name}", "NAMESPACE", "KIND", "NAME")
    for key in remote(cluster):
        table.add_row(key.namespace or "-", key.kind, key.name)
    for name, chart in sorted(cluster.charts.items()):
        table.add_row(chart["namespace"], "Helm chart", f"{name} {chart.get('version', '')}".strip())
    return table


def running(cluster: WorkloadCluster) -> Table:
    """The pods of a workload cluster, and the devices of their claims."""
    table = _table(f"Running on {cluster.name}", "POD", "NODE", "PHASE", "CLAIMED DEVICES")
    for pod in pods(cluster):
        devices = ", ".join(claim_of(cluster, pod)) or "-"
        table.add_row(pod["metadata"]["name"], pod["spec"].get("nodeName", "-"), pod["status"]["phase"], devices)
    return table


def _device(device: Mapping[str, Any]) -> str:
    memory = device.get("capacity", {}).get("memory", {}).get("value", "")
    return f"{device.get('count', 1)} x {device['driver']} {memory}".strip()


def _table(title: str, *columns: str) -> Table:
    table = Table(title=f"\n{title}", title_justify="left", title_style="bold", box=None, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold")
    return table
