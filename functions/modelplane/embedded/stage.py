"""What a story does with a fleet, in the words of the story: bring up, scale, drain, and see what is where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from modelplane.contract import labels
from modelplane.embedded import conditions, hardware
from modelplane.embedded.cluster import WorkloadCluster
from modelplane.embedded.loop import Loop
from modelplane.embedded.things import Key, Plain

_SECRET = "-kubeconfig"  # noqa: S105  # how a Secret is named, not a secret


@dataclass(frozen=True, order=True, slots=True)
class Placed:
    """One replica: its cluster and index, whether it is Ready, and whether an endpoint routes to it."""

    cluster: str
    index: int
    ready: bool
    routed: bool


@dataclass(slots=True)
class Stage:
    """A loop, and the fleet that stands on it."""

    loop: Loop

    def bring_up(self, manifests: Iterable[Mapping[str, Any]], *, spread: bool = True) -> None:
        """Start a workload cluster for each InferenceCluster, with the nodes and devices that its pools promise."""
        manifests = list(manifests)
        classes = {m["metadata"]["name"]: m["spec"] for m in manifests if m["kind"] == "InferenceClass"}
        classes |= {icl["metadata"]["name"]: icl["spec"] for icl in self.loop.every("InferenceClass")}
        for manifest in manifests:
            if manifest["kind"] != "InferenceCluster":
                continue
            nodes = [
                node
                for pool in manifest["spec"].get("nodePools", ())
                for node in hardware.pool(
                    pool["name"],
                    pool.get("maxNodeCount", pool.get("nodeCount", 1)),
                    hardware.of_class(classes[pool["className"]]),
                )
            ]
            secret = manifest["spec"]["cluster"]["existing"]["secretRef"]["name"]
            self.loop.connect(secret.removesuffix(_SECRET), nodes, secret=secret, spread=spread)

    def scale(self, namespace: str, deployment: str, replicas: int) -> None:
        """`kubectl scale`."""
        key = self.loop.key("ModelDeployment", deployment, namespace)
        self.loop.edit(key, lambda thing: thing["spec"].update(replicas=replicas))

    def taint(self, cluster: str, key: str, effect: str, value: str = "") -> None:
        """Put a taint on an InferenceCluster."""
        made = {"key": key, "effect": effect, **({"value": value} if value else {})}
        where = self.loop.key("InferenceCluster", cluster)
        self.loop.edit(where, lambda thing: thing["spec"].update(taints=[*thing["spec"].get("taints", ()), made]))

    def untaint(self, cluster: str) -> None:
        """Take every taint off an InferenceCluster."""
        self.loop.edit(self.loop.key("InferenceCluster", cluster), lambda thing: thing["spec"].pop("taints", None))

    def placed(self, namespace: str, deployment: str) -> list[Placed]:
        """A deployment's replicas, by cluster and index."""
        own = {labels.DEPLOYMENT: deployment}
        routed = {endpoint["metadata"]["name"] for endpoint in self.loop.every("ModelEndpoint", namespace, own)}
        return sorted(
            Placed(
                replica["spec"]["clusterName"],
                int(replica["metadata"]["labels"][labels.REPLICA_INDEX]),
                conditions.is_true(replica, "Ready"),
                replica["metadata"]["name"] in routed,
            )
            for replica in self.loop.every("ModelReplica", namespace, own)
        )

    def condition(self, kind: str, name: str, namespace: str, condition: str) -> tuple[str, str, str]:
        """Status, reason and message of a condition; empty where it is absent."""
        found = conditions.of(self.loop.get(self.loop.key(kind, name, namespace)), condition)
        return found.get("status", ""), found.get("reason", ""), found.get("message", "")

    def cluster_of(self, inference_cluster: str) -> WorkloadCluster:
        """The workload cluster behind an InferenceCluster."""
        spec = self.loop.get(self.loop.key("InferenceCluster", inference_cluster))["spec"]
        return self.loop.clusters[spec["cluster"]["existing"]["secretRef"]["name"].removesuffix(_SECRET)]


def read(path: Path) -> list[Plain]:
    """The manifests of a file, or of a folder's files in the order of their names."""
    files = sorted(path.glob("*.yaml")) if path.is_dir() else [path]
    return [manifest for file in files for manifest in yaml.safe_load_all(file.read_text()) if manifest]


def pods(cluster: WorkloadCluster) -> list[Plain]:
    """A cluster's pods, by namespace and name."""
    return list(cluster.store.list("", "Pod"))


def claim_of(cluster: WorkloadCluster, pod: Plain) -> list[str]:
    """The devices that a pod's claims were given, as node/device."""
    given: list[str] = []
    for key in cluster.store.dependents(pod["metadata"]["uid"]):
        if key.kind == "ResourceClaim":
            claim = cluster.store.get(key)
            given += [f"{r['pool']}/{r['device']}" for r in claim["status"]["allocation"]["devices"]["results"]]
    return sorted(given)


def remote(cluster: WorkloadCluster) -> list[Key]:
    """What others put on a cluster, without its own parts and without what its controllers made."""
    return [cluster.store.key(thing) for thing in cluster.given()]
