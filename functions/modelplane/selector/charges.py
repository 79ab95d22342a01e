"""What one call of a function costs by estimate: Kubernetes' rules first, then cel-go's.

The figures are those of ``k8s.io/apiserver/pkg/cel/library/cost.go`` and cel-go's ``checker/cost.go``: they decide
which selectors an API server accepts, so they must agree to the unit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol

from modelplane.selector import kinds
from modelplane.selector.kinds import Kind
from modelplane.selector.spans import MOST, ONE, Span, fixed
from modelplane.selector.tree import Literal, Node

#: Units for reading a character, and for a character of a pattern.
TRAVERSAL: Final = 0.1
_PATTERN: Final = 0.25
_LIST_BASE: Final = 10
_STRUCT_BASE: Final = 40
_LONGEST_FORMAT: Final = 64
_LONGEST_NAMED_PATTERN: Final = 128


class Charge(NamedTuple):
    """The cost of a call without its arguments, and the size of its result where that is known."""

    cost: Span
    size: Span | None = None


class Operand(Protocol):
    """An argument as the estimate sees it."""

    @property
    def node(self) -> Node | None:
        """The node, or None for the elements of a list."""

    @property
    def kind(self) -> Kind:
        """Its type."""

    @property
    def computed(self) -> Span | None:
        """Its size where the text tells it."""

    def size(self) -> Span:
        """Its size, from the text, from what a device can have, or unknown."""

    def elements(self) -> Operand | None:
        """The elements of a list, or the keys of a map."""


_Rule = Callable[[str, "Operand | None", Sequence[Operand]], "Charge | None"]


def kubernetes_charge(function: str, overload: str, target: Operand | None, args: Sequence[Operand]) -> Charge | None:
    """The charge by Kubernetes' own rules, or None where it leaves it to CEL."""
    rule = _RULES.get(function)
    return rule(overload, target, args) if rule else None


def list_charge(overload: str, target: Operand | None, args: Sequence[Operand]) -> Charge | None:
    """The charge of CEL's library of lists and of sets, which go by overload."""
    rule = _LIST_RULES.get(overload)
    if rule is None and overload.endswith(("_sort", "_sortByAssociatedKeys")):
        rule = _sorting
    return rule(overload, target, args) if rule else None


def _flat(cost: int) -> _Rule:
    return lambda _overload, _target, _args: Charge(fixed(cost))


def _selector(_overload: str, _target: Operand | None, args: Sequence[Operand]) -> Charge | None:
    if len(args) != 1:
        return None
    size = args[0].size()
    requirements = size.scaled(0.5).scaled(float(_LIST_BASE + _STRUCT_BASE))
    return Charge(fixed(_LIST_BASE).plus(size.scaled(TRAVERSAL)).plus(requirements))


def _each_element(_overload: str, target: Operand | None, _args: Sequence[Operand]) -> Charge | None:
    if target is None:
        return None
    elements = target.elements()
    if elements is None:
        return Charge(target.size().scaled(TRAVERSAL))
    each = ONE.plus(elements.size().scaled(TRAVERSAL)) if elements.kind.sort in ("string", "bytes") else ONE
    return Charge(target.size().times(each))


def _read_argument(factor: float) -> _Rule:
    def rule(_overload: str, _target: Operand | None, args: Sequence[Operand]) -> Charge | None:
        return Charge(args[0].size().scaled(factor)) if args else None

    return rule


def _url(_overload: str, _target: Operand | None, args: Sequence[Operand]) -> Charge | None:
    size = args[0].size()
    return Charge(size.scaled(TRAVERSAL), size)


def _same_size(_overload: str, target: Operand | None, _args: Sequence[Operand]) -> Charge | None:
    if target is None:
        return None
    size = target.size()
    return Charge(size.scaled(TRAVERSAL), size)


def _replace(_overload: str, target: Operand | None, args: Sequence[Operand]) -> Charge | None:
    if target is None:
        return None
    size, old, new = target.size(), args[0].size(), args[1].size()
    most_count, most_kept = _most_replaced(size, old, new)
    least_count, least_kept = _least_replaced(size, old, new)
    result = Span(least_count, most_count).times(new).plus(Span(least_kept, most_kept))
    return Charge(size.scaled(2 * TRAVERSAL), result)


def _most_replaced(size: Span, old: Span, new: Span) -> tuple[int, int]:
    """How many replacements make the longest result, and how much of the text it keeps."""
    if old.low == 0:
        return min(size.high + 1, MOST), size.high
    if new.high <= old.low:
        return 0, size.high
    return _ratio(size.high, old.low), 0


def _least_replaced(size: Span, old: Span, new: Span) -> tuple[int, int]:
    """How many replacements make the shortest result, and how much of the text it keeps."""
    if old.high == 0:
        return min(size.low + 1, MOST), size.low
    if old.high <= new.low:
        return 0, size.low
    return _ratio(size.low, old.high), 0


def _ratio(size: int, part: int) -> int:
    return min(math.ceil(float(size) / float(part)), MOST)


def _split(_overload: str, target: Operand | None, args: Sequence[Operand]) -> Charge | None:
    if target is None:
        return None
    size = target.size()
    most = size.high
    if len(args) > 1 and isinstance(args[1].node, Literal) and isinstance(args[1].node.value, int):
        most = args[1].node.value % (1 << 64)
    return Charge(size.scaled(2 * TRAVERSAL), Span(0, most))


def _join(_overload: str, target: Operand | None, args: Sequence[Operand]) -> Charge | None:
    if target is None:
        return None
    size = target.size()
    elements = target.elements()
    made = size.times(elements.size()) if elements is not None else fixed(0)
    if args:
        gaps = Span(max(size.low - 1, 0), max(size.high - 1, 0))
        made = made.plus(args[0].size().times(gaps))
    return Charge(made.scaled(TRAVERSAL), made)


