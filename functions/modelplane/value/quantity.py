"""Kubernetes quantities, exactly: the numbers behind ``80Gi``, ``500m`` and ``1e3``.

The rules are those of ``k8s.io/apimachinery/pkg/api/resource`` v0.36.3, including the ones that surprise: a bare suffix
is zero, binary values saturate at int64, and a value that once left the 64-bit fast path is no longer "an integer". The
last is why a quantity keeps its representation and not just its number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_INT64_MAX: Final = (1 << 63) - 1
_INT64_MIN: Final = -(1 << 63)
#: The finest scale: 10^-9.
_NANO: Final = -9
#: The most digits that numbers are written out to.
_FARTHEST: Final = 1 << 16
#: The most digits that are read; no selector and no device has so many, and Python refuses them.
_LONGEST: Final = 4000
#: So many decimal digits always fit an int64.
_FAST_DIGITS: Final = 18

_DECIMAL: Final = {"": 0, "n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}

# ASCII digits only, and \Z and not $: a newline at the end is refused, as are the digits of other scripts.
_SHAPE: Final = re.compile(r"([+-]?)([0-9]*)(?:(\.)([0-9]*))?([eEinumkKMGTP]*[+-]?[0-9]*)\Z")
_EXPONENT: Final = re.compile(r"[eE]([+-]?[0-9]+)\Z")


class QuantityError(ValueError):
    """A text that is no quantity."""


@dataclass(frozen=True, slots=True, eq=False)
class Quantity:
    """``unscaled`` × 10^``scale``. Equality and order are by number, whatever the representation."""

    unscaled: int
    scale: int = 0
    #: The number is held as a big decimal, as after a fraction or an overflow; such a one is never "an integer".
    big: bool = False

    @staticmethod
    def parse(text: str) -> Quantity:
        """The quantity that the text denotes.

        Raises:
            QuantityError: The text is no quantity.
        """
        return _parse(text)

    def compare(self, other: Quantity) -> int:
        """-1, 0 or 1: this one is less, equal or greater."""
        left, right = self.unscaled, other.unscaled
        if self.scale != other.scale and self.sign() == other.sign() != 0:
            # Numbers of unlike magnitude are told apart by it: the exponents may be billions apart.
            magnitude = self._magnitude() - other._magnitude()
            if magnitude:
                return self.sign() if magnitude > 0 else -self.sign()
            left, right = _aligned(self, other)
        return (left > right) - (left < right)

    def _magnitude(self) -> int:
        """The power of ten of the first digit."""
        return _digits(self.unscaled) + self.scale

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quantity) and self.compare(other) == 0

    def __lt__(self, other: Quantity) -> bool:
        return self.compare(other) < 0

    def __hash__(self) -> int:
        unscaled, scale = self.unscaled, self.scale
        while unscaled and unscaled % 10 == 0:
            unscaled, scale = unscaled // 10, scale + 1
        return hash((unscaled, scale if unscaled else 0))

    def add(self, other: Quantity) -> Quantity:
        """The sum; it stays on the fast path while both are and the result fits."""
        if not (self.big or other.big):
            if other.unscaled == 0:
                return self
            if self.unscaled == 0:
                return other
            fast = self._add_fast(other)
            if fast is not None:
                return fast
        left, right = _aligned(self, other)
        return Quantity(left + right, min(self.scale, other.scale), big=True)

    def _add_fast(self, other: Quantity) -> Quantity | None:
        left, right = _aligned(self, other)
        total = left + right
        if not all(_INT64_MIN <= part <= _INT64_MAX for part in (left, right, total)):
            return None
        return Quantity(total, min(self.scale, other.scale))

    def sub(self, other: Quantity) -> Quantity:
        """The difference."""
        return self.add(Quantity(-other.unscaled, other.scale, other.big))

    def sign(self) -> int:
        """-1, 0 or 1."""
        return (self.unscaled > 0) - (self.unscaled < 0)

    def integer(self) -> int | None:
        """The number as an int64, or None where Kubernetes says that it is none (``1000m`` is none, ``1k`` is)."""
        if self.big or self.scale < 0:
            return None
        if self.scale > _FAST_DIGITS and self.unscaled:
            return None
        value = self.unscaled * 10**self.scale if self.unscaled else 0
        return value if _INT64_MIN <= value <= _INT64_MAX else None

    def approximate_float(self) -> float:
        """The number as a double, rounded the way Kubernetes does: mantissa first, then the power of ten."""
        try:
            mantissa = float(self.unscaled)
        except OverflowError:
            mantissa = float("inf") if self.unscaled > 0 else float("-inf")
        return mantissa * _pow10(self.scale) if self.scale else mantissa


def _digits(value: int) -> int:
    """How many decimal digits the number has; Python refuses to write out the longest."""
    value = abs(value)
    least = int(value.bit_length() * 0.301029995) or 1
    return least + 1 if value >= int(10**least) else least


def _pow10(exponent: int) -> float:
    if exponent > 308:
        return float("inf")
    return float(f"1e{exponent}") if exponent >= -323 else 0.0


def _aligned(left: Quantity, right: Quantity) -> tuple[int, int]:
    """Both mantissas at the finer of the two scales.

    Raises:
        QuantityError: The scales are so far apart that the numbers would not end; Kubernetes would hang.
    """
    difference = left.scale - right.scale
    if abs(difference) > _FARTHEST:
        msg = "the exponents are too far apart"
        raise QuantityError(msg)
    if difference > 0:
        return left.unscaled * 10**difference, right.unscaled
    return left.unscaled, right.unscaled * 10**-difference


@lru_cache(maxsize=4096)
def _parse(text: str) -> Quantity:
    match = _SHAPE.match(text) if text else None
    if match is None:
        msg = f"{text!r} is not a quantity: expected a number and a suffix, such as 80Gi, 500m or 1e3"
        raise QuantityError(msg)
    sign, whole, point, fraction, suffix = match.groups(default="")
    base, exponent = _suffix(text, suffix)
    negative = sign == "-"
    digits = whole.lstrip("0") or "0"
    fast = _fast(digits, fraction, base, exponent, negative=negative)
    if fast is not None:
        return fast
    return _slow(text, whole + fraction, len(fraction) if point else 0, base, exponent, negative=negative)


def _suffix(text: str, suffix: str) -> tuple[int, int]:
    if suffix in _DECIMAL:
        return 10, _DECIMAL[suffix]
    if suffix in _BINARY:
        return 2, _BINARY[suffix]
    if (match := _EXPONENT.match(suffix)) and len(match[1]) < 21 and _INT64_MIN <= int(match[1]) <= _INT64_MAX:
        # Kubernetes reads 64 bits and keeps 32 of them.
        return 10, (int(match[1]) + (1 << 31)) % (1 << 32) - (1 << 31)
    msg = f"{text!r} is not a quantity: unknown suffix {suffix!r}"
    raise QuantityError(msg)


def _fast(digits: str, fraction: str, base: int, exponent: int, *, negative: bool) -> Quantity | None:
    """The 64-bit path, or None where Kubernetes would not take it."""
    mantissa, scale = 1, 0
    if base == 10:
        scale, spare = exponent, _FAST_DIGITS - len(digits) - len(fraction)
    elif fraction:
        return None
    else:
        mantissa, spare = 1 << exponent, 14 - len(digits) - exponent * 3 // 10
    scale -= len(fraction)
    if spare < 0 or scale < _NANO:
        return None
    value = int(digits + fraction) * mantissa
    if value > _INT64_MAX:
        return None
    return Quantity(-value if negative else value, scale)


def _slow(text: str, digits: str, places: int, base: int, exponent: int, *, negative: bool) -> Quantity:
    """The big-decimal path: rounded away from zero to 10^-9, and for binary suffixes capped at int64."""
    if not digits:
        msg = f"{text!r} is not a quantity: it has no digits"
        raise QuantityError(msg)
    if len(digits) > _LONGEST:
        msg = f"{text[:20]}... is not a quantity: it has more than {_LONGEST} digits"
        raise QuantityError(msg)
    unscaled, scale = int(digits), -places
    if base == 10:
        scale += exponent
    else:
        unscaled <<= exponent
    if unscaled:
        unscaled, scale = _rounded(text, unscaled, scale)
    if base == 2 and unscaled > _INT64_MAX * 10**-scale:
        unscaled, scale = _INT64_MAX, 0
    return Quantity(-unscaled if negative else unscaled, scale, big=True)


def _rounded(text: str, unscaled: int, scale: int) -> tuple[int, int]:
    shift = scale - _NANO
    if shift > _FARTHEST:
        # Kubernetes would build a number of that many digits and hang; nobody has such a device.
        msg = f"{text!r} is not a quantity: its exponent is out of range"
        raise QuantityError(msg)
    if shift >= 0:
        return unscaled * 10**shift, _NANO
    if -shift > _digits(unscaled) + 1:
        return 1, _NANO
    return -(-unscaled // 10**-shift), _NANO
