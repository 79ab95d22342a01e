"""Services, and the Gateway API kinds with Envoy's and the inference extension's."""

from __future__ import annotations

from typing import Any, Literal

from schemas.wire import Document, Metadata, Wire


class ServicePort(Wire):
    """A port of a Service."""

    port: int
    name: str | None = None
    protocol: Literal["TCP"] | None = None
    target_port: int | str | None = None
    app_protocol: str | None = None


class ServiceSpec(Wire):
    """A Service; without a selector, its EndpointSlices are somebody else's to write."""

    ports: list[ServicePort]
    selector: dict[str, str] | None = None
    type: Literal["ClusterIP", "LoadBalancer"] | None = None


class Service(Document):
    """A Service."""

    api_version: Literal["v1"] = "v1"
    kind: Literal["Service"] = "Service"
    metadata: Metadata | None = None
    spec: ServiceSpec


class EndpointConditions(Wire):
    """Whether an address serves."""

    ready: bool


class SliceEndpoint(Wire):
    """One endpoint of a slice."""

    addresses: list[str]
    conditions: EndpointConditions


class SlicePort(Wire):
    """A port of a slice; the name is that of the Service's port."""

    name: str
    port: int
    protocol: Literal["TCP"]


class EndpointSlice(Document):
    """An EndpointSlice."""

    api_version: Literal["discovery.k8s.io/v1"] = "discovery.k8s.io/v1"
    kind: Literal["EndpointSlice"] = "EndpointSlice"
    metadata: Metadata
    address_type: Literal["IPv4", "IPv6", "FQDN"]
    endpoints: list[SliceEndpoint]
    ports: list[SlicePort]


class ParametersReference(Wire):
    """An object with settings for a gateway or a class."""

    group: str
    kind: str
    name: str
    namespace: str | None = None


class GatewayClassSpec(Wire):
    """Which controller serves the class."""

    controller_name: str
    parameters_ref: ParametersReference | None = None


class GatewayClass(Document):
    """A GatewayClass."""

    api_version: Literal["gateway.networking.k8s.io/v1"] = "gateway.networking.k8s.io/v1"
    kind: Literal["GatewayClass"] = "GatewayClass"
    metadata: Metadata
    spec: GatewayClassSpec


class RouteNamespaces(Wire):
    """From which namespaces routes may attach."""

    from_: Literal["All", "Same", "Selector"]


class AllowedRoutes(Wire):
    """Which routes may attach."""

    namespaces: RouteNamespaces


class Listener(Wire):
    """Where a gateway listens."""

    name: str
    port: int
    protocol: str
    allowed_routes: AllowedRoutes | None = None


class GatewayInfrastructure(Wire):
    """Settings for what is made for the gateway."""

    parameters_ref: ParametersReference


class GatewaySpec(Wire):
    """A gateway."""

    gateway_class_name: str
    listeners: list[Listener]
    infrastructure: GatewayInfrastructure | None = None


class Gateway(Document):
    """A Gateway."""

    api_version: Literal["gateway.networking.k8s.io/v1"] = "gateway.networking.k8s.io/v1"
    kind: Literal["Gateway"] = "Gateway"
    metadata: Metadata
    spec: GatewaySpec


class EnvoyProxy(Document):
    """Envoy Gateway's settings of a proxy; its many settings are written as they stand there."""

    api_version: Literal["gateway.envoyproxy.io/v1alpha1"] = "gateway.envoyproxy.io/v1alpha1"
    kind: Literal["EnvoyProxy"] = "EnvoyProxy"
    metadata: Metadata
    spec: dict[str, Any]


class ParentReference(Wire):
    """The gateway that a route attaches to."""

    name: str
    namespace: str


class PathMatch(Wire):
    """Which paths match."""

    type: Literal["PathPrefix", "Exact"]
    value: str


class RouteMatch(Wire):
    """Which requests match."""

    path: PathMatch


class PathRewrite(Wire):
    """What the matched prefix becomes."""

    type: Literal["ReplacePrefixMatch"]
    replace_prefix_match: str


class UrlRewrite(Wire):
    """What becomes of the URL."""

    path: PathRewrite | None = None
    hostname: str | None = None


class RouteFilter(Wire):
    """What is done to a request on its way."""

    type: Literal["URLRewrite"]
    url_rewrite: UrlRewrite


class BackendReference(Wire):
    """Where requests go, and which share of them."""

    name: str
    group: str | None = None
    kind: str | None = None
    namespace: str | None = None
    port: int | None = None
    weight: int | None = None
    filters: list[RouteFilter] | None = None


class RouteTimeouts(Wire):
    """How long a request may take; ``0s`` is without a limit."""

    request: str | None = None
    backend_request: str | None = None


class RouteRule(Wire):
    """What is done with the requests that match."""

    matches: list[RouteMatch] | None = None
    filters: list[RouteFilter] | None = None
    backend_refs: list[BackendReference] | None = None
    timeouts: RouteTimeouts | None = None


class HTTPRouteSpec(Wire):
    """A route."""

    parent_refs: list[ParentReference]
    hostnames: list[str] | None = None
    rules: list[RouteRule]


class HTTPRoute(Document):
    """An HTTPRoute."""

    api_version: Literal["gateway.networking.k8s.io/v1"] = "gateway.networking.k8s.io/v1"
    kind: Literal["HTTPRoute"] = "HTTPRoute"
    metadata: Metadata | None = None
    spec: HTTPRouteSpec


class PoolSelector(Wire):
    """The pods of a pool."""

    match_labels: dict[str, str]


class PoolPort(Wire):
    """A port of the pool's pods."""

    number: int


class PickerReference(Wire):
    """The endpoint picker of a pool."""

    name: str
    port: PoolPort
    failure_mode: Literal["FailOpen", "FailClose"]


class InferencePoolSpec(Wire):
    """Pods among which a picker chooses."""

    selector: PoolSelector
    target_ports: list[PoolPort]
    endpoint_picker_ref: PickerReference


class InferencePool(Document):
    """An InferencePool."""

    api_version: Literal["inference.networking.k8s.io/v1"] = "inference.networking.k8s.io/v1"
    kind: Literal["InferencePool"] = "InferencePool"
    metadata: Metadata
    spec: InferencePoolSpec
