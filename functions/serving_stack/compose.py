"""From a ServingStack to its provider configs and the parts that are installed through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from modelplane.contract import names
from modelplane.contract.conditions import GATEWAY_READY, Condition
from modelplane.kit.seen import Seen
from modelplane.kit.want import Ready, Want
from modelplane.remote import config
from modelplane.remote.config import ConfigRef, Identity, SecretKey
from modelplane.remote.infrastructure import read_secrets
from serving_stack import parts
from serving_stack.parts import GATEWAY, HELM_CONFIG, KUBERNETES_CONFIG, Part


def compose(seen: Seen[dict[str, Any]], want: Want[dict[str, Any]]) -> None:
    """Write the configs, then every part whose needs are met."""
    spec = seen.composite.spec
    secrets = [secret.plain() for secret in spec.views("secrets")]
    kubeconfig, identity = read_secrets(secrets, seen.composite.namespace)
    if kubeconfig is None:
        message = "spec.secrets has no entry of type Kubeconfig; what exists is kept"
        want.condition(GATEWAY_READY("Connecting", message), event=True)
        want.keep_rest()
        return
    ref = ConfigRef(names.name(seen.composite.name, "cluster"), "ProviderConfig")
    wanted = tuple(parts.parts(spec, ref))
    _connect(want, wanted, ref, kubeconfig, identity)
    for part in wanted:
        want.add(part.key, part.manifest, needs=part.needs, outlives=part.outlives)
    _report(seen, want)


def _connect(
    want: Want[Any], wanted: Sequence[Part], ref: ConfigRef, kubeconfig: SecretKey, identity: Identity | None
) -> None:
    """The provider configs, each of which must outlive whatever is removed through it."""
    for key, version in ((KUBERNETES_CONFIG, config.KUBERNETES), (HELM_CONFIG, config.HELM)):
        consumers = [part.key for part in wanted if part.config == key]
        manifest = config.write(version, ref, kubeconfig, identity)
        want.add(key, manifest, ready=Ready.OBSERVED, outlives=consumers)


def _report(seen: Seen[Any], want: Want[Any]) -> None:
    child = seen.children.get(GATEWAY)
    manifest = child.status.view("atProvider").view("manifest") if child is not None else None
    found = [a.text("value") for a in manifest.view("status").views("addresses")] if manifest is not None else []
    seen_now = next((address for address in found if address), "")
    # The address is kept while the Object cannot be read: everything that is routed here depends on it.
    address = seen_now or seen.composite.status.view("gateway").text("address")
    if address:
        want.set_status({"gateway": {"address": address}})
    # That the gateway is being made is the course of things; only its end is told.
    want.condition(_gateway_ready(address=seen_now, made=child is not None), event=bool(seen_now))


def _gateway_ready(*, address: str, made: bool) -> Condition:
    if address:
        return GATEWAY_READY("AddressAssigned", f"the gateway listens at {address}")
    if made:
        return GATEWAY_READY("WaitingForAddress", "the gateway has no address yet")
    return GATEWAY_READY("Connecting", "the gateway has not been made yet")
