"""The checked expression as a tree of nodes that know their type and their place in the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from modelplane.selector import kinds
from modelplane.selector.kinds import DYN, Kind, read_kind
from modelplane.selector.wire import Message


class UInt(int):
    """An unsigned integer, as opposed to a signed one."""

    __slots__ = ()


#: The accumulator of every macro that loops; no text can spell it.
ACCUMULATOR: Final = "@result"


@dataclass(slots=True, eq=False, kw_only=True)
class Node:
    """What every node has: the wire's number for it, the offset where errors are reported, and its type."""

    id: int
    pos: int
    kind: Kind


@dataclass(slots=True, eq=False)
class Literal(Node):
    """A constant: bool, int, UInt, float, str, bytes or None."""

    value: object


@dataclass(slots=True, eq=False)
class Ident(Node):
    """A name."""

    name: str


@dataclass(slots=True, eq=False)
class Select(Node):
    """A field of an operand, or with `presence` only whether it is there."""

    operand: Node
    name: str
    presence: bool = False


@dataclass(slots=True, eq=False)
class Call(Node):
    """A function or operator, on a target where it was written as a method, with the overloads that the types allow."""

    function: str
    target: Node | None
    args: list[Node]
    overloads: list[str]


@dataclass(slots=True, eq=False)
class ListNode(Node):
    """A list; `optional` has the indices of elements written with a question mark."""

    elements: list[Node]
    optional: frozenset[int]


@dataclass(slots=True, eq=False)
class Entry:
    """One key and value of a map."""

    key: Node
    value: Node
    optional: bool = False


@dataclass(slots=True, eq=False)
class MapNode(Node):
    """A map."""

    entries: list[Entry]


@dataclass(slots=True, eq=False)
class StructNode(Node):
    """A message written out; no selector may have one."""

    name: str


@dataclass(slots=True, eq=False)
class Fold(Node):
    """A comprehension: what every looping or binding macro becomes.

    While `condition` holds, `step` makes the next accumulator from the current one and an element of `range`; `result`
    is read from the last. With `var2` the elements are (index or key, value) pairs.
    """

    range: Node
    var: str
    var2: str
    accu: str
    init: Node
    condition: Node
    step: Node
    result: Node


def children(node: Node) -> Iterator[Node]:
    """The nodes right below, in the order of the text."""
    match node:
        case Select():
            yield node.operand
        case Call():
            if node.target is not None:
                yield node.target
            yield from node.args
        case ListNode():
            yield from node.elements
        case MapNode():
            for entry in node.entries:
                yield entry.key
                yield entry.value
        case Fold():
            yield from (node.range, node.init, node.condition, node.step, node.result)
        case _:
            pass


def read_tree(checked: Message) -> Node:
    """The tree of a checked expression."""
    return _Reader(checked).read(checked.expr)


class _Reader:
    def __init__(self, checked: Message) -> None:
        self._types = checked.type_map
        self._positions = checked.source_info.positions
        self._references = checked.reference_map

    def read(self, expr: Message) -> Node:
        """The node for the expression."""
        number = expr.id
        kind = read_kind(self._types[number]) if number in self._types else DYN
        where: dict[str, Any] = {"id": number, "pos": self._positions.get(number, 0), "kind": kind}
        match expr.WhichOneof("kind"):
            case "const_expr":
                node: Node = Literal(_constant(expr.const_expr), **where)
            case "ident_expr":
                node = _ident(expr.ident_expr.name, where)
            case "select_expr":
                select = expr.select_expr
                node = Select(self.read(select.operand), select.field, select.test_only, **where)
            case "call_expr":
                node = self._call(expr, where)
            case "list_expr":
                elements = [self.read(element) for element in expr.list_expr.elements]
                node = ListNode(elements, frozenset(expr.list_expr.optional_indices), **where)
            case "struct_expr":
                node = self._struct(expr.struct_expr, where)
            case _:
                node = self._fold(expr.comprehension_expr, where)
        return node

    def _call(self, expr: Message, where: dict[str, Any]) -> Call:
        call = expr.call_expr
        target = self.read(call.target) if call.HasField("target") else None
        overloads = list(self._references[expr.id].overload_id) if expr.id in self._references else []
        return Call(call.function, target, [self.read(arg) for arg in call.args], overloads, **where)

    def _struct(self, struct: Message, where: dict[str, Any]) -> Node:
        if struct.message_name:
            return StructNode(struct.message_name, **where)
        entries = [
            Entry(self.read(entry.map_key), self.read(entry.value), entry.optional_entry) for entry in struct.entries
        ]
        return MapNode(entries, **where)

    def _fold(self, loop: Message, where: dict[str, Any]) -> Fold:
        parts = (loop.accu_init, loop.loop_condition, loop.loop_step, loop.result)
        init, condition, step, result = map(self.read, parts)
        names = (loop.iter_var, loop.iter_var2, loop.accu_var)
        return Fold(self.read(loop.iter_range), *names, init, condition, step, result, **where)


def _ident(name: str, where: dict[str, Any]) -> Node:
    """A name; the checker reads ``device.driver`` as one, while its cost and its words are those of a field."""
    root, dot, field = name.partition(".")
    if root != "device" or not dot:
        return Ident(name, **where)
    return Select(Ident(root, **{**where, "kind": kinds.DEVICE}), field, **where)


def _constant(constant: Message) -> object:
    sort = constant.WhichOneof("kind")
    if sort == "null_value" or sort is None:
        return None
    value: object = getattr(constant, sort)
    return UInt(value) if sort == "uint64_value" else value  # type: ignore[call-overload] # an int
