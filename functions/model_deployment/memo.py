"""Remembers what objects say by their content, over the calls of a process.

Every deployment's call carries the whole fleet, of which hardly anything changed since the last: recognising an object
costs a fifth of reading it. The key is a digest of the content, so a hit is as good as reading again.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Generic, TypeVar

T = TypeVar("T")


class Memo(Generic[T]):
    """What `read` made of encoded content; about `limit` to twice as many of the latest are kept."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._young: dict[bytes, T] = {}
        self._old: dict[bytes, T] = {}

    def get(self, encoded: bytes, read: Callable[[], T]) -> T:
        """The known value of this content, or that of `read`."""
        key = blake2b(encoded, digest_size=16).digest()
        found = self._young.get(key)
        if found is not None:
            return found
        found = self._old.get(key)
        if found is None:
            found = read()
        # Threads may do this at once; at worst one reads again what another forgot.
        if len(self._young) >= self._limit:
            self._young, self._old = {}, self._young
        self._young[key] = found
        return found
