"""What the parser reads otherwise than Kubernetes' does, put right in the text; every character keeps its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from modelplane.selector.clauses import signs
from modelplane.selector.refusal import Refusal

#: A name that stands for ``has(device.driver)`` and its like, which the checker takes for the field itself.
PRESENT: Final = "_present"
TOO_DEEP: Final = "the text nests too deeply: CEL's runtime reads 32 levels"
#: More brackets in one another than the parser reads, which takes a second to see it in a long text.
_DEEPEST: Final = 40
_HAS: Final = re.compile(r"(?<![\w.])has\s*\Z")
_FIELD: Final = re.compile(r"\s*device\s*\.\s*(?:driver|allowMultipleAllocations|attributes|capacity)\s*\Z")
_EXISTS_ONE: Final = re.compile(r"\.\s*exists_one\s*\Z")


def respelled(text: str) -> str:
    """The text as the parser understands it.

    Raises:
        Refusal: It has a quoted name, which Kubernetes does not know, or one of ours.
    """
    found = text.find(PRESENT)
    if found >= 0:
        raise Refusal(found, f"undeclared reference to '{PRESENT}'")
    for start, end, commas in _brackets(text):
        before = text[:start]
        if (has := _HAS.search(before)) and commas == 0 and _FIELD.match(text[start + 1 : end]):
            text = _put(text, has.start(), end + 1, PRESENT)
        elif commas == 2 and (one := _EXISTS_ONE.search(before)):
            # For two variables the macro goes by its other name.
            text = _put(text, one.start(), start, ".existsOne")
    return text


def _put(text: str, start: int, end: int, spelling: str) -> str:
    return text[:start] + spelling.ljust(end - start) + text[end:]


def _brackets(text: str) -> Iterator[tuple[int, int, int]]:
    """Where each bracket opens and closes, and how many commas stand in it; the inner ones first."""
    open_: list[tuple[int, int]] = []
    for sign, at in signs(text):
        if sign == "`":
            raise Refusal(at, "a name in backquotes")
        if sign in "([{":
            open_.append((at, 0))
            if len(open_) > _DEEPEST:
                raise Refusal(at, TOO_DEEP)
        elif sign == "," and open_:
            open_[-1] = (open_[-1][0], open_[-1][1] + 1)
        elif sign in ")]}" and open_:
            start, commas = open_.pop()
            yield start, at, commas
