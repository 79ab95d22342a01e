"""From a checked expression to one that CEL's own runtime evaluates as Kubernetes would.

Calls of Kubernetes' functions become what `templates` says, and an unknown domain of a device reads as an empty map.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from modelplane.selector import amounts, kinds
from modelplane.selector.environment import running
from modelplane.selector.guard import WALKING, guard_for
from modelplane.selector.kinds import QUANTITY, Kind, read_kind
from modelplane.selector.templates import COLLECTED, DOMAIN, NO_OVERLOAD, SUMS, ZEROS, equality, template_for
from modelplane.selector.tree import ACCUMULATOR
from modelplane.selector.wire import CheckedExpr, Expr, Message, pack, unpack_parsed

#: What makes a value of constants.
_MADE: Final[dict[str, Callable[..., Message]]] = {
    "string_to_quantity": amounts.quantity,
    "string_to_semver": lambda text: amounts.semver(text, False),  # noqa: FBT003 - as CEL calls it
    "string_bool_to_semver": amounts.semver,
}


@cache
def _parsed(template: str) -> Message:
    return unpack_parsed(running().compile(template, disable_check=True).serialize())


class Rewriter:
    """Rewrites one checked expression, in place."""

    def __init__(self, checked: Message) -> None:
        self._references = checked.reference_map
        self._types = checked.type_map
        #: The nodes that were ``device.?attributes`` or its like.
        self._optional: set[int] = set()
        #: The nodes that computed a quantity.
        self._sums: set[int] = set()
        self._next: int = max([*checked.source_info.positions, *self._types, *self._references, 0]) + 1

    def kind(self, expr: Message) -> Kind:
        """The static type of a node."""
        return read_kind(self._types[expr.id]) if expr.id in self._types else kinds.DYN

    def rewrite(self, expr: Message) -> None:
        """Rewrite the node and everything below it."""
        for child in parts(expr):
            self.rewrite(child)
        match expr.WhichOneof("kind"):
            case "call_expr":
                self._call(expr)
            case "select_expr":
                self._select(expr)

    def _select(self, expr: Message) -> None:
        select = expr.select_expr
        if select.operand.id in self._optional or self.kind(select.operand) in kinds.DOMAINS:
            if select.test_only:
                expr.const_expr.bool_value = True
            else:
                key = Expr(id=self._fresh())
                key.const_expr.string_value = select.field
                self._index(expr, "_[_]", [select.operand, key])
        elif select.test_only and self.kind(select.operand).sort in ("dyn", "any"):
            # What is no map has no fields; CEL's runtime calls it a fault to ask.
            asked = Expr(id=self._fresh())
            asked.select_expr.operand.id = self._fresh()
            asked.select_expr.operand.ident_expr.name = "@one"
            asked.select_expr.field, asked.select_expr.test_only = select.field, True
            self._replace(expr, "cel.bind(one, _0, type(one) == map ? _1 : false)", [select.operand, asked])

    def _call(self, expr: Message) -> None:
        function, args = expr.call_expr.function, parts(expr)
        overloads = list(self._references[expr.id].overload_id) if expr.id in self._references else []
        if function in WALKING:
            self._guard(args)
        if function in ("_[_]", "_[?_]", "_?._"):
            self._index(expr, function, args)
        elif function in ("_==_", "_!=_"):
            self._compared(expr, args)
        elif function == "@in" and self.kind(args[0]).sort in ("any", "dyn", "struct"):
            self._contained(expr, args)
        elif function == "sum":
            self._sum(expr, args[0], overloads)
        else:
            self._function(expr, overloads, args)

    def _guard(self, args: list[Message]) -> None:
        for arg in args:
            if guard := guard_for(self.kind(arg)):
                self._wrap(arg, guard)

    def _wrap(self, expr: Message, template: str) -> None:
        inner = Expr()
        inner.CopyFrom(expr)
        self._replace(expr, template, [inner])

    def _function(self, expr: Message, overloads: list[str], args: list[Message]) -> None:
        if overloads and overloads[0] in _MADE and all(arg.HasField("const_expr") for arg in args):
            self._written(expr, _MADE[overloads[0]], args)
        elif overloads == ["add_list"] and args[0].ident_expr.name == ACCUMULATOR:
            self._appended(args[1])
        elif template := template_for(overloads):
            if set(overloads) <= SUMS:
                self._sums.add(expr.id)
            self._replace(expr, template, args)

    def _appended(self, added: Message) -> None:
        """What a macro's loop collects; CEL's runtime copies a list that is put into another."""
        for element in added.list_expr.elements:
            if self.kind(element).sort in ("list", "map", "dyn"):
                self._wrap(element, COLLECTED)

    def _sum(self, expr: Message, items: Message, overloads: list[str]) -> None:
        loop = Expr(id=expr.id)
        fold = loop.comprehension_expr
        fold.iter_var, fold.accu_var = "@one", "@two"
        fold.iter_range.CopyFrom(items)
        kind = overloads[0].split("_")[1]
        for part, text in (
            (fold.accu_init, ZEROS[kind]),
            (fold.loop_condition, "true"),
            (fold.loop_step, "two + one"),
            (fold.result, "two"),
        ):
            self._replace(part, text, [])
        self._references.pop(expr.id, None)
        expr.CopyFrom(loop)

    def _index(self, expr: Message, function: str, args: list[Message]) -> None:
        if args[0].id in self._optional:
            self._replace(expr, f"optional.of({DOMAIN})", [args[0].call_expr.args[0], args[1]])
        elif self.kind(args[0]) in kinds.DOMAINS:
            self._replace(expr, DOMAIN if function == "_[_]" else f"optional.of({DOMAIN})", args)
        elif function == "_?._" and self.kind(args[0]) == kinds.DEVICE:
            field = Expr(id=self._fresh())
            field.ident_expr.name = f"device.{args[1].const_expr.string_value}"
            self._replace(expr, "optional.of(_0)", [field])
            self._optional.add(expr.id)

    def _compared(self, expr: Message, args: list[Message]) -> None:
        """Equality: a value of a Kubernetes type equals only its like, and with anything else there is no answer."""
        left, right = (self.kind(arg) for arg in args)
        if right.sort == "null":
            return
        # Where there is no answer, Kubernetes' "unequal" is true all the same.
        equals = expr.call_expr.function == "_==_"
        no_answer = NO_OVERLOAD if equals else "false"
        same = equality(left, right, no_answer)
        if left == QUANTITY and args[1].id in self._sums:
            # Kubernetes cannot compare with a quantity that was computed; on the left it can.
            same = no_answer
        if same:
            self._replace(expr, same if equals else f"!({same})", args)

    def _contained(self, expr: Message, args: list[Message]) -> None:
        """Kubernetes keeps a written list as a hash table, in which it cannot look up a version."""
        items = args[1].list_expr.elements
        if args[1].HasField("list_expr") and not items:
            # Nothing is in an empty list, whatever the left side is or fails with.
            expr.const_expr.bool_value = False
        elif items and all(item.HasField("const_expr") for item in items):
            failing = f"type(one) in [bytes, kubernetes.Semver] ? {NO_OVERLOAD} : one in _1"
            self._replace(expr, f"cel.bind(one, _0, {failing})", args)

    def _written(self, expr: Message, make: Callable[..., Message], args: list[Message]) -> None:
        """A value that is written out is made once."""
        constants = [arg.const_expr for arg in args]
        try:
            made = make(*(getattr(constant, constant.WhichOneof("kind")) for constant in constants))
        except ValueError as error:
            failure = Expr(id=self._fresh())
            failure.const_expr.string_value = str(error)
            self._replace(expr, "_fail(_0)", [failure])
            return
        expr.struct_expr.message_name = made.DESCRIPTOR.full_name
        for field, value in made.ListFields():
            entry = expr.struct_expr.entries.add(id=self._fresh(), field_key=field.name)
            entry.value.id = self._fresh()
            setattr(entry.value.const_expr, "string_value" if isinstance(value, str) else "int64_value", value)
        self._references.pop(expr.id, None)

    def _replace(self, expr: Message, template: str, args: list[Message]) -> None:
        filled = Expr()
        filled.CopyFrom(_parsed(template))
        self._fill(filled, args)
        # The place keeps its number, by which its type is known; what it referred to is gone.
        filled.id = expr.id
        self._references.pop(expr.id, None)
        expr.CopyFrom(filled)

    def _fill(self, expr: Message, args: list[Message]) -> None:
        name = expr.ident_expr.name
        if name[:1] == "_" and name[1:].isdecimal():
            expr.CopyFrom(args[int(name[1:])])
            return
        expr.id = self._fresh()
        if name in ("one", "two"):
            # No selector can spell these, so none of its own names is hidden.
            expr.ident_expr.name = f"@{name}"
        elif expr.HasField("comprehension_expr"):
            loop = expr.comprehension_expr
            for part in ("iter_var", "iter_var2", "accu_var"):
                if getattr(loop, part) in ("one", "two"):
                    setattr(loop, part, f"@{getattr(loop, part)}")
        for entry in expr.struct_expr.entries if expr.HasField("struct_expr") else ():
            entry.id = self._fresh()
        for child in parts(expr):
            self._fill(child, args)

    def _fresh(self) -> int:
        self._next += 1
        return self._next


def parts(expr: Message) -> list[Message]:
    """The nodes right below."""
    match expr.WhichOneof("kind"):
        case "select_expr":
            return [expr.select_expr.operand]
        case "call_expr":
            call = expr.call_expr
            return [*([call.target] if call.HasField("target") else []), *call.args]
        case "list_expr":
            return list(expr.list_expr.elements)
        case "struct_expr":
            entries = expr.struct_expr.entries
            return [
                part
                for entry in entries
                for part in ([entry.map_key] if entry.HasField("map_key") else []) + [entry.value]
            ]
        case "comprehension_expr":
            loop = expr.comprehension_expr
            return [loop.iter_range, loop.accu_init, loop.loop_condition, loop.loop_step, loop.result]
        case _:
            return []


def rewritten(checked: Message) -> bytes:
    """The expression for `running`, ready for ``Env.deserialize``."""
    copy = CheckedExpr()
    copy.CopyFrom(checked)
    Rewriter(copy).rewrite(copy.expr)
    return pack(copy)
