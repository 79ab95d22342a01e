"""Ranges of sizes and costs: unsigned 64-bit numbers that stick at their greatest value, as cel-go's do."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

#: The greatest size or cost, which stands for "unknown".
MOST: Final = (1 << 64) - 1


class Span(NamedTuple):
    """The least and the greatest that a size or a cost can be."""

    low: int
    high: int

    def plus(self, other: Span) -> Span:
        """The sum."""
        return Span(min(self.low + other.low, MOST), min(self.high + other.high, MOST))

    def times(self, other: Span) -> Span:
        """The product."""
        return Span(min(self.low * other.low, MOST), min(self.high * other.high, MOST))

    def scaled(self, factor: float) -> Span:
        """The product with a factor, rounded up."""
        return Span(_scaled(self.low, factor), _scaled(self.high, factor))

    def union(self, other: Span) -> Span:
        """The range that has both."""
        return Span(min(self.low, other.low), max(self.high, other.high))


def _scaled(value: int, factor: float) -> int:
    product = float(value) * factor
    return MOST if product >= float(1 << 64) else math.ceil(product)


def fixed(value: int) -> Span:
    """Exactly so much."""
    return Span(value, value)


NOTHING: Final = fixed(0)
ONE: Final = fixed(1)
UNKNOWN: Final = Span(0, MOST)


@dataclass(frozen=True, slots=True)
class Entries:
    """The sizes of what a list or map has inside: of its keys or indices, and of its values."""

    container: str
    key: Span
    value: Span

    def union(self, other: Entries | None) -> Entries | None:
        """The ranges that have both, or None where one is not known."""
        if other is None:
            return None
        return Entries(self.container, self.key.union(other.key), self.value.union(other.value))
