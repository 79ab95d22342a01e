"""Names and labels stay within the limits of their tightest use, and differ where what they stand for does."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelplane.contract import names
from tests.functions import harness
from tests.functions.harness import Facts

CLUSTER = {"metadata": {"name": "eu-1"}, "status": {"providerConfigRef": {"name": "eu-1-config"}}}
LABEL = re.compile(r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?")


def member(role: str, claims: int = 1) -> dict[str, Any]:
    return {
        "role": role,
        "nodePoolName": "p",
        "deviceRequests": [{"name": "gpu", "deviceClassName": "gpu.example.com", "count": claims}],
        "template": {"spec": {"containers": [{"name": "engine", "image": "i"}]}},
    }


def composed(name: str, engines: list[dict[str, Any]], namespace: str = "team-a") -> dict[str, Any]:
    """The remote manifests of a replica by key, with its namespace there."""
    composite = {
        "apiVersion": "modelplane.ai/v1alpha1",
        "kind": "ModelReplica",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"clusterName": "eu-1", "engines": engines},
    }
    tenant = {
        "apiVersion": "kubernetes.m.crossplane.io/v1alpha1",
        "kind": "Object",
        "status": {"conditions": [{"type": "Ready", "status": "True"}]},
    }
    facts = Facts(composite, {"tenant-namespace": tenant}, {"cluster": [CLUSTER]})
    made = harness.manifests(harness.respond("model_replica", facts))
    return {key: manifest["spec"]["forProvider"]["manifest"] for key, manifest in made.items()}


SHAPES = {"deployment": [member("Standalone")], "gang": [member("Leader"), member("Worker")]}
LONG = "a" * 63
FULL = names.replica("n" * 63, "d" * 63, "c" * 253, 1000)


@pytest.mark.parametrize("replica", [FULL, "a.hand-written.name", "9", "b" * 253])
@pytest.mark.parametrize(("shape", "limit"), [("deployment", 63), ("gang", 49)])
def test_names_and_labels_fit_at_their_longest(replica: str, shape: str, limit: int) -> None:
    made = composed(replica, [{"name": LONG, "members": SHAPES[shape]}])
    workload = made[f"{shape}-{LONG}"]

    assert len(workload["metadata"]["name"]) <= limit, "a LeaderWorkerSet past 49 characters cannot make its pods"
    assert all(LABEL.fullmatch(m["metadata"]["name"]) for m in made.values())
    assert all(len(v) <= 63 for v in _labels(workload))


def _labels(value: Any) -> list[str]:
    """Every value of every label map in a manifest."""
    if isinstance(value, list):
        return [found for item in value for found in _labels(item)]
    if not isinstance(value, dict):
        return []
    own = [v for key in ("labels", "matchLabels") for v in value.get(key, {}).values()]
    return own + [found for item in value.values() for found in _labels(item)]


def test_everything_that_a_replica_makes_differs_from_what_another_makes() -> None:
    replicas = {
        (name, engine, shape): composed(name, [{"name": engine, "members": members}])
        for name in ("a", "a-b")
        for engine in ("b-c", "c", "gang-c")
        for shape, members in SHAPES.items()
    }
    made = [
        (manifest["kind"], manifest["metadata"]["name"])
        for manifests in replicas.values()
        for key, manifest in manifests.items()
        if key != "tenant-namespace"
    ]

    assert len(made) == len(set(made))


def test_engines_of_one_replica_never_share_a_key() -> None:
    engines = [{"name": name, "members": SHAPES["deployment"]} for name in ("c", "gang-c", "deployment-c")]
    engines += [{"name": name, "members": SHAPES["gang"]} for name in ("d", "gang-d", "leader-d")]
    made = composed("a", engines)

    # A namespace, three lone pods with a claim template each, three gangs with two each.
    assert len(made) == 1 + 3 * 2 + 3 * 3


@pytest.mark.parametrize("claims", [1, 2])
def test_pods_name_the_claim_template_that_is_made(claims: int) -> None:
    made = composed("a", [{"name": "x", "members": [member("Standalone", claims)]}])
    templates = {m["metadata"]["name"] for m in made.values() if m["kind"] == "ResourceClaimTemplate"}
    pod = made["deployment-x"]["spec"]["template"]["spec"]

    assert {claim["resourceClaimTemplateName"] for claim in pod["resourceClaims"]} == templates


@settings(max_examples=50)
@given(st.sets(st.from_regex(r"[a-z]([-a-z0-9]{0,20}[a-z0-9])?", fullmatch=True), min_size=2))
def test_tenants_never_share_a_namespace(tenants: set[str]) -> None:
    tenants |= names.RESERVED_NAMESPACES | {"kube-system", "modelplane-system"}
    tenants |= {names.tenant_namespace(tenant) for tenant in sorted(tenants)}
    there = [names.tenant_namespace(tenant) for tenant in sorted(tenants)]

    assert len(set(there)) == len(tenants)
    assert not set(there) & (names.RESERVED_NAMESPACES | {"kube-system", "modelplane-system"})


def test_an_ordinary_tenant_keeps_its_name() -> None:
    assert names.tenant_namespace("team-a") == "team-a"


def test_caches_of_two_tenants_never_share_a_claim() -> None:
    assert names.cache_claim("ml", "team-qwen") != names.cache_claim("ml-team", "qwen")
