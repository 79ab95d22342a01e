"""What the API server does to an object of a custom kind before it stores it: defaults, limits, list keys, CEL rules.

It covers what our definitions use of a structural schema. Two things differ from the API server: a field that the
schema does not know is an error (kubectl's strict validation and server-side apply refuse it too, a plain write prunes
it), and rules have no cost budget; the engine tests put the definitions and the rules before the real one.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from cel_expr_python import cel
from cel_expr_python.ext import ext_strings

from modelplane.embedded.structure import ABSENT, Node, compiled

_KINDS: Final[dict[str, tuple[type, ...]]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
}
_COUNTED: Final = {"object": "properties", "array": "items", "string": "bytes"}
#: Every object has these; the API server checks the metadata by rules of its own.
_HEAD: Final = ("apiVersion", "kind", "metadata")
_INT64: Final = 2**63
_SUBDOMAIN: Final = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
#: Crossplane caps a composite's name, which it uses as a label's value.
_LONGEST_NAME: Final = 63


class Violation(NamedTuple):
    """One thing that is wrong: where, as the API server writes a path, and what."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class Admission:
    """The schema of one kind, compiled; `schema` is the root of an openAPIV3Schema."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._root = compiled(schema)

    def admit(
        self, obj: Mapping[str, Any], old: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], list[Violation]]:
        """The object with its defaults, and what is wrong with it. Rules are judged only where the shape is right.

        Args:
            obj: the object as written; it is not changed.
            old: the object as stored, where this is an update; rules that speak of ``oldSelf`` need it.
        """
        filled: dict[str, Any] = _filled(self._root, _copy(obj))
        body = {name: value for name, value in filled.items() if name not in _HEAD}
        errors = [*_name_errors(filled.get("metadata")), *_shape_errors(self._root, "", body)]
        if not errors:
            errors = list(_rule_errors(self._root, "", filled, ABSENT if old is None else old))
        return filled, errors


def _copy(value: Any) -> Any:  # noqa: ANN401  # any JSON value
    if isinstance(value, Mapping):
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, (list, tuple)) else value


def _filled(schema: Node, value: Any) -> Any:  # noqa: ANN401  # any JSON value
    """The value with its defaults, changed in place. A null that the schema does not allow counts as absent."""
    if isinstance(value, dict):
        for name, child in schema.properties.items():
            if value.get(name, ABSENT) is None and not child.nullable:
                del value[name]
            if name not in value and child.default is not ABSENT:
                value[name] = _copy(child.default)
    for step in schema.steps("", value):
        _filled(step.schema, step.value)
    return value


def _name_errors(metadata: Any) -> Iterator[Violation]:  # noqa: ANN401  # any JSON value
    name = metadata.get("name") if isinstance(metadata, Mapping) else None
    if name is None:
        return
    if not isinstance(name, str) or not _SUBDOMAIN.fullmatch(name):
        yield Violation("metadata.name", f"Invalid value: {json.dumps(name)}: must be a lower-case DNS name")
    elif len(name) > _LONGEST_NAME:
        yield Violation("metadata.name", f"Too long: may not be more than {_LONGEST_NAME} bytes")


def _shape_errors(schema: Node, path: str, value: Any) -> Iterator[Violation]:  # noqa: ANN401  # any JSON value
    if value is None and schema.nullable:
        return
    kinds = _KINDS.get(schema.type)
    if kinds and (not isinstance(value, kinds) or (isinstance(value, bool) and schema.type != "boolean")):
        yield Violation(path, f"Invalid value: {json.dumps(value)}: must be of type {schema.type}")
        return
    if schema.enum is not None and value not in schema.enum:
        allowed = ", ".join(json.dumps(item) for item in schema.enum)
        yield Violation(path, f"Unsupported value: {json.dumps(value)}: supported values: {allowed}")
    if schema.type in _COUNTED:
        yield from _size_errors(schema, path, len(value))
    elif isinstance(value, (int, float)):
        yield from _number_errors(schema, path, value)
    if schema.pattern and not re.search(schema.pattern, value):
        yield Violation(path, f"Invalid value: {json.dumps(value)}: should match '{schema.pattern}'")
    yield from _field_errors(schema, path, value)
    yield from _key_errors(schema, path, value)
    for step in schema.steps(path, value):
        yield from _shape_errors(step.schema, step.path, step.value)


def _size_errors(schema: Node, path: str, size: int) -> Iterator[Violation]:
    what = _COUNTED[schema.type]
    if schema.least is not None and size < schema.least:
        yield Violation(path, f"Invalid value: should have at least {schema.least} {what}")
    if schema.most is not None and size > schema.most:
        if schema.type == "string":
            yield Violation(path, f"Too long: may not be more than {schema.most} {what}")
        else:
            yield Violation(path, f"Too many: {size}: must have at most {schema.most} {what}")


def _number_errors(schema: Node, path: str, value: float) -> Iterator[Violation]:
    if schema.minimum is not None and value < schema.minimum:
        yield Violation(path, f"Invalid value: {value}: should be greater than or equal to {schema.minimum}")
    if schema.maximum is not None and value > schema.maximum:
        yield Violation(path, f"Invalid value: {value}: should be less than or equal to {schema.maximum}")
    if schema.type == "integer" and not -_INT64 <= value < _INT64:
        yield Violation(path, f"Invalid value: {value}: must fit in 64 bits")


def _field_errors(schema: Node, path: str, value: Any) -> Iterator[Violation]:  # noqa: ANN401  # any JSON value
    if not isinstance(value, dict):
        return
    for name in schema.required:
        if name not in value:
            yield Violation(schema.under(path, name), "Required value")
    if not schema.keeps_unknown:
        for name in value:
            if not schema.child(name):
                yield Violation(schema.under(path, name), "unknown field")


def _key_errors(schema: Node, path: str, value: Any) -> Iterator[Violation]:  # noqa: ANN401  # any JSON value
    if not isinstance(value, list):
        return
    seen = set()
    for index, item in enumerate(value):
        key = schema.key(item)
        if key is not None and key in seen:
            yield Violation(f"{path}[{index}]", f"Duplicate value: {key}")
        seen.add(key)


@functools.cache
def _environment() -> cel.Env:
    """What a rule may say: self, oldSelf and the string functions. Values have no static types, unlike there."""
    variables = {"self": cel.Type.DYN, "oldSelf": cel.Type.DYN}
    return cel.NewEnv(variables=variables, extensions=[ext_strings.ExtStrings()])


@functools.cache
def _expression(rule: str) -> cel.Expression:
    """One rule, compiled once for all kinds.

    Raises:
        RuntimeError: the rule does not compile; the message has line and column.
    """
    return _environment().compile(rule)


def _rule_errors(schema: Node, path: str, value: Any, old: Any) -> Iterator[Violation]:  # noqa: ANN401  # any JSON value
    if not schema.has_rules:
        return
    for rule in schema.rules:
        if rule.transition and old is ABSENT:
            continue
        given = {"self": value, "oldSelf": old} if rule.transition else {"self": value, "oldSelf": None}
        verdict = _expression(rule.text).eval(data=given)
        if verdict.type() == cel.Type.ERROR:
            yield Violation(path, f"Invalid value: {rule.message} (the rule ended in an error: {verdict.value()})")
        elif verdict.value() is not True:
            yield Violation(path, f"Invalid value: {rule.message}")
    for step in schema.steps(path, value):
        yield from _rule_errors(step.schema, step.path, step.value, schema.former(old, step.token))
