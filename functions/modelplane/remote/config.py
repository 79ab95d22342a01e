"""Provider configs: how provider-kubernetes and provider-helm reach a workload cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

KUBERNETES: Final = "kubernetes.m.crossplane.io/v1alpha1"
HELM: Final = "helm.m.crossplane.io/v1beta1"


@dataclass(frozen=True, slots=True)
class ConfigRef:
    """A provider config by name. A `ProviderConfig` is looked up in the namespace of what refers to it."""

    name: str
    kind: Literal["ProviderConfig", "ClusterProviderConfig"] = "ClusterProviderConfig"

    def plain(self) -> dict[str, str]:
        """A managed resource's spec.providerConfigRef."""
        return {"kind": self.kind, "name": self.name}


@dataclass(frozen=True, slots=True)
class SecretKey:
    """A key of a Secret on the control plane."""

    namespace: str
    name: str
    key: str

    def plain(self) -> dict[str, str]:
        """A secretRef."""
        return {"namespace": self.namespace, "name": self.name, "key": self.key}


@dataclass(frozen=True, slots=True)
class Identity:
    """The cloud identity that a kubeconfig without credentials of its own relies on; `type` is the providers' word."""

    type: str
    secret: SecretKey


def write(api_version: str, ref: ConfigRef, kubeconfig: SecretKey, identity: Identity | None = None) -> dict[str, Any]:
    """The provider config of that API version, `KUBERNETES` or `HELM`; a namespaced one has no namespace set."""
    spec: dict[str, Any] = {"credentials": {"source": "Secret", "secretRef": kubeconfig.plain()}}
    if identity is not None:
        spec["identity"] = {"type": identity.type, "source": "Secret", "secretRef": identity.secret.plain()}
    return {"apiVersion": api_version, "kind": ref.kind, "metadata": {"name": ref.name}, "spec": spec}
