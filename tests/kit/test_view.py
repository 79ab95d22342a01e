"""Views never trip over an object that somebody else wrote; encoding is the same bytes for the same object."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelplane.kit.view import View, encode

OBJECT: dict[str, Any] = {
    "text": "t",
    "empty": "",
    "whole": 3,
    "part": 1.5,
    "yes": True,
    "none": None,
    "map": {"a": "b", "n": 1},
    "maps": [{"a": "b"}, "stray"],
    "texts": ["a", "b"],
}

CASES: list[tuple[str, Any, Any]] = [
    ("a string", lambda v: v.text("text"), "t"),
    ("an empty string counts as absent, so that the default holds", lambda v: v.text("empty", "d"), "d"),
    ("an absent string", lambda v: v.text("nope"), ""),
    ("a number where a string is asked for", lambda v: v.text("whole"), ""),
    ("a whole number", lambda v: v.integer("whole"), 3),
    ("a fraction is no count", lambda v: v.integer("part", 7), 7),
    ("a boolean is no number", lambda v: v.integer("yes"), 0),
    ("null is no number", lambda v: v.integer("none", 4), 4),
    ("a boolean", lambda v: v.flag("yes"), True),
    ("a string is no boolean", lambda v: v.flag("text", default=True), True),
    ("a map", lambda v: v.view("map").text("a"), "b"),
    ("below something that is no map there is nothing", lambda v: v.view("text").text("a"), ""),
    ("what is no map in a list reads as an empty one", lambda v: [i.text("a") for i in v.views("maps")], ["b", ""]),
    ("strings of a list", lambda v: v.texts("texts"), ("a", "b")),
    ("a map of strings; other values read as empty ones", lambda v: v.pairs("map"), {"a": "b", "n": ""}),
    ("a map of maps", lambda v: sorted(v.entries("map")), ["a", "n"]),
    ("presence holds for null too", lambda v: (v.has("none"), v.has("nope")), (True, False)),
    ("the names", lambda v: sorted(v.keys()), sorted(OBJECT)),
    ("one field as it is", lambda v: (v.field("maps"), v.field("nope")), (OBJECT["maps"], None)),
]


@pytest.mark.parametrize(("reason", "read", "found"), CASES, ids=[case[0] for case in CASES])
def test_reading(reason: str, read: Any, found: Any) -> None:
    assert read(View(encode(OBJECT))) == found, reason


values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), st.text(max_size=4)),
    lambda deeper: st.one_of(st.lists(deeper, max_size=3), st.dictionaries(st.text(max_size=3), deeper, max_size=3)),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.text(max_size=3), values, max_size=4))
def test_encoding_loses_nothing_and_knows_no_order(plain: dict[str, Any]) -> None:
    backwards = dict(reversed(list(plain.items())))
    assert View(encode(plain)).plain() == plain
    assert encode(plain).SerializeToString(deterministic=True) == encode(backwards).SerializeToString(
        deterministic=True
    )


def test_what_json_does_not_have_is_refused() -> None:
    with pytest.raises(TypeError, match="set is no JSON value"):
        encode({"a": {1}})
