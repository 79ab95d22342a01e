"""What CEL's own runtime lacks of texts and maps, or does otherwise than Kubernetes."""

from __future__ import annotations

import threading
from typing import Final


class Made(threading.local):
    """How much the functions of one evaluation made that Kubernetes' estimate does not charge for, in characters."""

    length = 0

    def add(self, length: int) -> None:
        """Count so much more.

        Raises:
            ValueError: It is more than any selector needs.
        """
        self.length += length
        if self.length > _MOST:
            msg = "the evaluation takes too long"
            raise ValueError(msg)


made: Final = Made()
_MOST: Final = 4 << 20
#: What an entry of a map or an element of a list weighs: they are copied when something is put to them.
_ENTRY: Final = 32


def room(elements: int) -> bool:
    """Whether so many elements may be copied: always, or an error.

    Raises:
        ValueError: The evaluation has made too much.
    """
    made.add(_ENTRY * elements)
    return True


def replace(text: str, old: str, new: str, limit: int) -> str:
    """``text.replace(old, new, limit)``; negative means all.

    Raises:
        ValueError: The evaluation has made too much text.
    """
    count = text.count(old) if limit < 0 else min(text.count(old), limit)
    made.add(len(text) + count * max(len(new) - len(old), 0))
    return text.replace(old, new, limit)


def index_of(text: str, part: str, start: int) -> int:
    """``text.indexOf(part, start)``; a start past the end finds nothing.

    Raises:
        ValueError: The start is negative.
    """
    if not part:
        return start
    _check(start)
    return text.find(part, start) if start < len(text) else -1


def last_index_of(text: str, part: str, start: int) -> int:
    """``text.lastIndexOf(part, start)``; a start past the end finds nothing.

    Raises:
        ValueError: The start is negative.
    """
    if not part:
        return start
    _check(start)
    return text.rfind(part, 0, start + len(part)) if start < len(text) else -1


def _check(start: int) -> None:
    if start < 0:
        msg = f"index out of range: {start}"
        raise ValueError(msg)


def inserted(entries: dict[object, object], entry: list[object]) -> dict[object, object]:
    """The map with one entry more, given as its key and its value.

    Raises:
        ValueError: It has the key.
    """
    return inserted_all(entries, {entry[0]: entry[1]})


def inserted_all(entries: dict[object, object], more: dict[object, object]) -> dict[object, object]:
    """The map with more entries.

    Raises:
        ValueError: It has one of the keys.
    """
    made.add(_ENTRY * (len(entries) + len(more)))
    for key in more:
        if key in entries:
            msg = f"insert failed: key {key} already exists"
            raise ValueError(msg)
    return entries | more
