"""What the API server does to an object before it stores it, one behaviour a case.

The expected words are the API server's, as its own validation (k8s.io/apiextensions-apiserver) gives them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from modelplane.embedded.admission import Admission


class Case(NamedTuple):
    reason: str
    schema: dict[str, Any]
    obj: Any
    stored: Any
    errors: list[str]


def spec(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {"spec": schema}}


def thing(*keys: str) -> dict[str, Any]:
    return {"type": "object", "properties": {key: {"type": "string"} for key in keys}}


DEFAULTED = {
    "type": "object",
    "properties": {
        "size": {"type": "integer", "default": 1},
        "inner": {"type": "object", "properties": {"mode": {"type": "string", "default": "a"}}},
        "made": {"type": "object", "default": {}, "properties": {"mode": {"type": "string", "default": "b"}}},
        "many": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer", "default": 2}}}},
        "named": {
            "type": "object",
            "additionalProperties": {"type": "object", "properties": {"n": {"type": "integer", "default": 3}}},
        },
        "nothing": {"type": "string", "nullable": True, "default": "c"},
    },
}
POOLS = {
    "type": "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
    "items": thing("name"),
}

CASES = [
    Case(
        "defaults fill every level that is there, and make no level that is not, but for one that has a default itself",
        spec(DEFAULTED),
        {"many": [{}, {"n": 5}], "named": {"a": {}}, "inner": {}},
        {
            "many": [{"n": 2}, {"n": 5}],
            "named": {"a": {"n": 3}},
            "inner": {"mode": "a"},
            "size": 1,
            "made": {"mode": "b"},
            "nothing": "c",
        },
        [],
    ),
    Case(
        "null where null is not allowed counts as absent; where it is allowed it stays",
        spec(DEFAULTED),
        {"size": None, "inner": None, "nothing": None},
        {"size": 1, "made": {"mode": "b"}, "nothing": None},
        [],
    ),
    Case(
        "a field that the schema does not know is refused, not dropped in silence",
        spec(thing("a")),
        {"b": 1},
        {"b": 1},
        ["spec.b: unknown field"],
    ),
    Case(
        "but not where unknown fields are kept",
        spec({"type": "object", "x-kubernetes-preserve-unknown-fields": True}),
        {"b": {"c": 1}},
        {"b": {"c": 1}},
        [],
    ),
    Case(
        "true is no number, though Python thinks so",
        spec({"type": "object", "properties": {"n": {"type": "integer"}}}),
        {"n": True},
        {"n": True},
        ["spec.n: Invalid value: true: must be of type integer"],
    ),
    Case(
        "a fraction is no integer",
        spec({"type": "object", "properties": {"n": {"type": "integer"}}}),
        {"n": 1.5},
        {"n": 1.5},
        ["spec.n: Invalid value: 1.5: must be of type integer"],
    ),
    Case(
        "integers end at 64 bits",
        spec({"type": "object", "properties": {"n": {"type": "integer"}}}),
        {"n": 2**63},
        {"n": 2**63},
        ["spec.n: Invalid value: 9223372036854775808: must fit in 64 bits"],
    ),
    Case(
        "what is required must be there, at its own path",
        spec({**thing("a"), "required": ["a"]}),
        {},
        {},
        ["spec.a: Required value"],
    ),
    Case(
        "an enumeration tells what it allows",
        spec({"type": "object", "properties": {"a": {"type": "string", "enum": ["x", "y"]}}}),
        {"a": "z"},
        {"a": "z"},
        ['spec.a: Unsupported value: "z": supported values: "x", "y"'],
    ),
    Case(
        "limits of a number hold at both ends",
        spec({"type": "object", "additionalProperties": {"type": "number", "minimum": 1, "maximum": 2}}),
        {"a": 1, "b": 2, "c": 0.5, "d": 3},
        {"a": 1, "b": 2, "c": 0.5, "d": 3},
        [
            "spec[c]: Invalid value: 0.5: should be greater than or equal to 1",
            "spec[d]: Invalid value: 3: should be less than or equal to 2",
        ],
    ),
    Case(
        "limits of a length hold at both ends",
        spec({"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 2}}),
        ["", "a", "ab", "abc"],
        ["", "a", "ab", "abc"],
        [
            "spec[0]: Invalid value: should have at least 1 bytes",
            "spec[3]: Too long: may not be more than 2 bytes",
        ],
    ),
    Case(
        "limits of lists and maps",
        spec(
            {
                "type": "object",
                "minProperties": 2,
                "properties": {"a": {"type": "array", "maxItems": 1, "items": {"type": "integer"}}},
            }
        ),
        {"a": [1, 2]},
        {"a": [1, 2]},
        ["spec: Invalid value: should have at least 2 properties", "spec.a: Too many: 2: must have at most 1 items"],
    ),
    Case(
        "a pattern is searched for",
        spec({"type": "object", "properties": {"a": {"type": "string", "pattern": "b+$"}}}),
        {"a": "bba"},
        {"a": "bba"},
        ["spec.a: Invalid value: \"bba\": should match 'b+$'"],
    ),
    Case(
        "items of a list-map are told apart by their keys alone",
        spec(POOLS),
        [{"name": "a"}, {"name": "b"}, {"name": "a"}],
        [{"name": "a"}, {"name": "b"}, {"name": "a"}],
        ['spec[2]: Duplicate value: {"name": "a"}'],
    ),
    Case(
        "items of a set are told apart as a whole",
        spec({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}}),
        ["a", "b", "a"],
        ["a", "b", "a"],
        ['spec[2]: Duplicate value: "a"'],
    ),
    Case(
        "an atomic list may have the same item twice",
        spec({"type": "array", "items": thing("name")}),
        [{"name": "a"}, {"name": "a"}],
        [{"name": "a"}, {"name": "a"}],
        [],
    ),
    Case(
        "rules are judged on the object with its defaults",
        spec({**DEFAULTED, "x-kubernetes-validations": [{"rule": "self.size == 1", "message": "size is one"}]}),
        {},
        {"size": 1, "made": {"mode": "b"}, "nothing": "c"},
        [],
    ),
    Case(
        "a rule is judged for every item and every value of a map, each at its own path",
        spec(
            {
                "type": "object",
                "additionalProperties": {
                    "type": "array",
                    "items": {
                        "type": "string",
                        "x-kubernetes-validations": [{"rule": "self.startsWith('a')", "message": "starts with a"}],
                    },
                },
            }
        ),
        {"x": ["a", "b"], "y": ["c"]},
        {"x": ["a", "b"], "y": ["c"]},
        ["spec[x][1]: Invalid value: starts with a", "spec[y][0]: Invalid value: starts with a"],
    ),
    Case(
        "a rule whose evaluation fails refuses, as on the API server",
        spec({**thing("a"), "x-kubernetes-validations": [{"rule": "self.a == 'x'", "message": "a is x"}]}),
        {},
        {},
        ['spec: Invalid value: a is x (the rule ended in an error: NOT_FOUND: Key not found in map : "a")'],
    ),
    Case(
        "rules are not judged on what has the wrong shape, for they could not be sure of anything",
        spec({**thing("a"), "x-kubernetes-validations": [{"rule": "false", "message": "never"}]}),
        {"a": 1},
        {"a": 1},
        ["spec.a: Invalid value: 1: must be of type string"],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.reason)
def test_admission(case: Case) -> None:
    given = {"apiVersion": "example.org/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": case.obj}
    kept = repr(given)
    stored, errors = Admission(case.schema).admit(given)

    assert stored == {**given, "spec": case.stored}, case.reason
    assert [str(error) for error in errors] == case.errors, case.reason
    assert repr(given) == kept, "what was given is not changed"
