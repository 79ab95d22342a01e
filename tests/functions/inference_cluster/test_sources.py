"""What holds for any source that answers the contract of clusters, shown with one that the test makes up."""

from __future__ import annotations

from typing import Any

import pytest

from inference_cluster import FUNCTION, sources
from modelplane.remote.config import SecretKey
from modelplane.remote.infrastructure import ClusterFacts
from tests.functions import harness
from tests.functions.harness import Facts

KUBECONFIG = SecretKey("modelplane-system", "made", "kubeconfig")
READY = ClusterFacts(KUBECONFIG, driver_root="/home/kubernetes/bin/nvidia", ready=True)
UNKNOWN = ClusterFacts(None)
FLAPPING = ClusterFacts(KUBECONFIG, ready=False)


def answer(monkeypatch: pytest.MonkeyPatch, source: ClusterFacts, observed: dict[str, Any]) -> Any:
    monkeypatch.setattr(sources, "SOURCES", {"Cloud": lambda _: source})
    composite = {
        "apiVersion": "modelplane.ai/v1alpha1",
        "kind": "InferenceCluster",
        "metadata": {"name": "eu-1"},
        "spec": {"cluster": {"source": "Cloud"}},
    }
    return harness.respond(FUNCTION, Facts(composite, observed, {"model-replicas": []}))


def made(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The children of a cluster that is Ready."""
    return harness.manifests(answer(monkeypatch, READY, {}))


def test_a_ready_cluster_passes_on_what_is_particular_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert made(monkeypatch)["serving-stack"]["spec"] == {
        "secrets": [{"type": "Kubeconfig", "name": "made", "key": "kubeconfig"}],
        "nvidiaDriverRoot": "/home/kubernetes/bin/nvidia",
    }


def test_a_cluster_that_is_being_made_has_nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    response = answer(monkeypatch, UNKNOWN, {})

    assert harness.manifests(response) == {}
    assert {kind: (status, reason) for kind, (status, reason, _) in harness.conditions(response).items()} == {
        "ClusterReady": ("False", "Provisioning"),
        "BackendReady": ("False", "WaitingForCluster"),
    }


@pytest.mark.parametrize("source", [UNKNOWN, FLAPPING], ids=["credentials-gone", "not-ready"])
def test_a_cluster_that_flaps_keeps_its_config_and_its_stack(
    monkeypatch: pytest.MonkeyPatch, source: ClusterFacts
) -> None:
    observed = made(monkeypatch)
    response = answer(monkeypatch, source, observed)

    assert set(harness.manifests(response)) == {"cluster-provider-config-kubernetes", "serving-stack"}
    assert harness.conditions(response)["ClusterReady"][:2] == ("False", "Provisioning")
    assert harness.plain(response)["ready"] is False
