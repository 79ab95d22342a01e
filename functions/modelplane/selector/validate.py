"""What Kubernetes demands of an expression beyond its types: constants that can be read, literals of one type."""

from __future__ import annotations

import math
import re
from typing import Final

from modelplane.selector.environment import fault
from modelplane.selector.kinds import Kind
from modelplane.selector.refusal import Refusal
from modelplane.selector.tree import Call, Ident, ListNode, Literal, MapNode, Node, StructNode, UInt, children

#: A clause of a format: its precision and its letter.
_CLAUSE: Final = re.compile(r"%(?:(%)|(\.[0-9]{1,18})?([sdfebxXo])|)", re.DOTALL)
#: The types that each clause of a format takes; "s" takes more, and looks into literals.
_CLAUSES: Final = {
    "d": ("int", "uint"),
    "f": ("double", "string"),
    "e": ("double", "string"),
    "b": ("int", "uint", "bool"),
    "x": ("int", "uint", "string", "bytes"),
    "X": ("int", "uint", "string", "bytes"),
    "o": ("int", "uint"),
}
_TEXTUAL: Final = frozenset(
    ("list", "map", "int", "uint", "double", "bool", "string", "timestamp", "bytes", "duration", "type", "null")
)
#: Functions whose first argument, where it is written out, must be readable.
_READ: Final = {
    "duration": "duration(_0)",
    "timestamp": "timestamp(_0)",
    "matches": '"".matches(_0)',
    "find": '_find("", _0)',
    "findAll": '_find("", _0)',
}


def validate(tree: Node) -> None:
    """Refuse what Kubernetes' validators refuse.

    Raises:
        Refusal: A constant cannot be read, a literal mixes types, or a format does not fit its arguments.
    """
    _visit(tree, formatted=False)


def _visit(node: Node, *, formatted: bool) -> None:
    if isinstance(node, Call):
        _call(node)
        formatted = formatted or node.function == "format"
    elif isinstance(node, ListNode) and not formatted:
        _one_type(node.elements, node.optional)
    elif isinstance(node, MapNode) and not formatted:
        _one_type([entry.key for entry in node.entries], frozenset())
        optional = frozenset(index for index, entry in enumerate(node.entries) if entry.optional)
        _one_type([entry.value for entry in node.entries], optional)
    elif isinstance(node, Literal) and isinstance(node.value, float) and math.isinf(node.value):
        raise Refusal(node.pos, "invalid double literal")
    elif isinstance(node, StructNode):
        raise Refusal(node.pos, "a selector cannot make a message")
    elif isinstance(node, Ident) and node.name.startswith("kubernetes."):
        raise Refusal(node.pos, f"undeclared reference to '{node.name}'")
    for child in children(node):
        _visit(child, formatted=formatted)


def _one_type(nodes: list[Node], optional: frozenset[int]) -> None:
    first: Kind | None = None
    for index, node in enumerate(nodes):
        kind = node.kind.parts[0] if index in optional and node.kind.parts else node.kind
        if first is None:
            first = kind
        elif first != kind:
            raise Refusal(node.pos, f"expected type '{first}' but found '{kind}'")


def _call(node: Call) -> None:
    args = [*([node.target] if node.target is not None else []), *node.args]
    for arg in _read(node, args):
        if error := _unreadable(node.function, arg.value):
            raise Refusal(arg.pos, f"invalid {node.function} argument: {error}")
    if node.function == "flatten" and len(args) == 1 and not _nests(args[0].kind):
        raise Refusal(node.pos, f"found no matching overload for 'flatten' applied to '{args[0].kind}.()'")
    if node.function == "format" and isinstance(node.target, Literal) and isinstance(node.args[0], ListNode):
        _format(node, str(node.target.value), node.args[0].elements)


def _nests(kind: Kind) -> bool:
    return kind.sort != "list" or kind.parts[0].sort in ("list", "dyn", "any", "param")


def _read(node: Call, args: list[Node]) -> list[Literal]:
    """The arguments that must be readable, as far as they are written out."""
    if node.function not in _READ:
        return []
    # For matches(text, pattern) Kubernetes reads the text as the pattern as well; so do we.
    read = args[:1] if node.target is None else []
    return [arg for arg in (*read, *args[1:2]) if isinstance(arg, Literal)]


def _format(node: Call, text: str, args: list[Node]) -> None:
    count = 0
    for match in _CLAUSE.finditer(text):
        if match[1]:
            continue
        if match[3] is None:
            raise Refusal(node.pos, "unrecognized formatting clause")
        if count >= len(args):
            raise Refusal(node.pos, f"index {count} out of range")
        _clause(match[3], args[count])
        count += 1
    if count < len(args):
        raise Refusal(node.pos, f"too many arguments supplied to format: {count} clauses, {len(args)} arguments")


def _clause(letter: str, arg: Node) -> None:
    if letter == "s":
        _textual(arg)
    elif arg.kind.sort != "dyn" and arg.kind.sort not in _CLAUSES[letter]:
        raise Refusal(arg.pos, f"the clause %{letter} does not take a {arg.kind}")


def _textual(node: Node) -> None:
    if node.kind.sort != "dyn" and node.kind.sort not in _TEXTUAL:
        raise Refusal(node.pos, f"the clause %s does not take a {node.kind}")
    if isinstance(node, (ListNode, MapNode)):
        for child in children(node):
            _textual(child)


def _unreadable(function: str, value: object) -> str:
    """Why the function cannot read the constant, or an empty text."""
    if not isinstance(value, str):
        seconds = function == "timestamp" and isinstance(value, int) and not isinstance(value, UInt)
        return "" if seconds else "not a text"
    return fault(_READ[function], value)
