"""The parts of a conjunction, as they stand in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

#: Strings, comments, and the signs that nest or join. The longer quotes come first, and raw strings know no escapes.
_TOKEN: Final = re.compile(
    r"""(?P<text>
        (?i:br?|rb?)?(?:\"{3}|'{3}|"|')  # where a string starts; its end is found by `_string_end`
      ) | (?P<comment>//[^\n]*) | (?P<sign>&&|\|\||\.\?|[][(){}?:,`])""",
    re.VERBOSE,
)


def clauses(text: str) -> list[str]:
    """The clauses of a text that compiles, as small as they come, without the brackets around them."""
    start, end = _trimmed(text, 0, len(text))
    if text[start:end].startswith("(") and _closing(text, start) == end - 1:
        return clauses(text[start + 1 : end - 1])
    cuts = [start]
    depth = 0
    for sign, at in signs(text):
        depth += (sign in "([{") - (sign in ")]}")
        if depth == 0 and sign in ("||", "?"):
            return [text[start:end]]
        if depth == 0 and sign == "&&":
            cuts += (at, at + 2)
    cuts.append(end)
    if len(cuts) == 2:
        return [text[start:end]]
    return [clause for first, last in zip(cuts[::2], cuts[1::2], strict=True) for clause in clauses(text[first:last])]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    inner = text[start:end]
    return start + len(inner) - len(inner.lstrip()), end - (len(inner) - len(inner.rstrip()))


def _closing(text: str, start: int) -> int:
    """Where the bracket at `start` is closed."""
    depth = 0
    for sign, at in signs(text):
        if at >= start:
            depth += (sign in "([{") - (sign in ")]}")
            if depth == 0:
                return at
    return -1


def signs(text: str) -> Iterator[tuple[str, int]]:
    """The brackets, commas and joining signs outside strings and comments, each with its place."""
    at = 0
    while (match := _TOKEN.search(text, at)) is not None:
        at = match.end()
        if match["text"]:
            at = _string_end(text, match)
        elif match["sign"]:
            yield match["sign"], match.start()


def _string_end(text: str, match: re.Match[str]) -> int:
    opening = match["text"]
    quote = opening.lstrip("rRbB")
    raw = "r" in opening[: -len(quote)].lower()
    at = match.end()
    while at < len(text) and not text.startswith(quote, at):
        at += 2 if text[at] == "\\" and not raw else 1
    return at + len(quote)
