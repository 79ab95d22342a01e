"""Kubernetes' quantities and semantic versions in the form in which CEL compares them without asking us.

Both become messages with a text that sorts as the values do and is the same for equal ones: a quantity's `key`, a
version's `rank`. So the usual selector, which compares, runs in CEL alone. A quantity's `form` holds what the key
forgets, the digits as Kubernetes keeps them: they decide what "an integer" is.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from modelplane.selector.messages import message
from modelplane.value.quantity import Quantity
from modelplane.value.semver import Semver

_QuantityMessage: Final = message("kubernetes.Quantity")
_SemverMessage: Final = message("kubernetes.Semver")
#: More than the number of digits and the exponent that any quantity can have.
_BIAS: Final = 1 << 33
_NINES: Final = str.maketrans("0123456789", "9876543210")


def quantity_key(quantity: Quantity) -> str:
    """A text that sorts as quantities do: sign, number of digits before the point, digits."""
    if quantity.unscaled == 0:
        return "1"
    digits = str(abs(quantity.unscaled))
    size = f"{_BIAS + len(digits) + quantity.scale:011d}"
    digits = digits.rstrip("0")
    if quantity.unscaled > 0:
        return f"2{size}{digits}"
    # Nines' complement turns the order round; the colon stands above all digits, as the shorter is now the greater.
    return f"0{(size + digits).translate(_NINES)}:"


def semver_rank(version: Semver) -> str:
    """A text that sorts as versions do; a release stands above its pre-releases, and the build plays no part."""
    numbers = f"{version.major:020d}.{version.minor:020d}.{version.patch:020d}"
    if not version.pre:
        return f"{numbers}~"
    parts = (f"0{number:020d}" if kind == 0 else f"1{word}" for kind, number, word in version.pre)
    # A blank stands below every sign of an identifier, and the end of the text below the blank.
    return f"{numbers}-{' '.join(parts)}"


def quantity_message(quantity: Quantity) -> Any:  # noqa: ANN401 - a class made at run time
    """The quantity as CEL holds it."""
    return _QuantityMessage(key=quantity_key(quantity), form=_form(quantity))


def _form(quantity: Quantity) -> str:
    return f"{quantity.unscaled} {quantity.scale}{' big' if quantity.big else ''}"


@lru_cache(maxsize=4096)
def _formed(form: str) -> Quantity:
    unscaled, scale, *big = form.split(" ")
    return Quantity(int(unscaled), int(scale), bool(big))


def semver_message(version: Semver) -> Any:  # noqa: ANN401 - a class made at run time
    """The version as CEL holds it."""
    numbers = {name: _as_int(getattr(version, name)) for name in ("major", "minor", "patch")}
    return _SemverMessage(rank=semver_rank(version), **numbers)


def _as_int(value: int) -> int:
    """The number as Go's int64 holds it: from 2^63 on it wraps."""
    return value - (1 << 64) if value >= 1 << 63 else value


@lru_cache(maxsize=4096)
def quantity(text: str) -> Any:  # noqa: ANN401 - a class made at run time
    """``quantity("80Gi")``.

    Raises:
        QuantityError: The text is no quantity.
    """
    return quantity_message(Quantity.parse(text))


def is_quantity(text: str) -> bool:
    """``isQuantity("80Gi")``."""
    return _is_read(Quantity.parse, text)


def is_integer(form: str) -> bool:
    """``q.isInteger()``."""
    return _formed(form).integer() is not None


def as_integer(form: str) -> int:
    """``q.asInteger()``.

    Raises:
        ValueError: Kubernetes does not say that it is an integer.
    """
    value = _formed(form).integer()
    if value is None:
        msg = "cannot convert value to integer"
        raise ValueError(msg)
    return value


def as_float(form: str) -> float:
    """``q.asApproximateFloat()``."""
    return _formed(form).approximate_float()


def add(form: str, other: str) -> Any:  # noqa: ANN401 - a class made at run time
    """``q.add(r)``, both by form."""
    return quantity_message(_formed(form).add(_formed(other)))


def sub(form: str, other: str) -> Any:  # noqa: ANN401 - a class made at run time
    """``q.sub(r)``, both by form."""
    return quantity_message(_formed(form).sub(_formed(other)))


def semver(text: str, normalize: bool) -> Any:  # noqa: ANN401, FBT001 - a class made at run time; CEL passes by position
    """``semver("1.2.3", normalize)``.

    Raises:
        SemverError: The text is no version.
    """
    return semver_message(Semver.parse(text, normalize=normalize))


def is_semver(text: str, normalize: bool) -> bool:  # noqa: FBT001 - CEL passes by position
    """``isSemver("1.2.3", normalize)``."""
    return _is_read(lambda given: Semver.parse(given, normalize=normalize), text)


def _is_read(read: Any, text: str) -> bool:  # noqa: ANN401 - a reader of either value
    try:
        read(text)
    except ValueError:
        return False
    return True
