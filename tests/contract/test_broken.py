"""Every rule of the definitions refuses something, with words that say what is allowed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from modelplane.embedded.admission import Admission, Violation
from modelplane.embedded.apis import complete
from tests.contract.definitions import definitions
from tests.contract.twins import Twin, load

TWINS = load()
ADMISSIONS = {each.kind: Admission(complete(each.schema)) for each in definitions()}


@pytest.mark.parametrize("twin", TWINS, ids=lambda twin: twin.id)
def test_a_broken_twin_is_refused_where_it_is_broken(twin: Twin) -> None:
    admission = ADMISSIONS[twin.good["kind"]]
    good, errors = admission.admit(twin.good)
    _, refusals = admission.admit(twin.broken, good if twin.update else None)

    assert errors == [], "the example itself is accepted"
    assert any(twin.at == each.path and twin.says in each.message for each in refusals), (twin.reason, refusals)


def test_every_rule_has_a_twin() -> None:
    declared = {rule for each in definitions() for rule in _rules(each.kind, each.schema, "")}
    refused = {
        (twin.good["kind"], _place(each), _words(each))
        for twin in TWINS
        for each in ADMISSIONS[twin.good["kind"]].admit(twin.broken, twin.good if twin.update else None)[1]
        # A twin counts for what it names, not for what it breaks beside.
        if twin.says in each.message
    }

    assert declared - refused == set()


def _rules(kind: str, schema: Mapping[str, Any], place: str) -> Iterator[tuple[str, str, str]]:
    for rule in schema.get("x-kubernetes-validations", ()):
        yield kind, place, rule["message"]
    for name, child in schema.get("properties", {}).items():
        yield from _rules(kind, child, f"{place}.{name}" if place else name)
    if "items" in schema:
        yield from _rules(kind, schema["items"], f"{place}[]")
    if isinstance(schema.get("additionalProperties"), dict):
        yield from _rules(kind, schema["additionalProperties"], f"{place}[]")


def _place(violation: Violation) -> str:
    return re.sub(r"\[[^]]*\]", "[]", violation.path)


def _words(violation: Violation) -> str:
    return violation.message.removeprefix("Invalid value: ")


def test_no_two_rules_of_a_place_say_the_same() -> None:
    """Or a twin could not tell which of them refused it."""
    for each in definitions():
        found = list(_rules(each.kind, each.schema, ""))
        assert len(found) == len(set(found)), each.kind


def test_no_rule_is_a_bare_pattern() -> None:
    """The API server answers a pattern with the expression alone, which tells nobody what is allowed."""

    def patterns(schema: Mapping[str, Any]) -> Iterator[str]:
        if "pattern" in schema:
            yield schema["pattern"]
        for child in schema.get("properties", {}).values():
            yield from patterns(child)
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                yield from patterns(schema[key])

    assert [found for each in definitions() for found in patterns(each.schema)] == []
