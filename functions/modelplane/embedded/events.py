"""Events, as a list without repetitions."""

from __future__ import annotations

from dataclasses import dataclass, field

from modelplane.embedded.clock import Clock
from modelplane.embedded.things import Key


@dataclass(slots=True)
class Told:
    """One event; `count` says how often it was told."""

    about: Key
    reason: str
    message: str
    warning: bool
    first: int
    count: int = 1


@dataclass(slots=True)
class Events:
    """What was told, in the order of the first time."""

    clock: Clock
    told: dict[tuple[Key, str, str, bool], Told] = field(default_factory=dict)

    def record(self, about: Key, reason: str, message: str, *, warning: bool = False) -> None:
        """Tell something about an object."""
        identity = (about, reason, message, warning)
        if identity in self.told:
            self.told[identity].count += 1
        else:
            self.told[identity] = Told(about, reason, message, warning, self.clock.seconds)

    def about(self, key: Key) -> list[Told]:
        """What was told about an object."""
        return [event for event in self.told.values() if event.about == key]
