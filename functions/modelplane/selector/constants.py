"""Constants that Kubernetes settles when it compiles: one that faults refuses the text, as ``int("x") == 1`` does."""

from __future__ import annotations

from typing import Final

from cel_expr_python import cel

from modelplane.selector.environment import running
from modelplane.selector.refusal import Refusal, plain
from modelplane.selector.rewrite import parts
from modelplane.selector.wire import CheckedExpr, Message, pack

_CONVERSIONS: Final = frozenset(
    {"bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"}
)


def settle(checked: Message) -> None:
    """Work out every conversion of a constant.

    Raises:
        Refusal: One has no result.
    """
    _settle(checked.expr, checked)


def _settle(expr: Message, checked: Message) -> bool:
    """Whether the node is constant, after what is constant below it was worked out."""
    constant = [_settle(part, checked) for part in parts(expr)]
    match expr.WhichOneof("kind"):
        case "const_expr":
            return True
        case "list_expr":
            return all(constant) and not expr.list_expr.optional_indices
        case "struct_expr":
            return all(constant) and not any(entry.optional_entry for entry in expr.struct_expr.entries)
        case "call_expr":
            call = expr.call_expr
            if call.function not in _CONVERSIONS or constant != [True]:
                return False
            _evaluate(expr, checked)
            return True
        case _:
            return False


def _evaluate(expr: Message, checked: Message) -> None:
    single = CheckedExpr(expr=expr)
    value = running().deserialize(pack(single)).eval(data={})
    if value.type() == cel.Type.ERROR:
        raise Refusal(checked.source_info.positions.get(expr.id, 0), plain(value.value()))
