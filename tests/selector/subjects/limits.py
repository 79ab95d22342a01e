"""Kubernetes' limits: length, depth, and estimated cost, from both sides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_TEXT = "a" * 100
#: Sizes that the estimate knows, loses, or takes for endless: one expression a line.
_UNBOUNDED = (Path(__file__).parent / "limits.txt").read_text().splitlines()
#: A list of so many ints.
_LISTS = {count: f"[{', '.join(map(str, range(count)))}]" for count in (2, 5, 10, 20, 22, 24, 30, 40, 60, 100)}


def _nested(count: int, depth: int, body: str = "true") -> str:
    expression = body
    for level in range(depth):
        expression = f"{_LISTS[count]}.all(x{level}, {expression})"
    return expression


def _deep() -> Iterator[str]:
    # CEL's runtime in Python reads 32 levels, Kubernetes' 250: what lies between is refused here alone.
    for count in (2, 10, 20, 28, 260):
        yield f"{'(' * count}1{')' * count} == 1"
        yield f"{'[' * count}{']' * count}.size() == 1"
        yield f"{'+'.join(['1'] * count)} == {count}"
        yield f"{'<'.join(['1'] * count)}"
        yield f"{'*'.join(['1'] * count)} == 1"
        yield f"{'!' * count}true"
        yield f"{'-' * count}1 == 1"
        yield f'dyn({{"a": 1}}){".a" * count} == 1'
        yield f'dyn({{"a": 1}}){"[0]" * count} == 1'
        yield f'"a"{".trim()" * count} == "a"'
        yield f"{'size([' * (count // 2)}1{'])' * (count // 2)} == 1"
        yield f"{'true ? true : ' * count}true"
        yield "&&".join(["true"] * count)
        yield "||".join(["1 == 2"] * count)
        yield f"{'(true && ' * count}true{')' * count}"


def _long() -> Iterator[str]:
    for length in (10_239, 10_240, 10_241):
        yield "true" + " " * (length - 4)
        yield f'"{"a" * (length - 12)}" != "a" '[:length].ljust(length)
    yield "// " + "é" * 5_120
    yield "// " + "é" * 5_100 + "\ntrue"


def _costly() -> Iterator[str]:
    for count in (2, 5, 10, 20, 22, 24, 30):
        for depth in (1, 2, 3, 4):
            text = _nested(count, depth)
            # The same runtime ends an evaluation after 10,000 turns; from 330,000 on Kubernetes refuses the text.
            if len(text) < 10_000 and not 9_000 < sum(count**level for level in range(1, depth + 1)) < 330_000:
                yield text
                yield _nested(count, depth, '"abc".matches("a.*c")')
                yield _nested(count, depth, 'device.driver == "x" || true')
    for count in (10, 1_000, 100_000, 999_000, 1_000_000, 10_000_000):
        yield f"lists.range({count}).size() == {count}"
    for count in (10, 1_000, 9_000, 1_000_000):
        yield f"lists.range({count}).sum() > 0"
    for count in (10, 100, 1_000, 9_000):
        yield f"lists.range({count}).all(x, x >= 0)"
        yield f"lists.range({count}).map(x, x * 2).size() == {count}"
        yield f"lists.range({count}).exists(x, lists.range({count}).exists(y, x == y && x > 5))"
        yield f"lists.range({count}).reverse().sort().distinct().size() == {count}"
        yield f"lists.range({count}).indexOf(-1) == -1"
        yield f"sets.contains(lists.range({count}), lists.range({count}))"
        yield f"cel.bind(l, lists.range({count}), l.all(x, l[x] == x))"
    for count in (1, 2, 4, 8, 16):
        grown, spread = '.replace("a", "aaaaaaaaaa")' * count, '.replace("", "ab")' * count
        patterns, drivers = "(a|b)*" * count, ", ".join(["device.driver"] * count)
        yield f'"{_TEXT}"{grown}.size() > 0'
        yield f'"ab"{spread}.size() > 0'
        yield f'"{_TEXT}".matches("{patterns}")'
        yield f'device.attributes["gpu.x"].model.matches("{patterns}x")'
        yield f'device.attributes["gpu.x"].model{" + device.driver" * count} != ""'
        yield f'[{drivers}].join("-").size() > 0'
        yield f'[{drivers}].join("-").matches("a+b+c+")'
    yield from _UNBOUNDED


def cases() -> Iterator[tuple[str, str]]:
    for maker in (_deep, _long, _costly):
        for expression in maker():
            yield "gpu", expression
