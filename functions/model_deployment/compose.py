"""A ModelDeployment's walk: read, plan, write, report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from model_deployment import demand, keys, read, report, write
from modelplane.contract import labels
from modelplane.kit.seen import Child, Found, Missing, Pending, Seen
from modelplane.kit.want import Want
from modelplane.placement.outcome import Placement, Plan
from modelplane.placement.plan import plan


def compose(seen: Seen[Any], want: Want[Any]) -> None:
    """Answer one request."""
    # 1. Require the same on every path. All clusters, not those of the selector's labels: a replica that runs is judged
    #    against its cluster also when the labels no longer match.
    cache_name = seen.composite.spec.view("template").view("spec").view("modelCacheRef").text("name")
    want.require(read.CLUSTERS, labels.API_VERSION, "InferenceCluster")
    want.require(read.REPLICAS, labels.API_VERSION, "ModelReplica")
    if cache_name:
        want.require(read.CACHE, labels.API_VERSION, "ModelCache", named=cache_name, namespace=seen.composite.namespace)
    cache = read.cache(cache_name, seen.composite.namespace, seen.required(read.CACHE))
    if cache.condition is not None:
        want.condition(cache.condition, event=cache.condition.reason == "ModelCacheNotFound")

    # 2. What is wanted. A broken selector ends here.
    try:
        wanted = demand.read(seen.composite, cache.rules, cache.hold)
    except demand.InvalidSelectorError as error:
        report.invalid(want, error.faults)
        want.keep_rest()
        return

    # 3. What there is.
    clusters, replicas = seen.required(read.CLUSTERS), seen.required(read.REPLICAS)
    if isinstance(clusters, Pending) or isinstance(replicas, Pending):
        report.unresolved(want)
        want.keep_rest()
        return
    if isinstance(clusters, Missing) and wanted.replicas:
        # An empty list may be a list that is not complete yet, so it moves nothing.
        report.no_clusters(want, wanted)
        want.keep_rest()
        return
    fleet = read.fleet(seen, _things(clusters), _things(replicas))

    # 4. Decide, write, report.
    decided = plan(wanted, fleet.world)
    _write(want, fleet, decided)
    report.planned(want, wanted, decided, fleet.existing)


def _things(answer: Found | Missing) -> Iterable[Any]:
    return answer.things if isinstance(answer, Found) else ()


def _write(want: Want[Any], fleet: read.Fleet, decided: Plan) -> None:
    for placement in decided.placements:
        _write_replica(want, placement, decided.asked)
        _write_endpoint(want, placement, fleet.gateways.get(placement.cluster, ""))
    # What is left out is deleted. A replica goes after its endpoint, so that no request is sent to it any more.
    for key in want.seen.children:
        identity = keys.identity(key)
        if identity and key not in want.resources and keys.endpoint(*identity) in want.seen.children:
            want.keep(key)


def _write_replica(want: Want[Any], placement: Placement, asked: str) -> None:
    key = keys.replica(placement.cluster, placement.index)
    child = want.seen.children.get(key)
    if placement.blocked is None:
        want.add(key, write.replica(want.seen.composite, placement, child, asked))
    elif child is not None:
        want.keep(key)


def _write_endpoint(want: Want[Any], placement: Placement, gateway: str) -> None:
    child = want.seen.children.get(keys.replica(placement.cluster, placement.index))
    key = keys.endpoint(placement.cluster, placement.index)
    if child is None or child.terminating or not _serves(child, routed=key in want.seen.children):
        return
    if gateway:
        want.add(key, write.endpoint(want.seen.composite, placement, child, gateway))
    elif key in want.seen.children:
        want.keep(key)  # the address was known, and is not at this moment


def _serves(child: Child, *, routed: bool) -> bool:
    """Whether requests may go to a replica: Ready to begin with; to go on, that its model still serves is enough.

    A replica whose own input is broken or missing is not Ready, while its workload runs on untouched.
    """
    return child.ready or (routed and child.condition("ModelReady").status == "True")
