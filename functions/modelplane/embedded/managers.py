"""Who wrote which fields of an object: the API server's managedFields as a table, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from modelplane.embedded.fields import Tree
from modelplane.embedded.things import Plain

#: Who wrote fields: manager, operation, subresource.
Entry = tuple[str, str, str]


def entries(live: Mapping[str, Any] | None) -> dict[Entry, Tree]:
    """The recorded fields by who wrote them."""
    return {_entry(record): record["fieldsV1"] for record in _records(live)}


def records(api_version: str, trees: Mapping[Entry, Tree], live: Mapping[str, Any] | None, now: str) -> list[Plain]:
    """The managedFields as the API server writes them; a record whose fields are the same keeps its time."""
    since = {_entry(record): record for record in _records(live)}
    made: list[Plain] = []
    for entry, tree in sorted(trees.items()):
        if not tree:
            continue
        manager, operation, subresource = entry
        same = entry in since and since[entry]["fieldsV1"] == tree
        time = since[entry]["time"] if same else now
        scope = {"subresource": subresource} if subresource else {}
        head = {"manager": manager, "operation": operation, "apiVersion": api_version, "time": time}
        made.append({**head, "fieldsType": "FieldsV1", "fieldsV1": tree, **scope})
    return made


def _records(live: Mapping[str, Any] | None) -> list[Plain]:
    return list(live["metadata"].get("managedFields", ())) if live else []


def _entry(record: Mapping[str, Any]) -> Entry:
    return record["manager"], record["operation"], record.get("subresource", "")
