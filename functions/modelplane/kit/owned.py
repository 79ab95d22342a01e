"""Which fields of an observed child Crossplane applied for us.

Emitting exactly these again keeps the child as it is. Emitting more would make us the owner of defaults and of what
other controllers wrote; emitting less would delete fields.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

#: The field manager by which Crossplane applies composed resources (crossplane/v2, composition_functions.go).
MANAGER: Final = "apiextensions.crossplane.io/composed"

#: What Crossplane writes into each composed resource by itself.
_CROSSPLANES_OWN_METADATA: Final = ("ownerReferences", "generateName", "finalizers")


def owned(child: Mapping[str, Any]) -> dict[str, Any]:
    """The part of an observed child that our composition applied, with its apiVersion, kind, name and namespace.

    Where the child has no record of that manager (it was never applied through Crossplane), the spec and metadata as
    observed are returned: keeping too much is better than deleting.
    """
    metadata = child.get("metadata", {})
    fields = _fields(metadata.get("managedFields", ()))
    kept = _pick(child, fields) if fields else _unrecorded(child)
    if not isinstance(kept, dict):
        msg = f"an object's fields are recorded as those of a {type(kept).__name__}"
        raise TypeError(msg)
    kept.pop("status", None)
    meta = {k: v for k, v in kept.get("metadata", {}).items() if k not in _CROSSPLANES_OWN_METADATA}
    for key in ("name", "namespace"):
        if key in metadata:
            meta[key] = metadata[key]
    spec = kept.get("spec")
    if isinstance(spec, dict):
        spec.pop("crossplane", None)
    return {**kept, "apiVersion": child["apiVersion"], "kind": child["kind"], "metadata": meta}


def _fields(entries: Any) -> dict[str, Any]:  # noqa: ANN401  # the API server's list of plain entries
    """The union of the field sets of Crossplane's manager, the status subresource's left out."""
    merged: dict[str, Any] = {}
    for entry in entries:
        ours = str(entry.get("manager", "")).split("/")[:2] == MANAGER.split("/")
        if ours and entry.get("operation") == "Apply" and not entry.get("subresource"):
            _merge(merged, entry.get("fieldsV1", {}))
    return merged


def _merge(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    for key, value in more.items():
        _merge(into.setdefault(key, {}), value)


def _pick(value: Any, fields: Mapping[str, Any]) -> Any:  # noqa: ANN401  # any JSON value
    """The part of a value that a FieldsV1 tree names; an empty tree names the whole value (a leaf)."""
    members = {key: sub for key, sub in fields.items() if key != "."}
    if not members:
        return value
    if isinstance(value, Mapping):
        picked = {key[2:]: sub for key, sub in members.items() if key.startswith("f:")}
        return {name: _pick(value[name], sub) for name, sub in picked.items() if name in value}
    if isinstance(value, list):
        return [kept for item in value for kept in _pick_item(item, members)]
    return value


def _pick_item(item: Any, members: Mapping[str, Any]) -> list[Any]:  # noqa: ANN401  # any JSON value
    """The owned part of one list item, in a list of one, or an empty list where the item is not ours."""
    for path, sub in members.items():
        if path.startswith("k:") and isinstance(item, Mapping):
            keys = json.loads(path[2:])
            if all(item.get(k) == v for k, v in keys.items()):
                return [{**keys, **_pick(item, sub)}]
        if path.startswith("v:") and json.loads(path[2:]) == item:
            return [item]
    return []


def _unrecorded(child: Mapping[str, Any]) -> dict[str, Any]:
    metadata = child.get("metadata", {})
    wanted = {key: metadata[key] for key in ("labels", "annotations") if key in metadata}
    kept = {key: value for key, value in child.items() if key not in {"status", "metadata"}}
    if isinstance(kept.get("spec"), Mapping):
        kept["spec"] = dict(kept["spec"])
    return {**kept, "metadata": wanted}
