"""What one device publishes, in the terms of DRA: the shape that selectors read and placement carries."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

AttributeType = Literal["string", "bool", "int", "version"]

#: A typed attribute value. ``version`` carries the text as written; the selector room parses it.
Attribute = tuple[AttributeType, str | bool | int]


@dataclass(frozen=True, slots=True)
class Facts:
    """The driver, attributes and capacity of one kind of device, with equality and hash by content.

    Attributes and capacity are pairs sorted by name; a name without "/" belongs to the driver's domain. Capacity values
    are Kubernetes quantities as written. The hash is computed once: results of selectors are memoised by it.
    """

    driver: str
    attributes: tuple[tuple[str, Attribute], ...] = ()
    capacity: tuple[tuple[str, str], ...] = ()
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.driver, self.attributes, self.capacity)))

    def __hash__(self) -> int:
        return self._hash
