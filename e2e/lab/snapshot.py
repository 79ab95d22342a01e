"""All objects of a server as they are, to see whether anything moves, and what."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from e2e.lab.api import Api, RefusedError
from e2e.lab.objects import Manifest

#: Beats of a clock, and a kind that is no object; none of them is a change of anything.
_LEFT_OUT = {"Lease", "Event", "ComponentStatus"}

Key = tuple[str, str, str, str]  # apiVersion, kind, namespace, name


def objects(api: Api) -> dict[Key, Manifest]:
    """Every object, leases and events aside."""
    return {_key(kind, item): item for kind in _kinds(api) for item in api.list(*kind)}


def events(api: Api) -> dict[Key, Manifest]:
    """Every event with its count."""
    return {_key(("v1", "Event"), item): item for item in api.list("v1", "Event")}


def moved(before: Mapping[Key, Manifest], after: Mapping[Key, Manifest]) -> list[str]:
    """What came, went or changed, a line each; a change with the fields that differ."""
    lines = [f"came: {' '.join(key)}: {_told(after[key])}" for key in sorted(after.keys() - before.keys())]
    lines += [f"went: {' '.join(key)}" for key in sorted(before.keys() - after.keys())]
    for key in sorted(before.keys() & after.keys()):
        old, new = before[key], after[key]
        if old["metadata"]["resourceVersion"] != new["metadata"]["resourceVersion"]:
            lines.append(f"changed: {' '.join(key)}: {'; '.join(_differences('', old, new))}")
    return lines


def _key(kind: tuple[str, str], item: Manifest) -> Key:
    return (*kind, item["metadata"].get("namespace", ""), item["metadata"]["name"])


def _told(item: Manifest) -> str:
    """An event's words; nothing of anything else."""
    return f"{item.get('reason', '')}: {item.get('message', '')}" if item["kind"] == "Event" else ""


def _differences(path: str, old: Any, new: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON value
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            if key not in {"managedFields", "resourceVersion"}:
                yield from _differences(f"{path}.{key}", old.get(key), new.get(key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _differences(f"{path}[{index}]", one, other)
    elif old != new:
        yield f"{path}: {json.dumps(old)[:200]} -> {json.dumps(new)[:200]}"


def _kinds(api: Api) -> list[tuple[str, str]]:
    groups = ["v1", *(group["preferredVersion"]["groupVersion"] for group in api.read("/apis")["groups"])]
    found = []
    for group in groups:
        try:
            resources = api.read(f"/{'apis' if '/' in group else 'api'}/{group}")["resources"]
        except RefusedError:
            continue  # its definition went between the two questions
        found += [
            (group, each["kind"])
            for each in resources
            if "list" in each["verbs"] and "/" not in each["name"] and each["kind"] not in _LEFT_OUT
        ]
    return sorted(set(found))
