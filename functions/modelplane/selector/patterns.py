"""Regular expressions beyond CEL's ``matches``: ``find`` and ``findAll``, in linear time by RE2."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

#: Beyond this RE2 gives up on a pattern; Go has no such bound, but the length of a selector is one.
_MEMORY: Final = 64 << 20


@lru_cache(maxsize=256)
def _pattern(text: str) -> Any:  # noqa: ANN401 - the library has no types
    import re2  # type: ignore[import-untyped] # noqa: PLC0415 - it has no types; few selectors search

    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        return re2.compile(text, options)
    except re2.error as error:
        msg = f"illegal regex: {error}"
        raise ValueError(msg) from None


def find(text: str, expression: str) -> str:
    """The first match, or an empty text."""
    match = _pattern(expression).search(text)
    return match.group(0) if match else ""


def find_all(text: str, expression: str, limit: int) -> list[str]:
    """The matches from left to right, at most `limit` if that is not negative.

    An empty match right after another is none.
    """
    compiled = _pattern(expression)
    found: list[str] = []
    at, last = 0, -1
    while (limit < 0 or len(found) < limit) and at <= len(text):
        match = compiled.search(text, at)
        if match is None:
            break
        start, end = match.span()
        if end > at or start != last:
            found.append(match.group(0))
        at = end if end > at else at + 1
        last = end
    return found
