"""Where clusters come from. A cloud is a row of `SOURCES`; its name stands nowhere else but in its own package."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from modelplane.contract import labels
from modelplane.kit.seen import Seen
from modelplane.remote.config import Identity, SecretKey
from modelplane.remote.infrastructure import ClusterFacts

#: What an identity is taken for where its type is not given, which was once the only one.
_DEFAULT_IDENTITY: Final = "GoogleApplicationCredentials"

Source = Callable[[Seen[dict[str, Any]]], ClusterFacts]


def _existing(seen: Seen[dict[str, Any]]) -> ClusterFacts:
    """A cluster of the user's own: all that is known of it stands in the spec.

    Raises:
        ValueError: it names no kubeconfig, which admission refuses.
    """
    spec = seen.composite.spec.view("cluster").view("existing")
    secret = spec.view("secretRef")
    if not secret.text("name"):
        msg = "spec.cluster.existing.secretRef.name is empty"
        raise ValueError(msg)
    kubeconfig = SecretKey(labels.SYSTEM_NAMESPACE, secret.text("name"), secret.text("key", "kubeconfig"))
    found = spec.view("identitySecretRef")
    identity = None
    if found.text("name"):
        key = SecretKey(labels.SYSTEM_NAMESPACE, found.text("name"), found.text("key", "private_key"))
        identity = Identity(found.text("type", _DEFAULT_IDENTITY), key)
    return ClusterFacts(kubeconfig, identity, spec.view("cache").text("storageClassName"), ready=True)


SOURCES: Final[Mapping[str, Source]] = MappingProxyType({"Existing": _existing})
