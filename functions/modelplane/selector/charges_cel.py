"""What a call costs by cel-go's own rules, by overload, where Kubernetes has none; what has no rule costs one unit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from modelplane.selector.charges import TRAVERSAL, Charge, Operand
from modelplane.selector.spans import MOST, ONE, UNKNOWN, Span

_PATTERN: Final = 0.25
#: Overloads that compare texts or whatever they are given.
_COMPARING: Final = frozenset(
    f"{relation}_{kind}"
    for relation in ("less", "less_equals", "greater", "greater_equals")
    for kind in ("string", "bytes")
) | {"equals", "not_equals"}

#: A rule takes the size of the target and those of the arguments.
_Rule = Callable[[Span, Sequence[Span]], Charge]


def cel_charge(overload: str, target: Operand | None, args: Sequence[Operand]) -> Charge:
    """The charge of a call without its arguments."""
    rule = _compared if overload in _COMPARING else _RULES.get(overload)
    if rule is None:
        return Charge(ONE)
    return rule((target.computed if target else None) or UNKNOWN, [arg.computed or UNKNOWN for arg in args])


def _compared(_aimed: Span, sizes: Sequence[Span]) -> Charge:
    least = min(sizes[0].high, sizes[1].high)
    return Charge(Span(int(least > 0), least).scaled(TRAVERSAL))


def _to_bytes(_aimed: Span, sizes: Sequence[Span]) -> Charge:
    # The product wraps around in Kubernetes, where an unknown size is the greatest.
    return Charge(sizes[0].scaled(TRAVERSAL), Span(sizes[0].low, sizes[0].high * 4 % (MOST + 1)))


def _from_bytes(_aimed: Span, sizes: Sequence[Span]) -> Charge:
    return Charge(sizes[0].scaled(TRAVERSAL), Span(sizes[0].low // 4, sizes[0].high))


def _quoted(_aimed: Span, sizes: Sequence[Span]) -> Charge:
    return Charge(sizes[0].scaled(TRAVERSAL), Span(sizes[0].low + 2, (sizes[0].high * 2 + 2) % (MOST + 1)))


def _read(_aimed: Span, sizes: Sequence[Span]) -> Charge:
    return Charge(sizes[0].scaled(TRAVERSAL))


def _matched(aimed: Span, sizes: Sequence[Span]) -> Charge:
    return Charge(aimed.plus(ONE).scaled(TRAVERSAL).times(sizes[0].scaled(_PATTERN)))


def _contained(aimed: Span, sizes: Sequence[Span]) -> Charge:
    return Charge(aimed.scaled(TRAVERSAL).times(sizes[0].scaled(TRAVERSAL)))


_RULES: Final[dict[str, _Rule]] = {
    "string_format": lambda aimed, _sizes: Charge(aimed.scaled(TRAVERSAL)),
    "string_to_bytes": _to_bytes,
    "bytes_to_string": _from_bytes,
    "strings_quote": _quoted,
    "starts_with_string": _read,
    "ends_with_string": _read,
    "in_list": lambda _aimed, sizes: Charge(sizes[1].scaled(1)),
    "matches_string": _matched,
    "contains_string": _contained,
}
