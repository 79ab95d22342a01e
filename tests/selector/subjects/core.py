"""The language itself: values of unlike types against each other, arithmetic, conversions, time, and syntax."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

#: Values of Kubernetes' own types.
_OWN = (
    'quantity("1")',
    'semver("1.0.0")',
    'ip("10.0.0.1")',
    'cidr("10.0.0.0/8")',
    'url("https://a.b/c")',
    "format.uuid()",
)
_VALUES = (
    "0",
    "1",
    "-1",
    "9007199254740993",
    "9223372036854775807",
    "0u",
    "1u",
    "18446744073709551615u",
    "0.0",
    "1.0",
    "1.5",
    "-0.0",
    "9007199254740992.0",
    "9223372036854775808.0",
    'double("NaN")',
    'double("Infinity")',
    "true",
    "false",
    "null",
    '""',
    '"1"',
    'b""',
    'b"1"',
    "[]",
    "[1]",
    "[1.0]",
    "{}",
    '{"a": 1}',
    '{"a": 1u}',
    'duration("1s")',
    'timestamp("2026-09-30T00:00:00Z")',
    "optional.none()",
    "optional.of(1)",
    *_OWN,
)
_ORDERED = """
1 2 -1 9223372036854775807 1u 2u 18446744073709551615u 1.0 1.5 -1.0 9223372036854775807.0 18446744073709551616.0
true false "a" "b" "" b"a" b"b" duration("1s") duration("-1s") timestamp("2026-01-01T00:00:00Z")
timestamp("2026-01-01T00:00:00.1+01:00") null [1] {} quantity("1") semver("1.0.0") optional.of(1)
""".split()  # noqa: SIM905 - words are read more easily than a list
_NUMBERS = """
0 -1 7 9223372036854775807 -9223372036854775808 0u 3u 18446744073709551615u 0.0 -2.5 1e308
""".split()  # noqa: SIM905 - words are read more easily than a list
_CONVERTED = [
    word.strip()
    for word in """
0 | 1 | -1 | 9223372036854775807 | 0u | 1u | 18446744073709551615u | 9223372036854775808u | 0.0 | 1.9 | -1.9 | 1e19
| 9.3e18 | -9.3e18 | 1e6 | 123456789.0 | 0.0001 | 0.00001 | double("NaN") | double("Infinity") | -0.0 | true |
false | null | "1" | "-1" | "1.5" | "1e3" | "" | "true" | "TRUE" | "t" | "tRUE" |
"yes" | "NaN" | "nan" | "Inf" | "-inf" | "infinity" | ".5" | "5." | "." | "0x1p-2" | b"" |
b"abc" | b"\\xff" | "\u00e9" | [] | {} | "1h30m" | "1.5h" | "1d" | "100ms" |
"1us" | "-1ns" | "1h 1m" | timestamp("2026-09-30T12:00:00Z") | "2026-09-30T12:00:00Z" |
"2026-09-30T12:00:00.5+02:00" | "2026-09-30" | "2026-02-29T00:00:00Z" | quantity("1") | optional.of(1) | ip("::1")
| cidr("::/0") | type(1) | dyn(1) | dyn("1")
""".split("|")  # noqa: SIM905 - words are read more easily than a list
]
_CONVERSIONS = ("bool", "bytes", "double", "duration", "int", "string", "timestamp", "uint", "dyn", "type")
_MOMENTS = (
    "2026-09-30T05:04:03.987654321Z",
    "2024-02-29T23:59:59+14:00",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999999Z",
    "1969-12-31T23:59:59.5-05:00",
    "2020-01-01T5:04:05Z",
    "2020-01-01T05:04:05+25:00",
    "2020-01-01T24:00:00Z",
)
_PARTS = """
FullYear Month DayOfYear DayOfMonth Date DayOfWeek Hours Minutes Seconds Milliseconds
""".split()  # noqa: SIM905 - words are read more easily than a list
_ZONES = ("", "UTC", "-08:00", "+05:30", "5:30", "-00:30", "x", ":", "Nowhere/Here", "1:b")
#: One expression a line.
_SYNTAX = (Path(__file__).parent / "syntax.txt").read_text().splitlines()
#: Expressions of several lines.
_LINES = (
    '"a\nb" == "a"',
    '"""a\nb""" == "a\\nb"',
    "true\n&&\n\n1",
    "device.driver ==\n  // which\n  device.nothing",
    "1 == 1\r\n",
    "\u00a0true",
)


def _arithmetic() -> Iterator[str]:
    for left, right in product(_NUMBERS, _NUMBERS):
        for sign in "+-*/%":
            # Through dyn() every pair compiles, so that what runs decides.
            yield f"dyn({left}) {sign} dyn({right}) > dyn(0)" if sign in "*%" else f"{left} {sign} {right} != {left}"


def _equal() -> Iterator[str]:
    for left, right in product(_VALUES, _VALUES[::2]):
        yield f"dyn({left}) == dyn({right})"
    for value in _VALUES[: -len(_OWN)]:
        yield f"[dyn({value})] == [dyn(1)]"
        yield f'{{"a": dyn({value})}} == {{"a": dyn("1")}}'
    for value in _VALUES:
        yield f"dyn({value}) != dyn({value})"
        yield f"optional.of(dyn({value})) == optional.of(dyn(1))"
        yield f"optional.ofNonZeroValue({value}).hasValue()"
        yield f"{value} == null"
        yield f"{value}"


def _compared() -> Iterator[str]:
    for left, right in product(_ORDERED, _ORDERED):
        yield f"dyn({left}) < dyn({right})"
    for left, right in product(_ORDERED[::2], _ORDERED[1::2]):
        yield f"{left} >= {right}"


def _converted() -> Iterator[str]:
    for value, function in product(_CONVERTED, _CONVERSIONS):
        yield f"{function}({value}) == {function}({value})"


def _times() -> Iterator[str]:
    for moment, part in product(_MOMENTS, _PARTS):
        yield f'timestamp("{moment}").get{part}() > 3'
    for zone, part in product(_ZONES, ("Hours", "Minutes", "DayOfMonth")):
        yield f'timestamp("{_MOMENTS[0]}").get{part}("{zone}") > 4'


def cases() -> Iterator[tuple[str, str]]:
    for maker in (_equal, _compared, _arithmetic, _converted, _times):
        for expression in maker():
            yield "none", expression
    for line in (*_SYNTAX, *_LINES):
        yield "gpu", line
