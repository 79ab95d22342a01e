"""The one contract that every source of clusters answers, a cloud's or a user's own.

It is read from a cluster kind's status: `secrets[]` of `type`, `name`, `key` and optionally `namespace`, of which one
has the type Kubeconfig and the first other one is the cloud identity; `cache.storageClassName`; `nvidiaDriverRoot`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from modelplane.remote.config import Identity, SecretKey

KUBECONFIG: Final = "Kubeconfig"


@dataclass(frozen=True, slots=True)
class ClusterFacts:
    """How a workload cluster is reached, and what is particular to it.

    Args:
        kubeconfig: None until it is known.
        identity: None where the kubeconfig is enough.
        cache_class: the storage class of volumes that many nodes may mount; empty where there is none.
        driver_root: where nodes keep the NVIDIA driver; empty for the default.
        ready: whether the cluster exists.
    """

    kubeconfig: SecretKey | None
    identity: Identity | None = None
    cache_class: str = ""
    driver_root: str = ""
    ready: bool = False


def read(status: Mapping[str, Any], namespace: str, *, ready: bool) -> ClusterFacts:
    """The facts in the status of a cluster kind, whose Secrets are in `namespace` unless they say otherwise."""
    kubeconfig, identity = read_secrets(status.get("secrets") or (), namespace)
    cache_class = str((status.get("cache") or {}).get("storageClassName") or "")
    driver_root = str(status.get("nvidiaDriverRoot") or "")
    return ClusterFacts(kubeconfig, identity, cache_class, driver_root, ready)


def read_secrets(secrets: Iterable[Mapping[str, Any]], namespace: str) -> tuple[SecretKey | None, Identity | None]:
    """The first kubeconfig and the first identity of a list of secrets.

    A kubeconfig's own namespace is not read: whoever may write the list could otherwise borrow another's credentials.
    """
    kubeconfig: SecretKey | None = None
    identity: Identity | None = None
    for secret in secrets:
        kind, name, key = str(secret.get("type")), str(secret.get("name")), str(secret.get("key"))
        if kind == KUBECONFIG:
            kubeconfig = kubeconfig or SecretKey(namespace, name, key)
        elif identity is None:
            identity = Identity(kind, SecretKey(str(secret.get("namespace") or namespace), name, key))
    return kubeconfig, identity


def write_secrets(facts: ClusterFacts, namespace: str) -> list[dict[str, str]]:
    """The list of secrets that `read_secrets` reads in that namespace."""
    made: list[dict[str, str]] = []
    if facts.kubeconfig is not None:
        made.append({"type": KUBECONFIG, "name": facts.kubeconfig.name, "key": facts.kubeconfig.key})
    if facts.identity is not None:
        secret = facts.identity.secret
        elsewhere = {"namespace": secret.namespace} if secret.namespace != namespace else {}
        made.append({"type": facts.identity.type, "name": secret.name, "key": secret.key, **elsewhere})
    return made
