"""The parts of a serving stack. A part is a row: its key, how it is written, what it waits for and what it outlives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from modelplane.contract import labels, ports
from modelplane.kit.view import View
from modelplane.remote import object as remote
from modelplane.remote import release
from modelplane.remote.config import ConfigRef
from modelplane.remote.release import Chart

KUBERNETES_CONFIG: Final = "provider-config-kubernetes"
HELM_CONFIG: Final = "provider-config-helm"
ENVOY: Final = "envoy-gateway"
NAMESPACE: Final = "gateway-namespace"
PROXY: Final = "gateway-proxy"
GATEWAY: Final = "gateway"

_ENVOY_VERSION: Final = "v1.8.1"
_DEFAULT_CLASS: Final = "envoy"
_PROXY_GROUP: Final = "gateway.envoyproxy.io"


@dataclass(frozen=True, slots=True)
class Part:
    """One Release or Object of the stack, in an order in which each follows what it needs."""

    key: str
    manifest: dict[str, Any]
    config: str
    needs: tuple[str, ...]
    outlives: tuple[str, ...] = ()


def parts(spec: View, config: ConfigRef) -> Iterator[Part]:
    """All parts of the stack that a ServingStack's spec asks for."""
    gateway_class = spec.view("gateway").text("className", _DEFAULT_CLASS)
    # The name is in the key: an Object whose manifest is renamed would forget the class that it made.
    class_key = f"gateway-class-{gateway_class}"
    version = spec.view("versions").text("envoyGateway", _ENVOY_VERSION)
    chart = Chart("gateway-helm", "oci://docker.io/envoyproxy", version, "envoy-gateway-system")
    # The controller clears finalizers of class and Gateway, and takes the load balancer down, so it goes last.
    yield Part(ENVOY, release.wrap(chart, config), HELM_CONFIG, (HELM_CONFIG,), (class_key,))
    namespace = remote.wrap(_namespace(), config)
    yield Part(NAMESPACE, namespace, KUBERNETES_CONFIG, (KUBERNETES_CONFIG,), (PROXY, GATEWAY))
    proxy = remote.wrap(_proxy(), config)
    yield Part(PROXY, proxy, KUBERNETES_CONFIG, (NAMESPACE, ENVOY), (class_key,))
    made_class = remote.wrap(_gateway_class(gateway_class), config)
    yield Part(class_key, made_class, KUBERNETES_CONFIG, (PROXY,), (GATEWAY,))
    gateway = remote.wrap(_gateway(gateway_class, spec), config, readiness=remote.ADDRESSED)
    yield Part(GATEWAY, gateway, KUBERNETES_CONFIG, (class_key,))


def _namespace() -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": labels.SYSTEM_NAMESPACE}}


def _proxy() -> dict[str, Any]:
    # Some clouds' load balancers refuse the default policy, Local.
    service = {"externalTrafficPolicy": "Cluster"}
    return {
        "apiVersion": f"{_PROXY_GROUP}/v1alpha1",
        "kind": "EnvoyProxy",
        "metadata": {"name": labels.GATEWAY, "namespace": labels.SYSTEM_NAMESPACE},
        "spec": {"provider": {"type": "Kubernetes", "kubernetes": {"envoyService": service}}},
    }


def _gateway_class(name: str) -> dict[str, Any]:
    parameters = {
        "group": _PROXY_GROUP,
        "kind": "EnvoyProxy",
        "name": labels.GATEWAY,
        "namespace": labels.SYSTEM_NAMESPACE,
    }
    return {
        "apiVersion": "gateway.networking.k8s.io/v1",
        "kind": "GatewayClass",
        "metadata": {"name": name},
        "spec": {"controllerName": f"{_PROXY_GROUP}/gatewayclass-controller", "parametersRef": parameters},
    }


def _gateway(class_name: str, spec: View) -> dict[str, Any]:
    """The Gateway; tenants' routes come from their own namespaces."""
    given = [listener.plain() for listener in spec.view("gateway").views("listeners")]
    listeners = given or [{"name": "http", "port": ports.GATEWAY, "protocol": "HTTP"}]
    allowed = {"allowedRoutes": {"namespaces": {"from": "All"}}}
    return {
        "apiVersion": "gateway.networking.k8s.io/v1",
        "kind": "Gateway",
        "metadata": {"name": labels.GATEWAY, "namespace": labels.SYSTEM_NAMESPACE},
        "spec": {"gatewayClassName": class_name, "listeners": [{**each, **allowed} for each in listeners]},
    }
