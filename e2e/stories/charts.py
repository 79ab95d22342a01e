"""Charts that a platform engineer adds to a cluster by hand, with provider-helm."""

from __future__ import annotations

from e2e.lab.management import NAMESPACE
from e2e.lab.objects import Manifest

HELM = "helm.m.crossplane.io/v1beta1"


def leader_worker_set(cluster: str) -> list[Manifest]:
    """The LeaderWorkerSet controller on the cluster whose kubeconfig is in the Secret `CLUSTER-kubeconfig`."""
    config, secret = f"{cluster}-charts", f"{cluster}-kubeconfig"
    credentials = {"source": "Secret", "secretRef": {"namespace": NAMESPACE, "name": secret, "key": "kubeconfig"}}
    return [
        {
            "apiVersion": HELM,
            "kind": "ProviderConfig",
            "metadata": {"namespace": NAMESPACE, "name": config},
            "spec": {"credentials": credentials},
        },
        {
            "apiVersion": HELM,
            "kind": "Release",
            "metadata": {
                "namespace": NAMESPACE,
                "name": f"{cluster}-lws",
                "annotations": {"crossplane.io/external-name": "mp-lws"},
            },
            "spec": {
                "providerConfigRef": {"kind": "ProviderConfig", "name": config},
                "rollbackLimit": 5,
                "forProvider": {
                    "namespace": "lws-system",
                    "chart": {"repository": "oci://registry.k8s.io/lws/charts", "name": "lws", "version": "0.8.0"},
                },
            },
        },
    ]
