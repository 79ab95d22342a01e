"""What a selector costs at worst, by Kubernetes' estimate: past its limit an API server refuses the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from modelplane.selector.bounds import device_size
from modelplane.selector.charges import TRAVERSAL, Charge, kubernetes_charge, list_charge
from modelplane.selector.charges_cel import cel_charge
from modelplane.selector.kinds import Kind
from modelplane.selector.spans import MOST, NOTHING, ONE, UNKNOWN, Entries, Span, fixed
from modelplane.selector.tree import ACCUMULATOR, Call, Fold, Ident, ListNode, Literal, MapNode, Node, Select

_LIST_BASE: Final = fixed(10)
_MAP_BASE: Final = fixed(30)
_SCALARS: Final = frozenset({"bool", "double", "duration", "int", "timestamp", "uint"})

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Local:
    """A name bound inside the selector: where its value comes from, and its sizes."""

    path: Path
    size: Span | None
    entries: Entries | None


@dataclass(frozen=True, slots=True)
class _Argument:
    """An argument, with the estimate that it belongs to."""

    estimate: _Estimate
    node: Node | None
    kind: Kind
    path: Path | None
    computed: Span | None

    def size(self) -> Span:
        """Its size, from the text, from what a device can have, or unknown."""
        return self.computed or device_size(self.path or ()) or UNKNOWN

    def elements(self) -> _Argument | None:
        """The elements of a list, or the keys of a map."""
        if not self.kind.parts:
            return None
        path = (*self.path, "@items") if self.path is not None else None
        return _Argument(self.estimate, None, self.kind.parts[0], path, None)


def worst_cost(tree: Node) -> int:
    """The estimated worst cost of a checked tree, in Kubernetes' units."""
    return _Estimate().cost(tree).high


