"""A structural schema compiled for admission: a tree of what each value may be, without what only people read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

#: Stands for a value that is not there, which null is not.
ABSENT: Final = object()


class Rule(NamedTuple):
    """A CEL rule; a `transition` compares with the object as stored, so it is not judged where there is none."""

    text: str
    message: str
    transition: bool


class Step(NamedTuple):
    """One value inside another: its path, schema and value, and how to find the value that it had before."""

    path: str
    schema: Node
    value: Any
    token: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """What one value may be; None stands for no limit."""

    type: str
    properties: Mapping[str, Node]
    values: Node | None
    items: Node | None
    required: tuple[str, ...]
    enum: tuple[Any, ...] | None
    default: Any
    nullable: bool
    keeps_unknown: bool
    unique: bool
    keys: tuple[str, ...]
    pattern: str
    least: int | None
    most: int | None
    minimum: float | None
    maximum: float | None
    rules: tuple[Rule, ...]
    #: Whether a rule stands here or anywhere below, so that the rest is not walked.
    has_rules: bool

    def child(self, name: str) -> Node | None:
        """The schema of an object's field, or of a map's value; None where the schema does not know it."""
        return self.properties.get(name) or self.values

    def under(self, path: str, name: str) -> str:
        """The path of a field or of a map's value, as the API server writes it."""
        if name not in self.properties and self.values:
            return f"{path}[{name}]"
        return f"{path}.{name}" if path else name

    def key(self, item: Any) -> str | None:  # noqa: ANN401  # any JSON value
        """What tells an item of a list-map or a set from the others; None in other lists."""
        if self.unique:
            return json.dumps(item, sort_keys=True)
        if not self.keys or not isinstance(item, Mapping):
            return None
        return json.dumps({key: item.get(key) for key in self.keys}, sort_keys=True)

    def steps(self, path: str, value: Any) -> Iterator[Step]:  # noqa: ANN401  # any JSON value
        """The values inside a value that the schema knows."""
        if isinstance(value, dict):
            for name, item in value.items():
                child = self.child(name)
                if child:
                    yield Step(self.under(path, name), child, item, name)
        elif isinstance(value, list) and self.items:
            for index, item in enumerate(value):
                yield Step(f"{path}[{index}]", self.items, item, self.key(item))

    def former(self, old: Any, token: str | None) -> Any:  # noqa: ANN401  # any JSON value
        """What stood in the old value where a step leads; ABSENT where nothing did, or in a list without keys."""
        if token is None:
            return ABSENT
        if isinstance(old, Mapping):
            return old.get(token, ABSENT)
        if isinstance(old, list):
            return next((item for item in old if self.key(item) == token), ABSENT)
        return ABSENT


def compiled(schema: Mapping[str, Any]) -> Node:
    """The tree of one schema.

    Raises:
        NotImplementedError: the schema has a keyword that admission does not judge, so that none is passed over.
    """
    unknown = set(schema) - _KNOWN
    if unknown:
        msg = f"admission does not know the schema keywords {sorted(unknown)}"
        raise NotImplementedError(msg)
    properties = {name: compiled(child) for name, child in schema.get("properties", {}).items()}
    more = schema.get("additionalProperties")
    values = compiled(more) if isinstance(more, Mapping) else None
    items = compiled(schema["items"]) if "items" in schema else None
    rules = tuple(_rule(rule) for rule in schema.get("x-kubernetes-validations", ()))
    below = [child for child in (*properties.values(), values, items) if child]
    return Node(
        type=schema.get("type", ""),
        properties=properties,
        values=values,
        items=items,
        required=tuple(schema.get("required", ())),
        enum=tuple(schema["enum"]) if "enum" in schema else None,
        default=schema.get("default", ABSENT),
        nullable=schema.get("nullable", False),
        keeps_unknown=schema.get("x-kubernetes-preserve-unknown-fields", False),
        unique=schema.get("x-kubernetes-list-type") == "set",
        keys=tuple(schema.get("x-kubernetes-list-map-keys", ())),
        pattern=schema.get("pattern", ""),
        least=_first(schema, "minProperties", "minItems", "minLength"),
        most=_first(schema, "maxProperties", "maxItems", "maxLength"),
        minimum=schema.get("minimum"),
        maximum=schema.get("maximum"),
        rules=rules,
        has_rules=bool(rules) or any(child.has_rules for child in below),
    )


#: Limits of formats are left to the API server, but for int64, which admission checks for every integer.
_KNOWN: Final = frozenset(
    {
        *("type", "properties", "additionalProperties", "items", "required", "enum", "default", "nullable"),
        *("minProperties", "minItems", "minLength", "maxProperties", "maxItems", "maxLength", "minimum", "maximum"),
        *("pattern", "description", "format", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-list-type"),
        *("x-kubernetes-list-map-keys", "x-kubernetes-validations", "x-kubernetes-map-type"),
    }
)


def _rule(rule: Mapping[str, str]) -> Rule:
    # A structural schema may name oldSelf in a text literal too; ours do not.
    return Rule(rule["rule"], rule.get("message", f"failed rule: {rule['rule']}"), "oldSelf" in rule["rule"])


def _first(schema: Mapping[str, Any], *keywords: str) -> int | None:
    """The one of the keywords that the schema has: a schema has one type, so limits of others cannot stand with it."""
    return next((schema[keyword] for keyword in keywords if keyword in schema), None)
