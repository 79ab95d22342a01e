"""Why a device does not match: the clause that is not true, and what the device has in its place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from modelplane.selector.device import split_name
from modelplane.selector.tree import Call, Fold, Ident, Literal, Node, Select, children
from modelplane.value.device import Attribute, Facts


@dataclass(frozen=True, slots=True)
class Explanation:
    """The first clause of the conjunction that is not true, what its references are, and any error."""

    clause: str
    #: Such as ``device.capacity["gpu.x"].memory = 24Gi``, joined by commas; empty where it refers to nothing.
    found: str = ""
    error: str = ""


def found_values(clause: Node, facts: Facts) -> str:
    """What the clause's references to the device are, in the order of the text, each once."""
    shown = dict.fromkeys(_shown(reference, facts) for reference in _references(clause, frozenset()))
    return ", ".join(shown)


def _references(node: Node, hidden: frozenset[str]) -> Iterator[tuple[str, ...]]:
    """The paths below `device` that the node reads, as far as they are constant."""
    path = _path(node)
    if path is not None:
        if "device" not in hidden:
            yield path
        return
    if isinstance(node, Fold):
        yield from _references(node.range, hidden)
        yield from _references(node.init, hidden)
        inner = hidden | {node.accu, node.var, node.var2}
        for part in (node.step, node.result):
            yield from _references(part, inner)
        return
    for child in children(node):
        yield from _references(child, hidden)


def _path(node: Node) -> tuple[str, ...] | None:
    """The path below `device` that the chain of selections and indexes leads along, or None where it is none."""
    if isinstance(node, Ident):
        return () if node.name == "device" else None
    if isinstance(node, Select):
        before = _path(node.operand)
        return None if before is None else (*before, node.name)
    if isinstance(node, Call) and node.function in ("_[_]", "_[?_]", "_?._"):
        before = _path(node.args[0])
        key = node.args[1]
        if before is None or not isinstance(key, Literal):
            return None
        return (*before, str(key.value))
    return None


def _shown(path: tuple[str, ...], facts: Facts) -> str:
    if len(path) < 2:
        value = json.dumps(facts.driver) if path == ("driver",) else "false" if path else ""
        return f"device.{path[0]} = {value}" if path else "device"
    part, domain, *rest = path
    where = f"device.{part}[{json.dumps(domain, ensure_ascii=False)}]"
    held = _held(part, domain, facts)
    if not rest:
        return f"{where} has {', '.join(held) or 'nothing'}"
    return f"{where}.{rest[0]} = {held.get(rest[0], 'absent')}"


def _held(part: str, domain: str, facts: Facts) -> dict[str, str]:
    """What the domain publishes, by identifier, as words."""
    if part == "capacity":
        pairs = [(name, text) for name, text in facts.capacity]
    else:
        pairs = [(name, _written(attribute)) for name, attribute in facts.attributes]
    named = [(split_name(name, facts.driver), text) for name, text in pairs]
    return {identifier: text for (of, identifier), text in named if of == domain}


def _written(attribute: Attribute) -> str:
    kind, value = attribute
    return str(value) if kind == "version" else json.dumps(value, ensure_ascii=False)
