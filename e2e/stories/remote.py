"""What a story looks for on the workload clusters."""

from __future__ import annotations

import httpx

from e2e.lab.api import RefusedError
from e2e.lab.cluster import Cluster
from e2e.lab.objects import Manifest, is_true


def serving_pods(cluster: Cluster) -> list[Manifest]:
    """The pods with a model in them: those that have a container of the contract's name."""
    found = cluster.api.list("v1", "Pod")
    return [pod for pod in found if any(each["name"] == "engine" for each in pod["spec"]["containers"])]


def allocated_claims(cluster: Cluster) -> list[str]:
    """The names of the claims that hold a device."""
    claims = cluster.api.list("resource.k8s.io/v1", "ResourceClaim")
    return [each["metadata"]["name"] for each in claims if each.get("status", {}).get("allocation")]


def ready_pods(cluster: Cluster) -> list[Manifest]:
    """The serving pods that are Ready."""
    return [pod for pod in serving_pods(cluster) if is_true(pod, "Ready")]


def ask(pod: Manifest) -> str:
    """What the pod's own engine answers to a chat completion at the pod's own address."""
    asked = {"model": "mock", "messages": [{"role": "user", "content": "who are you?"}]}
    url = f"http://{pod['status']['podIP']}:8000/v1/chat/completions"
    answer = httpx.post(url, json=asked, timeout=5.0, trust_env=False).raise_for_status()
    return str(answer.json()["choices"][0]["message"]["content"])


def leftovers(cluster: Cluster) -> list[str]:
    """What a deployment left on a cluster: workloads, claims and their templates, in whichever namespace."""
    kinds = (
        ("apps/v1", "Deployment"),
        ("apps/v1", "StatefulSet"),
        ("resource.k8s.io/v1", "ResourceClaimTemplate"),
        ("resource.k8s.io/v1", "ResourceClaim"),
    )
    return [
        f"{kind} {each['metadata']['namespace']}/{each['metadata']['name']}"
        for version, kind in kinds
        for each in cluster.api.list(version, kind)
        if each["metadata"]["namespace"] not in {"envoy-gateway-system", "lws-system"}
    ]


def ours(cluster: Cluster) -> list[str]:
    """What the fleet itself put on a cluster that is let go: its Gateway and its charts."""
    found = [f"Gateway {each['metadata']['name']}" for each in _gateways(cluster)]
    charts = cluster.api.list("v1", "Secret", labels="owner=helm")
    return [*found, *(f"chart {each['metadata']['labels']['name']}" for each in charts)]


def _gateways(cluster: Cluster) -> list[Manifest]:
    try:
        return cluster.api.list("gateway.networking.k8s.io/v1", "Gateway")
    except (LookupError, RefusedError):
        return []  # the definition went with the chart
