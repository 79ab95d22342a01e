"""What does not compile: every function with arguments of every sort, and calls of the wrong shape."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

_VALUES = {
    "int": "1",
    "string": '"a"',
    "bool": "true",
    "double": "1.5",
    "list": "[1]",
    "map": '{"a": 1}',
    "quantity": 'quantity("1")',
    "any": 'device.attributes["gpu.x"].index',
    "dyn": 'dyn("a")',
}
#: The sorts that arguments are varied over; targets are varied over all.
_ARGUMENTS = ("string", "list", "quantity", "any")
_CALLS = """
.contains . .startsWith . .endsWith . .matches . .size .charAt . .indexOf . .indexOf .. .lastIndexOf . .lowerAscii
.upperAscii .replace .. .replace ... .split . .split .. .substring . .substring .. .trim .join .join . .format .
.find . .findAll . .findAll .. .sum .max .min .isSorted .sort .reverse .distinct .flatten .flatten . .slice ..
.first .last .compareTo . .isGreaterThan . .isLessThan . .add . .sub . .asInteger .isInteger .asApproximateFloat
.major .minor .patch .hasValue .value .or . .orValue . .family .isLoopback .containsIP . .containsCIDR . .masked
.prefixLength .ip .getHost .getQuery .getHours .getHours . .getMilliseconds .getFullYear .validate . .unwrapOpt
size . sign . quantity . isQuantity . semver . semver .. isSemver . isSemver .. ip . isIP . cidr . isCIDR . url .
isURL . lists.range . sets.contains .. sets.equivalent .. sets.intersects .. strings.quote . optional.of .
optional.ofNonZeroValue . optional.none optional.unwrap . matches .. ip.isCanonical . format.named . format.uuid
int . string . bool . double . uint . bytes . duration . timestamp . dyn . type .
""".split()  # noqa: SIM905 - words are read more easily than a list


def _shapes() -> Iterator[tuple[str, int]]:
    """Each function with the number of its arguments."""
    for index, word in enumerate(_CALLS):
        if re.match(r"\.?[a-zA-Z]", word):
            following = _CALLS[index + 1] if index + 1 < len(_CALLS) else ""
            yield word, len(following) if set(following) == {"."} else 0


def _call(function: str, target: str, args: list[str]) -> str:
    return f"{target}{function}({', '.join(args)})" if function.startswith(".") else f"{function}({', '.join(args)})"


def cases() -> Iterator[tuple[str, str]]:
    for function, count in _shapes():
        method = function.startswith(".")
        for target, arg in product(_VALUES if method else ("int",), _ARGUMENTS if count else ("int",)):
            call = _call(function, _VALUES[target], [_VALUES[arg]] * count)
            # Asked of what is no optional, cel-go's orValue gives that back; CEL's other runtime does not know it.
            if function != ".orValue" or target not in ("any", "dyn"):
                yield "gpu", f"{call} == {call}"
        # One argument too many or too few, and the other way to write the call.
        yield "gpu", f"{_call(function, _VALUES['string'], [_VALUES['string']] * (count + 1))} == 1"
        if count:
            yield "gpu", f"{_call(function, _VALUES['string'], [_VALUES['string']] * (count - 1))} == 1"
        flipped = function[1:] if method else f".{function}"
        yield "gpu", f"{_call(flipped, _VALUES['string'], [_VALUES['string']] * count)} == 1"
    for value in _VALUES.values():
        yield "gpu", f"{value}.nothing"
        yield "gpu", f"{value}.nothing()"
        yield "gpu", f"{value}[0] == 1"
        yield "gpu", f'{value}["a"] == 1'
        yield "gpu", f"{value} ? true : false"
        yield "gpu", f"!{value}"
        yield "gpu", f"-{value} == 1"
        yield "gpu", f"{value} && true"
        yield "gpu", f"{value} in [1]"
        yield "gpu", f"1 in {value}"
    for left, right in product(_VALUES, _VALUES):
        for sign in ("==", "+", "<"):
            yield "gpu", f"({_VALUES[left]} {sign} {_VALUES[right]}) == ({_VALUES[left]} {sign} {_VALUES[right]})"
    yield from (("gpu", line) for line in (Path(__file__).parent / "faults.txt").read_text().splitlines())
