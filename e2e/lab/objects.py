"""Kubernetes objects as plain mappings, and the few questions that every step asks of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

Manifest = dict[str, Any]
ENGINE = "engine"  # the name that every container with a model has


# libyaml where the wheel has it: the definitions of others are megabytes, and the pure parser takes a second for each
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def documents(text: str) -> list[Manifest]:
    """The objects of a YAML text, empty documents left out."""
    return [each for each in yaml.load_all(text, Loader=_LOADER) if each]


def read_manifests(path: Path) -> list[Manifest]:
    """The objects of a YAML file, or of all YAML files of a folder in the order of their paths."""
    files = sorted(path.rglob("*.yaml")) if path.is_dir() else [path]
    return [each for file in files for each in documents(file.read_text())]


def identity(obj: Manifest) -> tuple[str, str, str, str]:
    """What tells an object from all others: apiVersion, kind, namespace (empty where it has none), name."""
    meta = obj["metadata"]
    return obj["apiVersion"], obj["kind"], meta.get("namespace", ""), meta.get("name", "")


def label(obj: Manifest) -> str:
    """An object in words: `ModelDeployment ml-team/mock-demo`."""
    _, kind, namespace, name = identity(obj)
    return f"{kind} {namespace}/{name}" if namespace else f"{kind} {name}"


def conditions(obj: Manifest) -> Iterator[Manifest]:
    """The conditions of its status, none where it has no status yet."""
    yield from obj.get("status", {}).get("conditions") or ()  # null in a definition that is not looked at yet


def condition(obj: Manifest | None, kind: str) -> tuple[str, str]:
    """Status and reason of one condition; `("Unknown", "")` where it is absent, as the absence says nothing."""
    for each in conditions(obj or {}):
        if each["type"] == kind:
            return each["status"], each.get("reason", "")
    return "Unknown", ""


def is_true(obj: Manifest | None, kind: str) -> bool:
    """Whether the condition is there and True."""
    return condition(obj, kind)[0] == "True"


def without_tag(image: str) -> str:
    """The image's repository: without tag and digest."""
    return re.sub(r"(@sha256:.*|:[^:/]*)$", "", image)
