from __future__ import annotations

from typing import Any

import pytest

from modelplane.remote import config, infrastructure
from modelplane.remote.config import ConfigRef, Identity, SecretKey
from modelplane.remote.infrastructure import ClusterFacts

KUBECONFIG = {"type": "Kubeconfig", "name": "kc", "key": "kubeconfig"}
NEBIUS = {"type": "NebiusServiceAccountCredentials", "name": "nb", "key": "credentials", "namespace": "elsewhere"}
GOOGLE = {"type": "GoogleApplicationCredentials", "name": "sa", "key": "private_key"}

KC = SecretKey("home", "kc", "kubeconfig")
NB = Identity("NebiusServiceAccountCredentials", SecretKey("elsewhere", "nb", "credentials"))
SA = Identity("GoogleApplicationCredentials", SecretKey("home", "sa", "private_key"))


@pytest.mark.parametrize(
    ("status", "facts", "reason"),
    [
        pytest.param({}, ClusterFacts(None), "a status that was never written", id="empty"),
        pytest.param({"secrets": None, "cache": None}, ClusterFacts(None), "null is the same as absent", id="null"),
        pytest.param({"secrets": [KUBECONFIG]}, ClusterFacts(KC), "a kubeconfig that is enough", id="kubeconfig"),
        pytest.param(
            {"secrets": [GOOGLE, KUBECONFIG]}, ClusterFacts(KC, SA), "the order of kinds does not matter", id="identity"
        ),
        pytest.param(
            {"secrets": [KUBECONFIG, NEBIUS, GOOGLE]},
            ClusterFacts(KC, NB),
            "the first identity counts, with a namespace of its own",
            id="first-identity",
        ),
        pytest.param(
            {"secrets": [{**KUBECONFIG, "namespace": "somebody-elses"}]},
            ClusterFacts(KC),
            "a kubeconfig comes from the cluster's own namespace, whatever it says",
            id="borrowed",
        ),
        pytest.param(
            {"cache": {"storageClassName": "rwx"}, "nvidiaDriverRoot": "/home/kubernetes/bin/nvidia"},
            ClusterFacts(None, None, "rwx", "/home/kubernetes/bin/nvidia"),
            "what is particular to a cloud",
            id="particular",
        ),
    ],
)
def test_read(status: dict[str, Any], facts: ClusterFacts, reason: str) -> None:
    assert infrastructure.read(status, "home", ready=False) == facts, reason


def test_ready_is_passed_on() -> None:
    assert infrastructure.read({}, "home", ready=True) == ClusterFacts(None, ready=True)


@pytest.mark.parametrize("secrets", [[], [KUBECONFIG], [KUBECONFIG, GOOGLE], [KUBECONFIG, NEBIUS]])
def test_what_is_written_is_read_again(secrets: list[dict[str, str]]) -> None:
    facts = infrastructure.read({"secrets": secrets}, "home", ready=True)

    assert infrastructure.write_secrets(facts, "home") == secrets


@pytest.mark.parametrize(
    ("version", "ref", "identity", "wanted", "reason"),
    [
        pytest.param(
            config.KUBERNETES,
            ConfigRef("eu-1"),
            None,
            {
                "apiVersion": "kubernetes.m.crossplane.io/v1alpha1",
                "kind": "ClusterProviderConfig",
                "metadata": {"name": "eu-1"},
                "spec": {
                    "credentials": {
                        "source": "Secret",
                        "secretRef": {"namespace": "home", "name": "kc", "key": "kubeconfig"},
                    }
                },
            },
            "a kubeconfig alone says nothing of an identity",
            id="kubeconfig",
        ),
        pytest.param(
            config.HELM,
            ConfigRef("eu-1", "ProviderConfig"),
            NB,
            {
                "apiVersion": "helm.m.crossplane.io/v1beta1",
                "kind": "ProviderConfig",
                "metadata": {"name": "eu-1"},
                "spec": {
                    "credentials": {
                        "source": "Secret",
                        "secretRef": {"namespace": "home", "name": "kc", "key": "kubeconfig"},
                    },
                    "identity": {
                        "type": "NebiusServiceAccountCredentials",
                        "source": "Secret",
                        "secretRef": {"namespace": "elsewhere", "name": "nb", "key": "credentials"},
                    },
                },
            },
            "an identity goes with its own type and namespace",
            id="identity",
        ),
    ],
)
def test_provider_config(
    version: str, ref: ConfigRef, identity: Identity | None, wanted: dict[str, Any], reason: str
) -> None:
    assert config.write(version, ref, KC, identity) == wanted, reason