def _find(_overload: str, target: Operand | None, args: Sequence[Operand]) -> Charge | None:
    if target is None:
        return None
    size = target.size()
    cost = size.plus(ONE).scaled(TRAVERSAL).times(args[0].size().scaled(_PATTERN))
    return Charge(cost, Span(0, size.high))


def _ip(overload: str, target: Operand | None, args: Sequence[Operand]) -> Charge | None:
    return Charge(ONE) if overload == "cidr_ip" else _read_argument(TRAVERSAL)(overload, target, args)


def _within(overload: str, _target: Operand | None, args: Sequence[Operand]) -> Charge | None:
    """A network that has an address or a network: both are 4 to 16 bytes."""
    size = Span(4, 16)
    cost = size.plus(size).scaled(TRAVERSAL)
    if "contains_cidr" in overload:
        cost = cost.plus(size.scaled(TRAVERSAL)).plus(ONE)
    if overload.endswith("_string"):
        cost = cost.plus(args[0].size().scaled(TRAVERSAL))
    return Charge(cost)


def _named_format(_overload: str, _target: Operand | None, args: Sequence[Operand]) -> Charge | None:
    return Charge(args[0].size().scaled(TRAVERSAL).scaled(_LONGEST_NAMED_PATTERN * _PATTERN))


def _equality(_overload: str, _target: Operand | None, args: Sequence[Operand]) -> Charge | None:
    left, right = args[0].kind, args[1].kind
    if left.name != right.name or left.sort != right.sort:
        return None
    if left in (kinds.IP, kinds.CIDR, kinds.QUANTITY, kinds.SEMVER) or left.name.startswith("kubernetes.auth"):
        return Charge(ONE)
    if left == kinds.NAMED_FORMAT:
        return Charge(Span(1, _LONGEST_FORMAT).scaled(TRAVERSAL))
    if left == kinds.URL:
        # Kubernetes takes the right one's size for both.
        size = args[1].computed
        return Charge(Span(1, size.high if size else 1).scaled(TRAVERSAL))
    return None


def _sets(factor: float) -> _Rule:
    return lambda _overload, _target, args: Charge(args[0].size().times(args[1].size()).scaled(factor).plus(ONE))


def _made_list(factor: float, size: Span) -> Charge:
    return Charge(size.scaled(factor).plus(ONE).plus(fixed(_LIST_BASE)), size)


def _int_of(operand: Operand, default: int) -> int:
    node = operand.node
    if isinstance(node, Literal) and node.value.__class__ is int and isinstance(node.value, int):
        return max(node.value, 0)
    return default


def _slice(_overload: str, target: Operand | None, args: Sequence[Operand]) -> Charge | None:
    if target is None:
        return None
    end = _int_of(args[1], target.size().high)
    return _made_list(1, fixed((end - _int_of(args[0], 0)) % (1 << 64)))


def _range(_overload: str, _target: Operand | None, args: Sequence[Operand]) -> Charge | None:
    return _made_list(1, fixed(_int_of(args[0], MOST)))


def _reverse(_overload: str, target: Operand | None, _args: Sequence[Operand]) -> Charge | None:
    return _made_list(1, target.size()) if target else None


def _flatten(_overload: str, target: Operand | None, args: Sequence[Operand]) -> Charge | None:
    depth = _int_of(args[0], MOST) if args else 1
    return _made_list(float(depth), target.size()) if target else None


def _distinct(_overload: str, target: Operand | None, _args: Sequence[Operand]) -> Charge | None:
    return _made_list(2, target.size().times(target.size())) if target else None


def _sorting(overload: str, target: Operand | None, args: Sequence[Operand]) -> Charge | None:
    keys = args[0] if overload.endswith("Keys") else target
    if keys is None:
        return None
    factor = 2 + TRAVERSAL if overload.startswith(("list_string_", "list_bytes_")) else 2.0
    return _made_list(factor, keys.size().times(keys.size()))


_NOMINAL: Final = """
serviceAccount path group resource subresource namespace name allowed reason error errored masked prefixLength
family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast format.named sign asInteger
isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch getScheme getHostname
getHost getPort getEscapedPath getQuery
""".split()  # noqa: SIM905 - words are read more easily than a list
_RULES: Final[dict[str, _Rule]] = {
    **dict.fromkeys(_NOMINAL, _flat(1)),
    "check": _flat(350_000),
    **dict.fromkeys(("fieldSelector", "labelSelector"), _selector),
    **dict.fromkeys(("isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"), _each_element),
    **dict.fromkeys(("lowerAscii", "upperAscii", "substring", "trim"), _same_size),
    **dict.fromkeys(("find", "findAll"), _find),
    **dict.fromkeys(
        ("cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver"), _read_argument(TRAVERSAL)
    ),
    **dict.fromkeys(("containsIP", "containsCIDR"), _within),
    "url": _url,
    "replace": _replace,
    "split": _split,
    "join": _join,
    "ip": _ip,
    "ip.isCanonical": _read_argument(2 * TRAVERSAL),
    "validate": _named_format,
    "_==_": _equality,
}
_LIST_RULES: Final[dict[str, _Rule]] = {
    "list_sets_contains_list": _sets(1),
    "list_sets_intersects_list": _sets(1),
    "list_sets_equivalent_list": _sets(2),
    "list_slice": _slice,
    "list_flatten": _flatten,
    "list_flatten_int": _flatten,
    "list_range": _range,
    "list_reverse": _reverse,
    "list_distinct": _distinct,
}
