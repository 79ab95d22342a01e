"""provider-kubernetes and provider-helm, the namespaced kinds, and Crossplane's usages."""

from __future__ import annotations

from typing import Any, Literal

from schemas.wire import Document, Metadata, Wire

Source = Literal["None", "Secret", "InjectedIdentity", "Environment", "Filesystem"]


class ConfigReference(Wire):
    """Which provider config an object is applied with."""

    kind: Literal["ProviderConfig", "ClusterProviderConfig"]
    name: str


class SecretKey(Wire):
    """A key of a Secret in a namespace."""

    name: str
    namespace: str
    key: str


class Credentials(Wire):
    """Where a kubeconfig comes from."""

    source: Source
    secret_ref: SecretKey | None = None


class Identity(Wire):
    """Where a cloud identity comes from, and its kind."""

    type: Literal["GoogleApplicationCredentials", "AWSWebIdentityCredentials", "NebiusServiceAccountCredentials"]
    source: Source
    secret_ref: SecretKey | None = None


class ConfigSpec(Wire):
    """How a provider reaches a cluster."""

    credentials: Credentials
    identity: Identity | None = None


class KubernetesProviderConfig(Document):
    """A provider-kubernetes config of one namespace."""

    api_version: Literal["kubernetes.m.crossplane.io/v1alpha1"] = "kubernetes.m.crossplane.io/v1alpha1"
    kind: Literal["ProviderConfig"] = "ProviderConfig"
    metadata: Metadata | None = None
    spec: ConfigSpec


class KubernetesClusterProviderConfig(Document):
    """A provider-kubernetes config for all namespaces."""

    api_version: Literal["kubernetes.m.crossplane.io/v1alpha1"] = "kubernetes.m.crossplane.io/v1alpha1"
    kind: Literal["ClusterProviderConfig"] = "ClusterProviderConfig"
    metadata: Metadata | None = None
    spec: ConfigSpec


class HelmProviderConfig(Document):
    """A provider-helm config of one namespace."""

    api_version: Literal["helm.m.crossplane.io/v1beta1"] = "helm.m.crossplane.io/v1beta1"
    kind: Literal["ProviderConfig"] = "ProviderConfig"
    metadata: Metadata | None = None
    spec: ConfigSpec


class Readiness(Wire):
    """When an Object counts as ready; the query sees the remote object as ``object``."""

    policy: Literal["SuccessfulCreate", "DeriveFromObject", "AllTrue", "DeriveFromCelQuery"]
    cel_query: str | None = None


class ObjectParameters(Wire):
    """The remote object as it is to be."""

    manifest: dict[str, Any]


class ObjectSpec(Wire):
    """One remote object and how it is kept."""

    for_provider: ObjectParameters
    provider_config_ref: ConfigReference
    readiness: Readiness | None = None
    management_policies: list[str] | None = None
    watch: bool | None = None


class Object(Document):
    """A remote object, kept by provider-kubernetes."""

    api_version: Literal["kubernetes.m.crossplane.io/v1alpha1"] = "kubernetes.m.crossplane.io/v1alpha1"
    kind: Literal["Object"] = "Object"
    metadata: Metadata | None = None
    spec: ObjectSpec


class Chart(Wire):
    """A Helm chart."""

    name: str | None = None
    repository: str | None = None
    url: str | None = None
    version: str | None = None


class ReleaseParameters(Wire):
    """What is installed."""

    chart: Chart
    namespace: str
    values: dict[str, Any] | None = None
    skip_create_namespace: bool | None = None
    wait: bool | None = None
    wait_timeout: str | None = None


class ReleaseSpec(Wire):
    """One release and how it is kept."""

    for_provider: ReleaseParameters
    provider_config_ref: ConfigReference
    rollback_limit: int | None = None
    management_policies: list[str] | None = None


class Release(Document):
    """A Helm release, kept by provider-helm."""

    api_version: Literal["helm.m.crossplane.io/v1beta1"] = "helm.m.crossplane.io/v1beta1"
    kind: Literal["Release"] = "Release"
    metadata: Metadata | None = None
    spec: ReleaseSpec


class NamedResource(Wire):
    """An object by name."""

    name: str


class ResourceSelector(Wire):
    """An object by labels, or by having the same controller."""

    match_labels: dict[str, str] | None = None
    match_controller_ref: bool | None = None


class UsedResource(Wire):
    """An end of a usage: what is used, or what uses it."""

    api_version: str
    kind: str
    resource_ref: NamedResource | None = None
    resource_selector: ResourceSelector | None = None


class UsageSpec(Wire):
    """`of` is not deleted before `by` is gone; without `by`, while the usage stands."""

    of: UsedResource
    by: UsedResource | None = None
    reason: str | None = None
    replay_deletion: bool | None = None


class Usage(Document):
    """Protects an object of its namespace from deletion."""

    api_version: Literal["protection.crossplane.io/v1beta1"] = "protection.crossplane.io/v1beta1"
    kind: Literal["Usage"] = "Usage"
    metadata: Metadata | None = None
    spec: UsageSpec


class ClusterUsage(Document):
    """Protects a cluster-scoped object from deletion."""

    api_version: Literal["protection.crossplane.io/v1beta1"] = "protection.crossplane.io/v1beta1"
    kind: Literal["ClusterUsage"] = "ClusterUsage"
    metadata: Metadata | None = None
    spec: UsageSpec