class _Estimate:
    def __init__(self) -> None:
        self._paths: dict[int, Path] = {}
        self._locals: dict[str, list[_Local]] = {}
        self._sizes: dict[int, Span] = {}
        self._entries: dict[int, Entries] = {}

    def cost(self, node: Node) -> Span:  # noqa: PLR0911 - one for each kind of node
        """The cost of evaluating the node."""
        match node:
            case Literal():
                return NOTHING
            case Ident():
                local = self._local(node.name)
                self._paths[id(node)] = local.path if local else (node.name,)
                return ONE
            case Select():
                return self._select(node)
            case Call():
                return self._call(node)
            case ListNode():
                return self._list(node)
            case MapNode():
                return self._map(node)
            case Fold():
                return self._bind(node) if _is_bind(node) else self._loop(node)
            case _:
                return NOTHING

    def _local(self, name: str) -> _Local | None:
        stack = self._locals.get(name)
        return stack[-1] if stack else None

    def _path(self, node: Node) -> Path:
        local = self._local(node.name) if isinstance(node, Ident) else None
        return local.path if local else self._paths.get(id(node), ())

    def _select(self, node: Select) -> Span:
        cost = self.cost(node.operand)
        if node.presence:
            return cost
        self._paths[id(node)] = (*self._path(node.operand), node.name)
        return cost.plus(ONE) if node.operand.kind.sort in ("map", "struct", "param") else cost

    # --- Sizes

    def size_of(self, node: Node) -> Span | None:
        """The size of the node's value, where something tells it."""
        known = self._sizes.get(id(node)) or _written_size(node)
        if known is not None:
            return known
        bound = device_size(self._path(node))
        if bound is not None:
            self._sizes[id(node)] = bound
            return bound
        if _is_scalar(node.kind):
            return ONE
        local = self._local(node.name) if isinstance(node, Ident) else None
        return local.size if local else None

    def _size_or_unknown(self, node: Node) -> Span:
        return self.size_of(node) or UNKNOWN

    def _entries_of(self, node: Node | None) -> Entries | None:
        if node is None:
            return None
        known = self._entries.get(id(node))
        if known is None and isinstance(node, Ident):
            local = self._local(node.name)
            known = local.entries if local else None
        return known

    def _note(self, node: Node, size: Span | None, entries: Entries | None = None) -> None:
        if size is not None:
            self._sizes[id(node)] = size
        if entries is not None:
            self._entries[id(node)] = entries

    # --- Calls

    def _argument(self, node: Node) -> _Argument:
        path: Path | None = self._path(node)
        if path and path[0] == ACCUMULATOR:
            path = None
        return _Argument(self, node, node.kind, path or None, self.size_of(node))

    def _call(self, node: Call) -> Span:
        if node.function == "dyn":
            cost = self.cost(node.args[0])
            self._note(node, self.size_of(node.args[0]), self._entries_of(node.args[0]))
            return cost.plus(ONE)
        costs = [self.cost(arg) for arg in node.args]
        args = [self._argument(arg) for arg in node.args]
        total = self.cost(node.target) if node.target is not None else NOTHING
        target = self._argument(node.target) if node.target is not None else None
        spread, size = Span(MOST, 0), None
        for overload in node.overloads:
            charge = self._charge(node, overload, target, args, costs)
            spread = spread.union(charge.cost)
            if charge.size is not None:
                size = charge.size if size is None else size.union(charge.size)
            if overload in ("index_list", "index_map"):
                entries = self._entries_of(node.args[0])
                size = entries.value if entries else None
                part = "@items" if overload == "index_list" else "@values"
                self._paths[id(node)] = (*self._path(node.args[0]), part)
            if size is None:
                size = self.size_of(node)
        self._note(node, size)
        return total.plus(spread)

    def _charge(
        self, node: Call, overload: str, target: _Argument | None, args: list[_Argument], costs: list[Span]
    ) -> Charge:
        summed = NOTHING
        for cost in costs:
            summed = summed.plus(cost)
        known = list_charge(overload, target, args) or kubernetes_charge(node.function, overload, target, args)
        if known is None and overload in ("logical_or", "logical_and"):
            return Charge(Span(costs[0].low, costs[0].plus(costs[1]).high))
        if known is None and overload == "conditional":
            return self._conditional(node, args, costs)
        if known is None and overload in ("add_string", "add_bytes", "add_list"):
            known = self._addition(node, overload, args)
        known = known or cel_charge(overload, target, args)
        return Charge(known.cost.plus(summed), known.size)

    def _conditional(self, node: Call, args: list[_Argument], costs: list[Span]) -> Charge:
        first = self._entries_of(args[1].node)
        self._note(node, None, first.union(self._entries_of(args[2].node)) if first else None)
        size = (args[1].computed or UNKNOWN).union(args[2].computed or UNKNOWN)
        return Charge(costs[0].plus(costs[1].union(costs[2])), size)

    def _addition(self, node: Call, overload: str, args: list[_Argument]) -> Charge:
        size = (args[0].computed or UNKNOWN).plus(args[1].computed or UNKNOWN)
        left = self._entries_of(args[0].node)
        self._note(node, None, left.union(self._entries_of(args[1].node)) if left else None)
        return Charge(ONE if overload == "add_list" else size.scaled(TRAVERSAL), size)

    # --- Literals and comprehensions

    def _list(self, node: ListNode) -> Span:
        total, value = _LIST_BASE, Span(MOST, 0) if node.elements else NOTHING
        for element in node.elements:
            total = total.plus(self.cost(element))
            value = value.union(self._size_or_unknown(element))
        self._note(node, None, Entries("list", ONE, value))
        return total

    def _map(self, node: MapNode) -> Span:
        total = _MAP_BASE
        key = value = Span(MOST, 0) if node.entries else NOTHING
        for entry in node.entries:
            total = total.plus(self.cost(entry.key)).plus(self.cost(entry.value))
            key = key.union(self._size_or_unknown(entry.key))
            value = value.union(self._size_or_unknown(entry.value))
        self._note(node, None, Entries("map", key, value))
        return total

    def _push(self, name: str, local: _Local) -> None:
        self._locals.setdefault(name, []).append(local)

    def _push_value(self, name: str, node: Node) -> None:
        self._push(name, _Local(self._path(node), self.size_of(node), self._entries_of(node)))

    def _push_element(self, name: str, node: Node, *, key: bool, paired: bool) -> None:
        """An iteration variable: the key or the value of the range's entries."""
        entries = self._entries_of(node)
        listed = (entries.container if entries else node.kind.sort) == "list"
        if not paired:
            key = not listed
        part = ("@indices" if listed else "@keys") if key else ("@items" if listed else "@values")
        size = (entries.key if key else entries.value) if entries else None
        self._push(name, _Local((*self._path(node), part), size, None))

    def _bind(self, node: Fold) -> Span:
        total = self.cost(node.range).plus(self.cost(node.init))
        self._push_value(node.accu, node.init)
        total = total.plus(self.cost(node.result))
        self._locals[node.accu].pop()
        self._note(node, self.size_of(node.result), self._entries_of(node.result))
        return total

    def _loop(self, node: Fold) -> Span:
        total = self.cost(node.range).plus(self.cost(node.init))
        self._push_value(node.accu, node.init)
        self._push_element(node.var, node.range, key=True, paired=bool(node.var2))
        if node.var2:
            self._push_element(node.var2, node.range, key=False, paired=True)
        turn = self.cost(node.condition)
        turn = self.cost(node.step).plus(turn)
        self._locals[node.var].pop()
        if node.var2:
            self._locals[node.var2].pop()
        total = total.plus(self.cost(node.result))
        self._locals[node.accu].pop()
        count = self._size_or_unknown(node.range)
        if isinstance(node.init, Literal):
            self._note(node, self.size_of(node.init))
        elif isinstance(node.init, (ListNode, MapNode)):
            self._note(node, count, self._entries_of(node.step))
        return total.plus(count.times(turn))


def _is_bind(node: Fold) -> bool:
    return (
        isinstance(node.range, ListNode)
        and not node.range.elements
        and isinstance(node.condition, Literal)
        and node.condition.value is False
    )


def _written_size(node: Node) -> Span | None:
    """The size of what is written out."""
    if isinstance(node, Literal):
        return fixed(len(node.value)) if isinstance(node.value, (str, bytes)) else ONE
    if isinstance(node, ListNode):
        return fixed(len(node.elements))
    return fixed(len(node.entries)) if isinstance(node, MapNode) else None


def _is_scalar(kind: Kind) -> bool:
    if kind.name == "optional_type" and kind.parts:
        return _is_scalar(kind.parts[0])
    return kind.sort in _SCALARS
