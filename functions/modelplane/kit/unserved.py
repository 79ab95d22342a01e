"""The answer of a kind that this version accepts and does not act on."""

from __future__ import annotations

from typing import Any

from modelplane.contract import conditions
from modelplane.kit.function import Function
from modelplane.kit.seen import Seen
from modelplane.kit.want import Want


def unserved(kind: str) -> Function[dict[str, Any]]:
    """A function that says so in a condition, and keeps every child and the status that another version made."""

    def compose(_: Seen[dict[str, Any]], want: Want[dict[str, Any]]) -> None:
        message = f"this version of Modelplane does not act on a {kind}; what exists is kept"
        want.condition(conditions.SUPPORTED("NotSupportedYet", message), event=True)
        want.keep_rest()

    return Function(kind, dict, compose, conditions.BY_KIND[kind])
