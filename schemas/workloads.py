"""What a replica is on its workload cluster: pods, the controllers that keep them, and what they claim."""

from __future__ import annotations

from typing import Literal

from schemas.wire import Document, Metadata, Wire


class KeySelector(Wire):
    """A key of a Secret or a ConfigMap."""

    name: str
    key: str
    optional: bool | None = None


class FieldSelector(Wire):
    """A field of the pod."""

    api_version: str | None = None
    field_path: str


class EnvSource(Wire):
    """Where a variable's value comes from; exactly one is set."""

    secret_key_ref: KeySelector | None = None
    config_map_key_ref: KeySelector | None = None
    field_ref: FieldSelector | None = None


class EnvVar(Wire):
    """An environment variable."""

    name: str
    value: str | None = None
    value_from: EnvSource | None = None


class ContainerPort(Wire):
    """A port that a container listens on."""

    container_port: int
    name: str | None = None
    protocol: Literal["TCP"] | None = None


class HttpGet(Wire):
    """A probe's request."""

    path: str
    port: int | str


class Probe(Wire):
    """When a container is healthy."""

    http_get: HttpGet
    initial_delay_seconds: int | None = None
    period_seconds: int | None = None
    timeout_seconds: int | None = None
    failure_threshold: int | None = None


class VolumeMount(Wire):
    """Where a container sees a volume."""

    name: str
    mount_path: str
    read_only: bool | None = None


class ContainerClaim(Wire):
    """A claim of the pod that the container uses."""

    name: str


class Resources(Wire):
    """What a container uses."""

    claims: list[ContainerClaim] | None = None


class Container(Wire):
    """A container."""

    name: str
    image: str
    command: list[str] | None = None
    args: list[str] | None = None
    env: list[EnvVar] | None = None
    ports: list[ContainerPort] | None = None
    readiness_probe: Probe | None = None
    resources: Resources | None = None
    volume_mounts: list[VolumeMount] | None = None


class EmptyDir(Wire):
    """A volume that lives with the pod."""

    medium: Literal["Memory"] | None = None
    size_limit: str | None = None


class VolumeClaim(Wire):
    """A PersistentVolumeClaim as a volume."""

    claim_name: str
    read_only: bool | None = None


class Volume(Wire):
    """A volume of the pod."""

    name: str
    empty_dir: EmptyDir | None = None
    persistent_volume_claim: VolumeClaim | None = None


class PodToleration(Wire):
    """A taint that the pod puts up with."""

    key: str | None = None
    operator: Literal["Exists", "Equal"] | None = None
    value: str | None = None
    effect: Literal["NoSchedule", "NoExecute", "PreferNoSchedule"] | None = None


class PodClaim(Wire):
    """A claim made for the pod."""

    name: str
    resource_claim_template_name: str


class LocalReference(Wire):
    """An object in the pod's namespace."""

    name: str


class PodSpec(Wire):
    """A pod."""

    containers: list[Container]
    volumes: list[Volume] | None = None
    node_selector: dict[str, str] | None = None
    tolerations: list[PodToleration] | None = None
    resource_claims: list[PodClaim] | None = None
    image_pull_secrets: list[LocalReference] | None = None


class PodTemplate(Wire):
    """What a controller makes pods from."""

    metadata: Metadata | None = None
    spec: PodSpec


class LabelSelector(Wire):
    """The labels of the pods that a controller owns."""

    match_labels: dict[str, str]


class RollingUpdate(Wire):
    """How many pods may be missing or in excess during an update."""

    max_surge: int | str
    max_unavailable: int | str


class Strategy(Wire):
    """How an update goes."""

    type: Literal["RollingUpdate", "Recreate"]
    rolling_update: RollingUpdate | None = None


class DeploymentSpec(Wire):
    """Like pods without an order."""

    replicas: int
    selector: LabelSelector
    template: PodTemplate
    strategy: Strategy | None = None


class Deployment(Document):
    """A Deployment."""

    api_version: Literal["apps/v1"] = "apps/v1"
    kind: Literal["Deployment"] = "Deployment"
    metadata: Metadata
    spec: DeploymentSpec


class LeaderWorkerTemplate(Wire):
    """One gang; `size` counts the leader."""

    size: int
    leader_template: PodTemplate | None = None
    worker_template: PodTemplate
    restart_policy: Literal["RecreateGroupOnPodRestart", "None"] | None = None


class LwsRollingUpdate(Wire):
    """How many gangs may be missing or in excess during an update."""

    max_surge: int | str | None = None
    max_unavailable: int | str | None = None


class LwsRollout(Wire):
    """How an update of the gangs goes."""

    type: Literal["RollingUpdate"]
    rolling_update_configuration: LwsRollingUpdate | None = None


class LeaderWorkerSetSpec(Wire):
    """Like gangs."""

    replicas: int
    leader_worker_template: LeaderWorkerTemplate
    rollout_strategy: LwsRollout | None = None
    startup_policy: Literal["LeaderCreated", "LeaderReady"] | None = None


class LeaderWorkerSet(Document):
    """A LeaderWorkerSet."""

    api_version: Literal["leaderworkerset.x-k8s.io/v1"] = "leaderworkerset.x-k8s.io/v1"
    kind: Literal["LeaderWorkerSet"] = "LeaderWorkerSet"
    metadata: Metadata
    spec: LeaderWorkerSetSpec


class CelSelector(Wire):
    """A CEL expression over one device."""

    expression: str


class DeviceSelector(Wire):
    """One condition on a device."""

    cel: CelSelector


class ExactRequest(Wire):
    """So many devices of one class."""

    device_class_name: str
    count: int | None = None
    selectors: list[DeviceSelector] | None = None


class DeviceRequest(Wire):
    """A request of a claim."""

    name: str
    exactly: ExactRequest


class DeviceClaim(Wire):
    """The requests of a claim."""

    requests: list[DeviceRequest]


class ResourceClaimSpec(Wire):
    """A claim."""

    devices: DeviceClaim


class ResourceClaimTemplateSpec(Wire):
    """What claims are made from."""

    spec: ResourceClaimSpec


class ResourceClaimTemplate(Document):
    """A ResourceClaimTemplate."""

    api_version: Literal["resource.k8s.io/v1"] = "resource.k8s.io/v1"
    kind: Literal["ResourceClaimTemplate"] = "ResourceClaimTemplate"
    metadata: Metadata
    spec: ResourceClaimTemplateSpec


class Namespace(Document):
    """A namespace."""

    api_version: Literal["v1"] = "v1"
    kind: Literal["Namespace"] = "Namespace"
    metadata: Metadata
