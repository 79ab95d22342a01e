"""From a ModelReplica to the objects of its cluster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from model_replica import claims, read, report, write
from model_replica.read import InvalidTemplateError, Replica
from model_replica.write import TENANT, Workload
from modelplane.contract import labels
from modelplane.contract.conditions import MODEL_ACCEPTED
from modelplane.kit.seen import Answer, Child, Found, Missing, Pending, Seen
from modelplane.kit.want import Want
from modelplane.remote.config import ConfigRef


def compose(seen: Seen[dict[str, Any]], want: Want[dict[str, Any]]) -> None:
    """Read, decide, write; what cannot be judged is kept as it is."""
    cluster = seen.composite.spec.text("clusterName")
    if cluster:  # without a name, every cluster would be meant
        want.require("cluster", labels.API_VERSION, "InferenceCluster", named=cluster)
    try:
        replica = read.replica(seen.composite)
    except InvalidTemplateError as error:
        _hold(seen, want, "InvalidTemplate", f"{error}; what runs is kept")
        return
    answer = seen.required("cluster")
    config = _config(answer, cluster)
    if isinstance(config, str):
        # Not fetched yet is how every first call begins; it is nothing to tell anyone.
        _hold(seen, want, "WaitingForCluster", config, event=not isinstance(answer, Pending))
        return
    workloads = tuple(write.workloads(replica, config))
    _write(seen, want, replica, config, workloads)
    report.state(seen, want, replica.cluster, workloads)


def _hold(seen: Seen[Any], want: Want[Any], reason: str, message: str, *, event: bool = True) -> None:
    want.condition(MODEL_ACCEPTED(reason, message), event=event)
    report.hold(seen, want, message)
    want.keep_rest()


def _config(answer: Answer, cluster: str) -> ConfigRef | str:
    """The provider config of the cluster, or why there is none yet."""
    match answer:
        case Pending():
            return f"InferenceCluster {cluster} has not been fetched yet"
        case Missing():
            return f"InferenceCluster {cluster} does not exist; what runs is kept"
        case Found(things):
            name = things[0].status.view("providerConfigRef").text("name")
            return ConfigRef(name) if name else f"InferenceCluster {cluster} has no credentials yet"


def _write(
    seen: Seen[Any], want: Want[Any], replica: Replica, config: ConfigRef, workloads: Sequence[Workload]
) -> None:
    want.add(TENANT, write.tenant(replica, config))
    for key, manifest in write.claim_templates(replica, config):
        want.add(key, manifest, needs=TENANT)
    for workload in workloads:
        want.add(workload.key, workload.manifest, needs=TENANT)
    if any(_unsettled(seen.children.get(w.key), claims.wanted(replica)) for w in workloads):
        for key in seen.children:
            if key.startswith(claims.PREFIX) and key not in want.resources:
                want.keep(key)


def _unsettled(child: Child | None, wanted: frozenset[str]) -> bool:
    """Whether pods of an earlier template may still be made, which need the claim template that they name.

    So an edit of device requests removes the former claim template only when the workload that was seen on the cluster
    names none but the wanted ones, and is Ready.
    """
    if child is None or not report.exists(child):
        return False
    return not child.ready or not claims.named_in(report.remote(child)) <= wanted
