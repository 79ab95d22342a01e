"""From an InferenceCluster to its provider config, its serving stack, and what placement reads of it."""

from __future__ import annotations

from typing import Any

from inference_cluster import pools, report, sources, write
from modelplane.contract import labels, names
from modelplane.contract.conditions import BACKEND_READY, CLUSTER_READY
from modelplane.kit.seen import Found, Pending, Seen
from modelplane.kit.want import Ready, Want
from modelplane.remote.infrastructure import ClusterFacts

_REPLICAS = "model-replicas"


def compose(seen: Seen[dict[str, Any]], want: Want[dict[str, Any]]) -> None:
    """Require, guard, connect, publish."""
    name = seen.composite.name
    want.require(_REPLICAS, labels.API_VERSION, "ModelReplica", labels={labels.CLUSTER: names.label(name)})
    for used in pools.classes(seen.composite.spec):
        want.require(f"class-{used}", labels.API_VERSION, "InferenceClass", named=used)
    _guard(seen, want)
    source = seen.composite.spec.view("cluster").text("source")
    if source not in sources.SOURCES:
        message = f"source {source} is not provisioned by this version; what exists is kept"
        want.condition(CLUSTER_READY("SourceNotSupported", message), event=True)
        want.condition(BACKEND_READY("WaitingForCluster"))
        want.keep_rest()
        return
    _connect(seen, want, sources.SOURCES[source](seen))


def _guard(seen: Seen[Any], want: Want[Any]) -> None:
    """Hold the cluster while any replica is on it, in whichever namespace, also one that is being deleted."""
    match seen.required(_REPLICAS):
        case Found():
            want.add(write.REPLICAS, write.guard(seen.composite.name), ready=Ready.YES)
        case Pending() if write.REPLICAS in seen.children:
            want.keep(write.REPLICAS)
        case _:
            pass


def _connect(seen: Seen[Any], want: Want[Any], facts: ClusterFacts) -> None:
    """Compose what reaches the cluster, whatever its classes are, and publish its pools.

    A class that is gone must not cost the cluster its credentials; it only keeps new replicas away.
    """
    if facts.kubeconfig is not None:
        config = write.provider_config(seen.composite.name, facts, facts.kubeconfig)
        want.add(write.CONFIG, config, ready=Ready.OBSERVED)
        want.add(write.STACK, write.stack(seen.composite.name, facts))
    else:
        # A cloud cluster that is not Ready for a moment still serves: replicas and the stack use these two.
        for key in (write.CONFIG, write.STACK):
            if key in seen.children:
                want.keep(key)
    found = pools.read(seen.composite, lambda used: seen.required(f"class-{used}"))
    address = report.gateway_address(seen)
    cluster, backend = report.cluster_ready(facts, found), report.backend_ready(seen, facts, address)
    want.condition(cluster, event=not found.pending)
    # That the stack is being installed is the course of things; only its end is told.
    want.condition(backend, event=backend.status == "True")
    if not cluster.status == backend.status == "True":
        want.composite_ready = False
    want.set_status(report.status(seen, facts, found, address))
