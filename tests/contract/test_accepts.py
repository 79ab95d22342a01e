"""Values at the edge of what a rule allows: one that is too strict breaks the manifests of who wrote nothing wrong."""

from __future__ import annotations

from typing import Any

import pytest

from modelplane.embedded.admission import Admission
from modelplane.embedded.apis import complete
from tests.contract.definitions import definitions
from tests.contract.twins import Manifest, edited, example

ADMISSIONS = {each.kind: Admission(complete(each.schema)) for each in definitions()}

CLASS = ("reference-shapes/classes.yaml", "InferenceClass", "h100-8x-byo")
GKE_CLASS = ("reference-shapes/classes.yaml", "InferenceClass", "l4-gke")
EXISTING = ("reference-shapes/clusters.yaml", "InferenceCluster", "existing-full")
GKE = ("reference-shapes/clusters.yaml", "InferenceCluster", "gke-from-zero")
AKS = ("reference-shapes/clusters.yaml", "InferenceCluster", "aks-plain")
NEBIUS = ("reference-shapes/clusters.yaml", "InferenceCluster", "nebius-from-zero")
ENDPOINT = ("reference-shapes/services.yaml", "ModelEndpoint", "provider")
CACHE = ("reference-shapes/caches.yaml", "ModelCache", "large")
DEPLOYMENT = ("reference-shapes/deployments.yaml", "ModelDeployment", "all-fields")
ENGINE = "/spec/template/spec/engines/0"
VERSION = "/spec/devices/0/attributes/driverVersion/version"
MEMORY = "/spec/devices/0/capacity/memory/value"

CASES: list[tuple[str, tuple[str, str, str], str, list[Any]]] = [
    (
        "every semantic version, with its pre-release and build",
        CLASS,
        VERSION,
        ["0.0.0", "550.127.8", "1.2.3-rc.1", "1.2.3-0a", "1.2.3--", "1.2.3+07.x-y", "1.2.3-a.0.b+c"],
    ),
    (
        "every way to write a quantity that is not negative",
        CLASS,
        MEMORY,
        ["0", "5.", ".5", "+1", "0.2G", "200M", "50m", "1Ei", "1e3", "1E-3", "2E", "81559Mi", "100n", "7u", "3k"],
    ),
    (
        "a GPU's name as clouds write it",
        GKE_CLASS,
        "/spec/provisioning/gke/accelerator/type",
        ["nvidia-l4", "H100_SXM.5"],
    ),
    ("a name of one letter, of digits, of the full length", DEPLOYMENT, f"{ENGINE}/name", ["a", "0", "a" * 63, "a--b"]),
    ("a pool's name of the full length", EXISTING, "/spec/nodePools/0/name", ["a" * 40, "1"]),
    ("the reference's manifests use this name", EXISTING, "/spec/nodePools/0/name", ["system"]),
    ("names of Secrets have dots", EXISTING, "/spec/cluster/existing/secretRef/name", ["a.b-c.d", "1"]),
    ("keys of Secrets have more", EXISTING, "/spec/cluster/existing/identitySecretRef/key", ["key.JSON", "_a-b", ".x"]),
    (
        "an existing cluster has whatever fabric it has",
        EXISTING,
        "/spec/nodePools/0/fabric/type",
        ["None", "EFA", "InfiniBand"],
    ),
    ("GKE wakes a pool from zero", GKE, "/spec/nodePools/0/nodeCount", [0, 1, 4]),
    (
        "a fixed pool of no nodes on AKS is parked, not asleep",
        AKS,
        "/spec/nodePools/0",
        [
            {"name": "parked", "className": "a10-aks", "nodeCount": 0},
            {"name": "a10", "className": "a10-aks", "nodeCount": 1, "maxNodeCount": 3},
        ],
    ),
    ("Nebius starts from zero without a floor", NEBIUS, "/spec/nodePools/0/maxNodeCount", [1, 100]),
    (
        "names, addresses of both kinds, ports and paths",
        ENDPOINT,
        "/spec/url",
        [
            "http://a",
            "http://a:1",
            "http://a:65535/",
            "http://a:9999/x",
            "http://203.0.113.1:80/v1/",
            "https://[2001:db8::1]/v1",
            "http://[::ffff:203.0.113.1]:8000",
            "https://API.Example-host.org/a%20b/~c",
        ],
    ),
    ("an empty rewrite is none, as in the reference", ENDPOINT, "/spec/rewritePath", ["", "/", "/openai/v1/"]),
    ("the Hub's names", CACHE, "/spec/huggingFace/repo", ["gpt2", "a/b", "_x/y.z-1", f"{'o' * 96}/{'n' * 96}"]),
    (
        "branches, tags, commits, and none",
        CACHE,
        "/spec/huggingFace/revision",
        ["", "main", "refs/pr/1", "v1.0+a", "a" * 255],
    ),
    ("none, one and the most replicas", DEPLOYMENT, "/spec/replicas", [0, 1, 11, 1000]),
    (
        "label keys with and without a prefix, also below ours",
        DEPLOYMENT,
        "/spec/template/metadata/labels",
        [{}, {"a": ""}, {"x.modelplane.ai/a": "b"}, {f"{'p' * 253}/{'n' * 63}": "v" * 63}, {"A_b.c-9": "A_b.c-9"}],
    ),
    (
        "annotations say anything, also under our prefix",
        DEPLOYMENT,
        f"{ENGINE}/members/0/template/metadata/annotations",
        [{}, {"modelplane.ai/x": "any thing\n"}, {"Upper.Example/x": "y"}],
    ),
    (
        "what the workload cluster refuses later, and the reference accepts, is the function's to report",
        DEPLOYMENT,
        f"{ENGINE}/members/0/template/spec/containers/0/env",
        [[{"name": "A", "value": "1"}, {"name": "A", "value": "2"}], [{"name": "A"}]],
    ),
]
ROWS = [
    pytest.param(reason, at, path, value, id=f"{at[1]} {path} {str(value)[:40]}")
    for reason, at, path, values in CASES
    for value in values
]


@pytest.mark.parametrize(("reason", "at", "path", "value"), ROWS)
def test_accepted(reason: str, at: tuple[str, str, str], path: str, value: Any) -> None:
    good: Manifest = example(*at)
    _, errors = ADMISSIONS[good["kind"]].admit(edited(good, [{"op": "replace", "path": path, "value": value}]))

    assert errors == [], reason
