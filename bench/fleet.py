"""A made-up fleet of a given size, as the objects that a control plane has."""

from __future__ import annotations

from typing import Any, Final

from modelplane.contract import labels

Manifest = dict[str, Any]

#: Product and memory of the GPUs, by turns from pool to pool.
_GPUS: Final = (("NVIDIA-L4", "24Gi"), ("NVIDIA-A100", "80Gi"), ("NVIDIA-H100", "80Gi"), ("NVIDIA-H200", "141Gi"))
_SINCE: Final = "2026-01-01T00:00:00Z"
#: Three clauses, one of them on a quantity and one on a version.
SELECTORS: Final = (
    'device.driver == "gpu.nvidia.com"',
    'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("80Gi")) >= 0',
    'device.attributes["gpu.nvidia.com"].cudaComputeCapability.isGreaterThan(semver("8.9.0"))',
)


def clusters(number: int, pools: int, nodes: int) -> list[Manifest]:
    """Ready InferenceClusters, each with so many pools of so many nodes."""
    return [_cluster(at, pools, nodes) for at in range(number)]


def replicas(number: int, over_clusters: int, over_pools: int) -> list[Manifest]:
    """Ready ModelReplicas of as many other deployments, spread evenly; each holds one node."""
    return [_replica(at, over_clusters, over_pools) for at in range(number)]


def deployment(replicas: int) -> Manifest:
    """A ModelDeployment that asks for eight GPUs by three selectors and for one RDMA NIC."""
    devices = [
        {"name": "gpu", "count": 8, "selectors": [{"cel": text} for text in SELECTORS]},
        {"name": "nic", "count": 1, "selectors": [{"cel": 'device.attributes["dra.net"].rdma == true'}]},
    ]
    member = {"role": "Standalone", "nodeSelector": {"devices": devices}, "template": _template(8)}
    template = {"spec": {"engines": [{"name": "main", "copies": 1, "members": [member]}]}}
    return {
        "apiVersion": labels.API_VERSION,
        "kind": "ModelDeployment",
        "metadata": {"name": "bench", "namespace": "ml-team", "uid": "bench"},
        "spec": {"replicas": replicas, "template": template},
    }


def _ready() -> Manifest:
    ready = {"type": "Ready", "status": "True", "reason": "Available", "lastTransitionTime": _SINCE}
    return {"conditions": [ready]}


def _cluster(at: int, pools: int, nodes: int) -> Manifest:
    name = f"cluster-{at:04d}"
    status = {
        **_ready(),
        "gateway": {"address": f"10.1.{at // 250}.{at % 250 + 1}"},
        "providerConfigRef": {"name": f"{name}-kubeconfig"},
        "gpuPools": [{"name": f"pool-{p}", "nodes": nodes, "devices": _devices(at + p)} for p in range(pools)],
    }
    return {
        "apiVersion": labels.API_VERSION,
        "kind": "InferenceCluster",
        "metadata": {"name": name, "uid": name, "labels": {"region": f"r{at % 5}", "tier": "prod"}},
        "spec": {"cluster": {"source": "Existing"}},
        "status": status,
    }


def _devices(turn: int) -> list[Manifest]:
    product, memory = _GPUS[turn % len(_GPUS)]
    gpu = {
        "name": "gpu",
        "claim": "DRA",
        "driver": "gpu.nvidia.com",
        "deviceClassName": "gpu.nvidia.com",
        "count": 8,
        "attributes": {
            "productName": {"string": product},
            "cudaComputeCapability": {"version": "9.0.0"},
            "driverVersion": {"version": "580.65.6"},
        },
        "capacity": {"memory": {"value": memory}},
    }
    nic = {
        "name": "nic",
        "claim": "Synthetic",
        "driver": "dra.net",
        "count": 8,
        "attributes": {"rdma": {"bool": turn % 2 == 0}},
    }
    return [gpu, nic]


def _replica(at: int, over_clusters: int, over_pools: int) -> Manifest:
    cluster = f"cluster-{at % over_clusters:04d}"
    request = {
        "name": "gpu",
        "deviceClassName": "gpu.nvidia.com",
        "count": 8,
        "selectors": [{"cel": SELECTORS[0]}],
    }
    member = {
        "role": "Standalone",
        "nodePoolName": f"pool-{at // over_clusters % over_pools}",
        "deviceRequests": [request],
        "template": _template(at),
    }
    marks = {
        labels.DEPLOYMENT: f"other-{at}",
        labels.CLUSTER: cluster,
        labels.REPLICA_INDEX: "0",
    }
    name = f"other-{at}-{at * 2654435761 % 2**32:08x}"
    return {
        "apiVersion": labels.API_VERSION,
        "kind": "ModelReplica",
        "metadata": {"name": name, "namespace": f"team-{at % 20}", "uid": name, "labels": marks},
        "spec": {"clusterName": cluster, "engines": [{"name": "main", "copies": 1, "members": [member]}]},
        "status": _ready(),
    }


def _template(seed: int) -> Manifest:
    """A pod template that differs from deployment to deployment."""
    engine = {
        "name": "engine",
        "image": "vllm/vllm-openai:v0.11.0",
        "args": ["--model=Qwen/Qwen3-8B", f"--seed={seed}"],
        "env": [{"name": "VLLM_LOGGING_LEVEL", "value": "INFO"}],
    }
    return {"spec": {"containers": [engine]}}
