"""The table of conditions in each definition is the one that the code declares."""

from __future__ import annotations

import pytest

from modelplane.contract.conditions import BY_KIND
from tests.contract.definitions import Definition, definitions


def rows(each: Definition) -> list[tuple[str, ...]]:
    """The cells of the table in the root schema's description."""
    lines = [line for line in each.schema["description"].splitlines() if line.startswith("| ")]
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]


@pytest.mark.parametrize("each", definitions(), ids=lambda each: each.kind)
def test_every_reason_is_documented_with_what_to_do(each: Definition) -> None:
    declared = [
        (condition.type, reason.status, reason.name, reason.means, reason.remedy or "-")
        for condition in BY_KIND[each.kind]
        for reason in condition.reasons
    ]

    heading, _, *documented = rows(each)
    assert heading == ("Condition", "Status", "Reason", "Meaning", "What to do")
    assert documented == declared


def test_every_kind_is_documented() -> None:
    assert set(BY_KIND) == {each.kind for each in definitions()}


def test_trouble_has_a_remedy() -> None:
    """A reason that is not True must tell the user what to do, if only to wait."""
    silent = [
        (kind, condition.type, reason.name)
        for kind, types in BY_KIND.items()
        for condition in types
        for reason in condition.reasons
        if reason.status != "True" and not reason.remedy
    ]

    assert silent == []
