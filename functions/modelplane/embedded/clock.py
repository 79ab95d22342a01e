"""A clock that moves only when the loop says so: the same story has the same timestamps each time."""

from __future__ import annotations

import datetime as dt
from typing import Final

_START: Final = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


class Clock:
    """Seconds since the start of the story. Objects made within one round of the loop share their timestamp."""

    __slots__ = ("seconds",)

    def __init__(self) -> None:
        self.seconds = 0

    def advance(self, seconds: int) -> None:
        """Let time pass."""
        self.seconds += seconds

    def now(self) -> str:
        """The moment as the API server writes it: RFC 3339 in UTC, whole seconds."""
        return (_START + dt.timedelta(seconds=self.seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")
