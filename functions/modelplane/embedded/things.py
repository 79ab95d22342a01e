"""What an object is to an API server: its identity, its owners, what is known of its kind, and a change of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from modelplane.embedded import fields

Plain = dict[str, Any]
#: Kubernetes' finalizer of foreground deletion.
FOREGROUND: Final = "foregroundDeletion"

#: Kinds without a namespace; every other kind has one.
CLUSTER_SCOPED: Final = frozenset(
    {
        "Namespace",
        "Node",
        "DeviceClass",
        "ResourceSlice",
        "CustomResourceDefinition",
        "GatewayClass",
        "ClusterRole",
        "ClusterRoleBinding",
        "ClusterUsage",
        "ClusterProviderConfig",
        "StorageClass",
        "PriorityClass",
        "CompositeResourceDefinition",
        "Composition",
    }
)


class Key(NamedTuple):
    """An object's identity within one API server; the version of its group is none of it."""

    group: str
    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        where = f"{self.namespace}/{self.name}" if self.namespace else self.name
        return f"{self.kind} {where}"


class Change(NamedTuple):
    """One write: an object before (None where it was made) and after (None where it is gone)."""

    key: Key
    old: Plain | None
    new: Plain | None


@dataclass(frozen=True, slots=True)
class Rules:
    """What the API server knows of one kind: scope, the shape of its lists, and who checks it.

    `admit` gets the new object and the old one (None where it is made) and returns the object with its defaults.
    """

    namespaced: bool = True
    shape: fields.Shape = fields.UNKNOWN
    admit: Callable[[Plain, Plain | None], Plain] | None = None


def group_of(api_version: str) -> str:
    """The group of an apiVersion; empty for the core group."""
    return api_version.rpartition("/")[0]


def select(
    objects: Mapping[tuple[str, str], Plain], namespace: str = "", labels: Mapping[str, str] | None = None
) -> tuple[Plain, ...]:
    """The objects of a namespace (all where it is empty) that carry the labels, in the order of namespace and name."""
    wanted = labels.items() if labels else ()
    return tuple(
        found
        for (where, _), found in sorted(objects.items(), key=lambda item: item[0])
        if (not namespace or where == namespace)
        and (not wanted or wanted <= found["metadata"].get("labels", {}).items())
    )


def owners(thing: Plain | None) -> set[str]:
    """The uids of an object's owners."""
    return {ref["uid"] for ref in (thing or {}).get("metadata", {}).get("ownerReferences", ())}


def controller(thing: Mapping[str, Any]) -> str:
    """The uid of the owner that controls an object; empty where none does."""
    references = thing.get("metadata", {}).get("ownerReferences", ())
    return next((ref["uid"] for ref in references if ref.get("controller")), "")


def terminating(thing: Mapping[str, Any]) -> bool:
    """Whether an object's deletion has begun."""
    return "deletionTimestamp" in thing["metadata"]


_SERVERS_OWN: Final = frozenset({"managedFields", "resourceVersion", "generation", "uid", "creationTimestamp"})


def body(thing: Mapping[str, Any]) -> Plain:
    """An object without what identifies it and what only the API server writes."""
    metadata = {k: v for k, v in thing.get("metadata", {}).items() if k not in _SERVERS_OWN}
    return {k: v for k, v in thing.items() if k not in {"apiVersion", "kind", "metadata"}} | {"metadata": metadata}


def spec(thing: Mapping[str, Any]) -> Plain:
    """What a generation counts the changes of: everything but metadata and status."""
    return {k: v for k, v in thing.items() if k not in {"metadata", "status"}}


def content(thing: Mapping[str, Any]) -> Plain:
    """An object without the records of who wrote it and when."""
    ignored = {"managedFields", "resourceVersion"}
    return {**thing, "metadata": {k: v for k, v in thing["metadata"].items() if k not in ignored}}
