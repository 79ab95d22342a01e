"""``"...".format([...])``: the clauses that a text may have, and what each makes of a value.

The oddities are Kubernetes': doubles are grouped by thousands, and the scientific form prints powers of ten and takes
its precision for a width.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from modelplane.selector.times import double_text, duration_text, timestamp_text

_DEFAULT_PRECISION: Final = 6
#: Digits that nobody needs, and that would fill the memory.
_LONGEST: Final = 1000
_SUPERSCRIPT: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_NUMBER_NAMES: Final = ("NaN", "Infinity", "-Infinity")


class ClauseError(ValueError):
    """A format text with a clause that does not exist or does not end."""


class Clause(NamedTuple):
    """One clause: its letter and its precision, -1 where none is written."""

    letter: str
    precision: int


@dataclass(frozen=True, slots=True)
class Template:
    """A format text: plain parts with clauses between them, so always one part more."""

    parts: tuple[str, ...]
    clauses: tuple[Clause, ...]


def read_template(text: str, count: int) -> Template:
    """The template that the text denotes, for so many arguments.

    Raises:
        ClauseError: A clause is not sound, or has no argument.
    """
    parts: list[str] = [""]
    clauses: list[Clause] = []
    at = 0
    while at < len(text):
        if text[at] != "%":
            parts[-1] += text[at]
            at += 1
        elif text[at + 1 : at + 2] == "%":
            parts[-1] += "%"
            at += 2
        else:
            if len(clauses) >= count:
                msg = f"index {len(clauses)} out of range"
                raise ClauseError(msg)
            clause, at = _clause(text, at + 1)
            clauses.append(clause)
            parts.append("")
    return Template(tuple(parts), tuple(clauses))


def _clause(text: str, at: int) -> tuple[Clause, int]:
    precision = -1
    if text[at : at + 1] == ".":
        end = at + 1
        while end < len(text) and text[end] in "0123456789":
            end += 1
        digits = text[at + 1 : end]
        if not digits or len(digits) > 18:
            msg = "a precision needs digits"
            raise ClauseError(msg)
        precision, at = int(digits), end
    letter = text[at : at + 1]
    if not letter or letter not in "sdfebxXo":
        msg = f"unrecognized formatting clause {letter!r}" if letter else "unexpected end of the format"
        raise ClauseError(msg)
    return Clause(letter, precision), at + 1


def _wrong(what: str) -> ValueError:
    return ValueError(f"error during formatting: {what}")


def _decimal(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    msg = "the decimal clause takes integers"
    raise _wrong(msg)


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    writer = _TEXTS.get(value.__class__)
    if writer is None:
        msg = f"the string clause does not take a {type(value).__name__}"
        raise _wrong(msg)
    return writer(value)


def _bytes_text(value: bytes | bytearray) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        msg = "bytes that are no UTF-8"
        raise _wrong(msg) from None


def _list_text(value: list[object]) -> str:
    return f"[{', '.join(map(_inner, value))}]"


def _map_text(value: dict[object, object]) -> str:
    entries = sorted((_key_text(key), _inner(item)) for key, item in value.items())
    return "{" + ", ".join(f"{key}:{item}" for key, item in sorted(entries, key=lambda entry: entry[0])) + "}"


def _key_text(key: object) -> str:
    if key.__class__ not in (str, bool, int):
        msg = "a key of this type"
        raise _wrong(msg)
    return _inner(key)


def _inner(value: object) -> str:
    """A value inside a list or map, as a constant would be written."""
    if isinstance(value, str):
        return _go_quoted(value)
    if isinstance(value, (bytes, bytearray)):
        return "b" + _go_quoted(_bytes_text(value))
    if isinstance(value, datetime):
        return f'timestamp("{timestamp_text(value)}")'
    if isinstance(value, timedelta):
        return f'duration("{duration_text(value)}")'
    if isinstance(value, float):
        return f"{value:.6f}" if math.isfinite(value) else f'"{double_text(value)}"'
    return _text(value)


def _go_quoted(text: str) -> str:
    simple = {"\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v"}
    pieces: list[str] = []
    for sign in text:
        if sign in '"\\':
            pieces.append("\\" + sign)
        elif sign in simple:
            pieces.append(simple[sign])
        elif sign.isprintable():
            pieces.append(sign)
        elif ord(sign) < 0x80:
            pieces.append(f"\\x{ord(sign):02x}")
        else:
            pieces.append(f"\\u{ord(sign):04x}" if ord(sign) < 0x10000 else f"\\U{ord(sign):08x}")
    return '"' + "".join(pieces) + '"'


def _double(value: object) -> float:
    if isinstance(value, float):
        return value
    if isinstance(value, str) and value in _NUMBER_NAMES:
        return float(value)
    msg = "the clause takes doubles"
    raise _wrong(msg)


def _special(value: float) -> str:
    return "NaN" if math.isnan(value) else "∞" if value > 0 else "-∞"


def _fixed(value: object, precision: int) -> str:
    number = _double(value)
    if not math.isfinite(number):
        return _special(number)
    return f"{number:,.{_DEFAULT_PRECISION if precision < 0 else precision}f}"


def _scientific(value: object, precision: int) -> str:
    number = _double(value)
    width = _DEFAULT_PRECISION if precision < 0 else precision
    if not math.isfinite(number):
        return _special(number).rjust(width)
    mantissa, _, exponent = f"{number:.6e}".partition("e")
    power = exponent.removeprefix("+").translate(_SUPERSCRIPT)
    return f"{mantissa}×10{power}".rjust(width)  # noqa: RUF001 - the sign that Kubernetes writes


def _based(letter: str, value: object) -> str:
    if isinstance(value, bool):
        if letter == "b":
            return "1" if value else "0"
    elif isinstance(value, int):
        return format(int(value), letter)
    elif letter in "xX" and isinstance(value, (str, bytes, bytearray)):
        text = (value.encode() if isinstance(value, str) else value).hex()
        return text.upper() if letter == "X" else text
    msg = f"the clause %{letter} does not take a {type(value).__name__}"
    raise _wrong(msg)


_TEXTS: Final[dict[type, Callable[..., str]]] = {
    int: str,
    float: double_text,
    bytearray: _bytes_text,
    bytes: _bytes_text,
    type(None): lambda _: "null",
    list: _list_text,
    dict: _map_text,
    timedelta: duration_text,
    datetime: timestamp_text,
}


def _formatted(clause: Clause, value: object) -> str:
    letter, precision = clause
    if letter == "s":
        return _text(value)
    if letter == "d":
        return _decimal(value)
    if letter == "f":
        return _fixed(value, precision)
    if letter == "e":
        return _scientific(value, precision)
    return _based(letter, value)


def format_text(text: str, values: list[object]) -> str:
    """``text.format(values)``.

    Raises:
        ValueError: A clause has no value, or none that it takes.
    """
    template = read_template(text, len(values))
    pieces = [template.parts[0]]
    for clause, value, part in zip(template.clauses, values, template.parts[1:], strict=False):
        if clause.precision > _LONGEST:
            msg = f"a precision of {clause.precision}"
            raise _wrong(msg)
        pieces += (_formatted(clause, value), part)
    return "".join(pieces)
