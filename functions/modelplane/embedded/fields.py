"""Sets of fields as the API server records them (FieldsV1), and the shape of lists that decides how they merge.

A set is a tree of dictionaries. Its keys are ``f:<name>`` for a field, ``k:<json>`` for an item of a list-map,
``v:<json>`` for an item of a set, and ``.`` for the item itself; a leaf is an empty dictionary.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

Tree = dict[str, Any]

#: Fields that name an object or belong to the API server; no manager owns them.
_UNOWNED: Final = ("name", "namespace", "uid", "generation", "creationTimestamp", "resourceVersion", "managedFields")


@dataclass(frozen=True, slots=True)
class Shape:
    """How a value merges. A list without a kind is atomic; maps merge by field unless `atomic`."""

    fields: Mapping[str, Shape] = field(default_factory=dict)
    values: Shape | None = None
    items: Shape | None = None
    keys: tuple[str, ...] = ()
    unique: bool = False
    atomic: bool = False

    def of(self, name: str) -> Shape:
        """The shape of a field."""
        return self.fields.get(name) or self.values or UNKNOWN

    def item(self) -> Shape:
        """The shape of a list's items."""
        return self.items or UNKNOWN


UNKNOWN: Final = Shape()
_METADATA: Final = Shape(fields={"ownerReferences": Shape(keys=("uid",)), "finalizers": Shape(unique=True)})


def shape(schema: Mapping[str, Any]) -> Shape:
    """The shape that a structural schema (OpenAPI v3 with Kubernetes' extensions) states."""
    kind = schema.get("x-kubernetes-list-type", "atomic")
    more = schema.get("additionalProperties")
    return Shape(
        fields={name: shape(sub) for name, sub in schema.get("properties", {}).items()},
        values=shape(more) if isinstance(more, Mapping) else None,
        items=shape(schema["items"]) if "items" in schema else None,
        keys=tuple(schema.get("x-kubernetes-list-map-keys", ())) if kind == "map" else (),
        unique=kind == "set",
        atomic=schema.get("x-kubernetes-map-type") == "atomic",
    )


def with_metadata(body: Shape) -> Shape:
    """The shape of a whole object: its body's, and the API server's own for the metadata."""
    return Shape(fields={**body.fields, "metadata": _METADATA})


def key_of(item: Any, keys: tuple[str, ...]) -> str:  # noqa: ANN401  # any JSON value
    """An item's path element in a list-map."""
    return "k:" + json.dumps({key: item[key] for key in keys if key in item}, separators=(",", ":"), sort_keys=True)


def value_of(item: Any) -> str:  # noqa: ANN401  # any JSON value
    """An item's path element in a set."""
    return "v:" + json.dumps(item, separators=(",", ":"), sort_keys=True)


def owned_by(manifest: Mapping[str, Any], of: Shape) -> Tree:
    """The fields that applying a manifest claims."""
    tree = tree_of({k: v for k, v in manifest.items() if k not in {"apiVersion", "kind"}}, of)
    metadata = tree.get("f:metadata")
    if metadata is not None:
        tree["f:metadata"] = {k: v for k, v in metadata.items() if k[2:] not in _UNOWNED}
        if not tree["f:metadata"]:
            del tree["f:metadata"]
    return tree


def tree_of(value: Any, of: Shape) -> Tree:  # noqa: ANN401  # any JSON value
    """The fields of a value; a leaf (scalar, empty map, atomic list) is an empty tree."""
    if isinstance(value, Mapping) and not of.atomic:
        return {f"f:{name}": tree_of(sub, of.of(name)) for name, sub in value.items()}
    if isinstance(value, list) and of.keys:
        return {key_of(item, of.keys): {".": {}, **tree_of(item, of.item())} for item in value}
    if isinstance(value, list) and of.unique:
        return {value_of(item): {} for item in value}
    return {}


def union(left: Tree, right: Tree) -> Tree:
    """The fields of either."""
    merged = dict(left)
    for key, sub in right.items():
        merged[key] = union(merged[key], sub) if key in merged else sub
    return merged


def minus(left: Tree, right: Tree) -> Tree:
    """The leaves of the left that the right does not name; a leaf on the right names itself and nothing below it."""
    rest: Tree = {}
    for key, sub in left.items():
        if key not in right:
            rest[key] = sub
        elif sub:
            below = minus(sub, right[key])
            if below:
                rest[key] = below
    return rest


def changed(old: Any, new: Any, of: Shape) -> Tree:  # noqa: ANN401  # any JSON value
    """The fields that are new, gone or have another value, as an update's manager comes to own them."""
    if isinstance(old, Mapping) and isinstance(new, Mapping) and not of.atomic:
        tree: Tree = {}
        for name in sorted({*old, *new}):
            if old.get(name) != new.get(name):
                sub = changed(old.get(name), new.get(name), of.of(name))
                tree[f"f:{name}"] = sub
        return tree
    if isinstance(old, list) and isinstance(new, list) and of.keys:
        before = {key_of(item, of.keys): item for item in old}
        after = {key_of(item, of.keys): item for item in new}
        return {
            key: changed(before.get(key), after.get(key), of.item())
            for key in sorted({*before, *after})
            if before.get(key) != after.get(key)
        }
    if isinstance(old, list) and isinstance(new, list) and of.unique:
        return {value_of(item): {} for item in [*old, *new] if (item in old) != (item in new)}
    return union(tree_of(old, of), tree_of(new, of))


def without(value: Any, tree: Tree, of: Shape) -> Any:  # noqa: ANN401  # any JSON value
    """A value less the fields of a tree; maps and items that become empty by it are left as empty maps."""
    if isinstance(value, Mapping):
        return _fields_without(value, tree, of)
    if isinstance(value, list) and of.keys:
        return _items_without(value, tree, of)
    if isinstance(value, list) and of.unique:
        return [item for item in value if value_of(item) not in tree]
    return value


def _fields_without(value: Mapping[str, Any], tree: Tree, of: Shape) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for name, sub in value.items():
        below = tree.get(f"f:{name}")
        if below is None:
            kept[name] = sub
        elif below:
            rest = without(sub, below, of.of(name))
            if rest or rest is False or rest == 0:
                kept[name] = rest
    return kept


def _items_without(value: list[Any], tree: Tree, of: Shape) -> list[Any]:
    kept: list[Any] = []
    for item in value:
        below = tree.get(key_of(item, of.keys))
        if below is None:
            kept.append(item)
        elif "." not in below:
            kept.append(without(item, below, of.item()))
    return kept


def merge(live: Any, applied: Any, of: Shape) -> Any:  # noqa: ANN401  # any JSON value
    """A live value with an applied one laid over it; the applied one wins."""
    if isinstance(live, Mapping) and isinstance(applied, Mapping) and not of.atomic:
        merged = dict(live)
        for name, sub in applied.items():
            merged[name] = merge(live[name], sub, of.of(name)) if name in live else sub
        return merged
    if isinstance(live, list) and isinstance(applied, list) and of.keys:
        before = {key_of(item, of.keys): item for item in live}
        after = {key_of(item, of.keys): item for item in applied}
        foreign = [item for key, item in before.items() if key not in after]
        return [merge(before[k], v, of.item()) if k in before else v for k, v in after.items()] + foreign
    if isinstance(live, list) and isinstance(applied, list) and of.unique:
        return [*applied, *(item for item in live if item not in applied)]
    return applied
