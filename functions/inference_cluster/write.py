"""What an InferenceCluster composes."""

from __future__ import annotations

from typing import Any, Final

from modelplane.contract import labels, names
from modelplane.remote import config, infrastructure
from modelplane.remote.config import ConfigRef, SecretKey
from modelplane.remote.infrastructure import ClusterFacts

CONFIG: Final = "cluster-provider-config-kubernetes"
STACK: Final = "serving-stack"
REPLICAS: Final = "usage-replicas"


def config_name(cluster: str) -> str:
    """The name of the cluster's ClusterProviderConfig, which replicas of every namespace use."""
    return names.name(cluster, "cluster-kubeconfig")


def provider_config(cluster: str, facts: ClusterFacts, kubeconfig: SecretKey) -> dict[str, Any]:
    """How provider-kubernetes reaches the cluster, for objects of every namespace."""
    return config.write(config.KUBERNETES, ConfigRef(config_name(cluster)), kubeconfig, facts.identity)


def stack(cluster: str, facts: ClusterFacts) -> dict[str, Any]:
    """The ServingStack."""
    spec: dict[str, Any] = {"secrets": infrastructure.write_secrets(facts, labels.SYSTEM_NAMESPACE)}
    if facts.driver_root:
        spec["nvidiaDriverRoot"] = facts.driver_root
    metadata = {"name": names.name(cluster, "serving-stack"), "namespace": labels.SYSTEM_NAMESPACE}
    return {"apiVersion": labels.INFRASTRUCTURE_API_VERSION, "kind": "ServingStack", "metadata": metadata, "spec": spec}


def guard(cluster: str) -> dict[str, Any]:
    """What keeps the cluster from being deleted under its replicas.

    It has a reason and no user, because a ClusterUsage cannot name a namespaced one.
    """
    of = {"apiVersion": labels.API_VERSION, "kind": "InferenceCluster", "resourceRef": {"name": cluster}}
    reason = f"ModelReplicas are placed on InferenceCluster {cluster}"
    return {
        "apiVersion": "protection.crossplane.io/v1beta1",
        "kind": "ClusterUsage",
        "spec": {"of": of, "reason": reason, "replayDeletion": True},
    }
