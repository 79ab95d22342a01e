"""A selectorless Service and its EndpointSlice: the one form of backend that every gateway takes."""

from __future__ import annotations

from typing import Any, Final

from model_endpoint.address import Address, InvalidUrlError, parse
from modelplane.contract import names
from modelplane.contract.conditions import ENDPOINT_ROUTING_READY
from modelplane.kit.seen import Seen
from modelplane.kit.want import Ready, Want

_SERVICE: Final = "service"
_SLICE: Final = "endpointslice-"


def compose(seen: Seen[dict[str, Any]], want: Want[dict[str, Any]]) -> None:
    """Write the Service and its slice, and publish the name once both exist."""
    url = seen.composite.spec.text("url")
    try:
        address = parse(url)
    except InvalidUrlError as error:
        message = f"spec.url {url!r} cannot be routed to: {error}; what routes now is kept"
        want.condition(ENDPOINT_ROUTING_READY("InvalidURL", message), event=True)
        want.keep_rest()
        return
    service = names.name(seen.composite.name, hidden=("endpoint",))
    key = f"{_SLICE}{address.kind.lower()}"
    want.add(_SERVICE, _service(service, address), ready=Ready.OBSERVED)
    want.add(key, _slice(service, address), ready=Ready.OBSERVED)
    if want.is_ready(_SERVICE) and want.is_ready(key):
        message = f"Service {service} leads to {address.host}, port {address.port}"
        want.condition(ENDPOINT_ROUTING_READY("BackendConfigured", message), event=True)
        want.set_status({"routing": {"backendName": service}})
        return
    message = f"the Service {service} or its slice does not exist yet"
    want.condition(ENDPOINT_ROUTING_READY("WaitingForBackend", message))
    _keep_published(seen, want)


def _keep_published(seen: Seen[Any], want: Want[Any]) -> None:
    """While one kind of address replaces another the Service stays, so what routes to it stays too."""
    published = seen.composite.status.view("routing").text("backendName")
    if published:
        want.set_status({"routing": {"backendName": published}})


def _service(name: str, address: Address) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name},
        "spec": {"ports": [{"protocol": "TCP", "port": address.port}]},
    }


def _slice(service: str, address: Address) -> dict[str, Any]:
    """The slice; its kind of address is immutable, so it is part of its key and of its name."""
    labels = {"kubernetes.io/service-name": service, "endpointslice.kubernetes.io/managed-by": "modelplane.ai"}
    return {
        "apiVersion": "discovery.k8s.io/v1",
        "kind": "EndpointSlice",
        "metadata": {"name": names.name(service, hidden=(address.kind,)), "labels": labels},
        "addressType": address.kind,
        "ports": [{"name": "", "protocol": "TCP", "port": address.port}],
        # Traefik leaves out an endpoint whose readiness is not stated.
        "endpoints": [{"addresses": [address.host], "conditions": {"ready": True}}],
    }
