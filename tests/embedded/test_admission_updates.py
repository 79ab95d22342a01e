"""What the API server compares with the stored object, and what it says of names."""

from __future__ import annotations

from typing import Any

import pytest

from modelplane.embedded.admission import Admission, Violation


def spec(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {"spec": schema}}


IMMUTABLE = {"type": "string", "x-kubernetes-validations": [{"rule": "self == oldSelf", "message": "stays"}]}
KEYED = {
    "type": "object",
    "properties": {
        "source": IMMUTABLE,
        "pools": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            "items": {"type": "object", "properties": {"name": {"type": "string"}, "kind": IMMUTABLE}},
        },
        "plain": {"type": "array", "items": {"type": "object", "properties": {"kind": IMMUTABLE}}},
        "named": {"type": "object", "additionalProperties": IMMUTABLE},
    },
}
CHANGES = [
    ("an object that is made has nothing to compare with", None, {"source": "a"}, []),
    ("the same again is no change", {"source": "a"}, {"source": "a"}, []),
    ("a change is refused", {"source": "a"}, {"source": "b"}, ["spec.source: Invalid value: stays"]),
    ("a field that was not there may be set", {}, {"source": "b"}, []),
    (
        "items of a list-map are compared by key, wherever they stand",
        {"pools": [{"name": "a", "kind": "x"}, {"name": "b", "kind": "y"}]},
        {"pools": [{"name": "c", "kind": "z"}, {"name": "b", "kind": "y"}, {"name": "a", "kind": "y"}]},
        ["spec.pools[2].kind: Invalid value: stays"],
    ),
    (
        "items of other lists cannot be compared",
        {"plain": [{"kind": "x"}]},
        {"plain": [{"kind": "y"}]},
        [],
    ),
    (
        "values of a map are compared by name",
        {"named": {"a": "x"}},
        {"named": {"a": "y"}},
        ["spec.named[a]: Invalid value: stays"],
    ),
]


@pytest.mark.parametrize(("reason", "old", "new", "errors"), CHANGES, ids=[reason for reason, *_ in CHANGES])
def test_transitions(reason: str, old: Any, new: Any, errors: list[str]) -> None:
    admission = Admission(spec(KEYED))
    before = None if old is None else {"metadata": {"name": "a"}, "spec": old}

    _, found = admission.admit({"metadata": {"name": "a"}, "spec": new}, before)

    assert [str(error) for error in found] == errors, reason


NAMES = [
    ("a name may have dots and digits", "a.b-1", []),
    (
        "Crossplane uses the name as a label's value",
        "a" * 64,
        ["metadata.name: Too long: may not be more than 63 bytes"],
    ),
    ("names are lower case", "A", ['metadata.name: Invalid value: "A": must be a lower-case DNS name']),
    ("an object that is to be given a name has none yet", None, []),
]


@pytest.mark.parametrize(("reason", "name", "errors"), NAMES, ids=[reason for reason, *_ in NAMES])
def test_names(reason: str, name: str | None, errors: list[str]) -> None:
    metadata = {} if name is None else {"name": name}

    _, found = Admission({"type": "object"}).admit({"metadata": metadata})

    assert [str(error) for error in found] == errors, reason


def test_a_rule_at_the_root_sees_the_name() -> None:
    schema = {
        "type": "object",
        "x-kubernetes-validations": [{"rule": "self.metadata.name == 'default'", "message": "one"}],
    }

    assert Admission(schema).admit({"metadata": {"name": "default"}})[1] == []
    assert Admission(schema).admit({"metadata": {"name": "b"}})[1] == [Violation("", "Invalid value: one")]


def test_a_keyword_that_is_not_judged_is_not_passed_over() -> None:
    with pytest.raises(NotImplementedError, match="oneOf"):
        Admission({"type": "object", "oneOf": []})
