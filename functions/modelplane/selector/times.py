"""Go's texts for doubles, durations and moments, where they differ from those of CEL's own runtime."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from decimal import Decimal


def double_text(value: float) -> str:
    """The shortest digits that give the double back, with an exponent from 10^6 on and below 10^-4: Go's %g."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    mantissa, _, exponent = f"{value!r}".partition("e")
    digits = mantissa.replace("-", "").replace(".", "").lstrip("0").rstrip("0") or "0"
    power = _power(value, mantissa, exponent)
    sign = "-" if math.copysign(1, value) < 0 else ""
    if power < -4 or power >= 6:
        fraction = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{fraction}e{'-' if power < 0 else '+'}{abs(power):02d}"
    return f"{sign}{_plain(digits, power)}"


def _power(value: float, mantissa: str, exponent: str) -> int:
    """The power of ten of the first digit."""
    if not value:
        return 0
    whole, _, fraction = mantissa.replace("-", "").partition(".")
    shift = len(whole) - 1 if whole.strip("0") else -(len(fraction) - len(fraction.lstrip("0"))) - 1
    return shift + int(exponent or "0")


def _plain(digits: str, power: int) -> str:
    if power < 0:
        return "0." + "0" * (-power - 1) + digits
    whole = digits[: power + 1].ljust(power + 1, "0")
    fraction = digits[power + 1 :]
    return f"{whole}.{fraction}" if fraction else whole


def duration_text(value: timedelta) -> str:
    """The duration in seconds, as a double's shortest digits without an exponent."""
    text = format(Decimal(repr(abs(value.total_seconds()))), "f").removesuffix(".0")
    return f"{'-' if value < timedelta() else ''}{text}s"


def timestamp_text(value: datetime) -> str:
    """The moment by RFC 3339, in UTC."""
    moment = value.astimezone(UTC) if value.tzinfo else value
    fraction = f".{moment.microsecond:06d}".rstrip("0") if moment.microsecond else ""
    return f"{moment:%Y-%m-%dT%H:%M:%S}{fraction}Z"
