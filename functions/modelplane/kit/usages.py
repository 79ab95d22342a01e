"""The order of deletion, written down as Crossplane Usages.

A Usage names one user only, so each pair gets one of its own. No Usage is ever made by an owner of what it protects:
that would block the owner's own deletion (crossplane/crossplane issues 5962 and 6393).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from modelplane.contract import labels, names
from modelplane.kit.want import Ready, Resource

API_VERSION: Final = "protection.crossplane.io/v1beta1"


def write(resources: Mapping[str, Resource], namespace: str) -> Iterator[Resource]:
    """All resources, those in a Usage labelled with their key, and the Usages.

    Args:
        resources: what the function added, by key.
        namespace: the composite's; empty where it is cluster-scoped, which makes ClusterUsages.
    """
    pairs = [(of.key, by) for of in resources.values() for by in of.outlives if by in resources]
    named = {key for pair in pairs for key in pair}
    for key, resource in resources.items():
        if key in named:
            yield Resource(key, _labelled(resource), resource.ready)
        else:
            yield resource
    for of, by in pairs:
        yield Resource(f"usage-{of}-by-{by}", _usage(resources[of], resources[by], namespace), Ready.YES)


def label(key: str) -> str:
    """The label value that stands for a key: the key where it fits, else its name."""
    return key if len(key) <= names.LABEL else names.name(key)


def _labelled(resource: Resource) -> Mapping[str, Any]:
    metadata = resource.manifest.get("metadata", {})
    marked = {**metadata.get("labels", {}), labels.RESOURCE: label(resource.key)}
    return {**resource.manifest, "metadata": {**metadata, "labels": marked}}


def _usage(of: Resource, by: Resource, namespace: str) -> dict[str, Any]:
    scope = {"metadata": {"namespace": namespace}} if namespace else {}
    return {
        "apiVersion": API_VERSION,
        "kind": "Usage" if namespace else "ClusterUsage",
        **scope,
        "spec": {"of": _reference(of), "by": _reference(by), "replayDeletion": True},
    }


def _reference(resource: Resource) -> dict[str, Any]:
    selector = {"matchControllerRef": True, "matchLabels": {labels.RESOURCE: label(resource.key)}}
    return {
        "apiVersion": resource.manifest["apiVersion"],
        "kind": resource.manifest["kind"],
        "resourceSelector": selector,
    }
