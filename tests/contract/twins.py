"""Broken twins: each is an example with one edit that makes it wrong, where the API server must say so, and what.

A file under broken/ has a `base` (an object of an example by file, kind and name) and `twins`. A twin has a `reason`,
an `edit` (JSON Patch: add, replace, remove), the path `at` which it is refused, and a part of what the refusal `says`;
it may have a `base` of its own, and `update: true` where it is the change of a stored object that is wrong. ``{{41}}``
in a path or a value stands for 41 letters.
"""

from __future__ import annotations

import copy
import functools
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
Manifest = dict[str, Any]

_LETTERS = re.compile(r"\{\{(\d+)\}\}")


@dataclass(frozen=True, slots=True)
class Twin:
    """`good` is accepted; `broken` is refused, as an update of `good` where `update` says so."""

    id: str
    reason: str
    good: Manifest
    broken: Manifest
    update: bool
    at: str
    says: str


@functools.cache
def _texts(path: Path) -> tuple[str, ...]:
    return tuple(json.dumps(each) for each in yaml.load_all(path.read_text(), Loader=yaml.CSafeLoader) if each)


def documents(path: Path) -> list[Manifest]:
    """The objects of a file of manifests: fresh ones, and no part of one is a part of another, as aliases would be."""
    return [json.loads(text) for text in _texts(path)]


def load() -> list[Twin]:
    """Every twin, by file."""
    return [twin for path in sorted(Path(__file__).parent.glob("broken/*.yaml")) for twin in _twins(path)]


def _twins(path: Path) -> Iterator[Twin]:
    table = yaml.load(path.read_text(), Loader=yaml.CSafeLoader)
    for number, row in enumerate(table["twins"], start=1):
        good = example(**row.get("base", table["base"]))
        yield Twin(
            id=f"{path.stem}-{number}",
            reason=row["reason"],
            good=good,
            broken=edited(good, row["edit"]),
            update=row.get("update", False),
            at=row["at"],
            says=row["says"],
        )


def example(file: str, kind: str, name: str) -> Manifest:
    """The one object of that kind and name in a file of the examples."""
    (found,) = (
        each for each in documents(EXAMPLES / file) if each["kind"] == kind and each["metadata"]["name"] == name
    )
    return found


def edited(good: Manifest, edit: list[Mapping[str, Any]]) -> Manifest:
    """The object after the operations, which leave the given one as it is."""
    broken = copy.deepcopy(good)
    for operation in edit:
        _apply(broken, operation)
    return broken


def _apply(document: Any, operation: Mapping[str, Any]) -> None:
    *way, last = (_letters(part.replace("~1", "/")) for part in operation["path"].split("/")[1:])
    parent = document
    for part in way:
        parent = parent[int(part)] if isinstance(parent, list) else parent[part]
    key: Any = int(last) if isinstance(parent, list) and last != "-" else last
    match operation["op"]:
        case "remove":
            del parent[key]
        case "add" if key == "-":
            parent.append(_letters(operation["value"]))
        case "add":
            assert isinstance(parent, dict), "insertion into the middle of a list is not needed so far"
            parent[key] = _letters(operation["value"])
        case "replace":
            assert key in parent or isinstance(parent, list), f"{operation['path']} is not there"
            parent[key] = _letters(operation["value"])
        case unknown:
            msg = f"no such operation: {unknown}"
            raise AssertionError(msg)


def _letters(value: Any) -> Any:
    return _LETTERS.sub(lambda found: "a" * int(found[1]), value) if isinstance(value, str) else value
