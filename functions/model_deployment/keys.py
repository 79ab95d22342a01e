"""The keys under which a deployment composes its children, and back."""

from __future__ import annotations

from typing import Final

_REPLICA: Final = "replica-"
_ENDPOINT: Final = "endpoint-"


def replica(cluster: str, index: int) -> str:
    """The key of a ModelReplica."""
    return f"{_REPLICA}{cluster}-{index}"


def endpoint(cluster: str, index: int) -> str:
    """The key of the ModelEndpoint in front of the replica of the same cluster and index."""
    return f"{_ENDPOINT}{cluster}-{index}"


def identity(key: str) -> tuple[str, int] | None:
    """The cluster and index that a replica's key stands for; None for any other key."""
    if not key.startswith(_REPLICA):
        return None
    # The index is what follows the last dash, so a cluster's name may have dashes and end in a number.
    cluster, _, index = key[len(_REPLICA) :].rpartition("-")
    if not cluster or not (index.isascii() and index.isdigit()):
        return None
    return cluster, int(index)
