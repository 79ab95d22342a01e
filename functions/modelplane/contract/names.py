"""Every name of a composed object is made here.

A name is a readable prefix and a hash. The hash covers the whole tuple of parts, each with its length in front, so that
``("ml", "team-qwen")`` and ``("ml-team", "qwen")`` differ. The prefix is for people only.
"""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Final

#: A DNS label: the limit of names of Services, namespaces, and of label values.
LABEL: Final = 63
#: A Helm release (Helm's own limit).
RELEASE: Final = 53
#: A ModelReplica: its remote names add a suffix of up to ten characters ("-epp", "-pool") and must stay labels.
REPLICA: Final = 53
#: A LeaderWorkerSet: the controller makes "<name>-<group>-<worker>" pods and a StatefulSet whose revision label appends
#: a hash of ten characters to "<name>-<group>" (kubernetes-sigs/lws issue 410); with two digits of group, 49 is left.
LEADER_WORKER_SET: Final = 49

_HASH: Final = 8
_NOT_LABEL: Final = re.compile(r"[^a-z0-9-]+")


def _digest(parts: tuple[str, ...]) -> str:
    """Forty bits of SHA-256 over the length-prefixed parts, in eight characters of a-z and 2-7."""
    joined = b"".join(b"%d:%s" % (len(raw), raw) for raw in (part.encode() for part in parts))
    return base64.b32encode(hashlib.sha256(joined).digest()).decode().lower()[:_HASH]


def name(*visible: str, hidden: tuple[str, ...] = (), limit: int = LABEL) -> str:
    """A DNS label of at most `limit` characters that starts with a letter: the visible parts, then a hash of all parts.

    Args:
        visible: the parts that people may read; at least one.
        hidden: parts that only the hash covers.
        limit: the most characters; 63 unless the tightest use of the name is tighter.

    Raises:
        ValueError: no visible part, or a limit under 12.
    """
    if not visible or limit < _HASH + 4:
        msg = f"a name needs a visible part and a limit of at least {_HASH + 4}, got {visible!r} and {limit}"
        raise ValueError(msg)
    # Which parts are hidden is part of the identity: ("a",)+("b",) is not ("a", "b")+().
    digest = _digest((str(len(visible)), *visible, *hidden))
    readable = _NOT_LABEL.sub("-", "-".join(visible).lower()).strip("-")
    if not readable or not readable[0].isalpha():
        readable = f"m-{readable}"
    return f"{readable[: limit - _HASH - 1].rstrip('-')}-{digest}"


def replica(namespace: str, deployment: str, cluster: str, index: int) -> str:
    """The name of a ModelReplica and of its ModelEndpoint; its identity is the whole tuple."""
    return name(deployment, hidden=(namespace, cluster, str(index)), limit=REPLICA)


def label(text: str) -> str:
    """The label value that stands for an object's name: the name where it fits, else one made from it."""
    return text if len(text) <= LABEL else name(text)


#: Namespaces of workload clusters that belong to the cluster or to what the serving stack installs.
RESERVED_NAMESPACES: Final = frozenset(
    {
        "default",
        "cert-manager",
        "dra-driver-nvidia-gpu",
        "envoy-ai-gateway-system",
        "envoy-gateway-system",
        "lws-system",
        "monitoring",
        "node-feature-discovery",
    }
)
#: "modelplane-" keeps our own names apart from tenants': a tenant's namespace of that prefix gets another name too.
_RESERVED_PREFIXES: Final = ("kube-", "modelplane-")


def tenant_namespace(namespace: str) -> str:
    """The workload cluster's namespace of a tenant: the tenant's own name, or another where that name is reserved."""
    if namespace in RESERVED_NAMESPACES or namespace.startswith(_RESERVED_PREFIXES):
        return name("modelplane-tenant", namespace)
    return namespace


def cache_claim(namespace: str, cache: str) -> str:
    """The PersistentVolumeClaim of a ModelCache, in the tenant's namespace of a workload cluster."""
    return name("model-cache", cache, hidden=(namespace,))
