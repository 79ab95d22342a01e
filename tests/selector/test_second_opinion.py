"""cel-python's opinion on the part of the language that it shares with Kubernetes.

It has no static types, no Kubernetes libraries and no optionals, so it is asked about what is left: operators,
literals, standard macros and functions of texts, on constants of types that both know alike.
"""

from __future__ import annotations

import json
from pathlib import Path

import celpy
import pytest
from lark.exceptions import LarkError

from modelplane import selector
from modelplane.selector.tree import ACCUMULATOR, Call, Fold, Ident, Literal, Node, Select, children

CORPUS = Path(__file__).parent / "corpus.jsonl"
SHARED = frozenset(
    """
_&&_ _||_ !_ _?_:_ _==_ _!=_ _<_ _<=_ _>_ _>=_ _+_ _-_ _*_ @in @not_strictly_false _[_] size contains startsWith
endsWith
""".split()  # noqa: SIM905 - words are read more easily than a list
)


def is_shared(node: Node, names: frozenset[str] = frozenset({ACCUMULATOR})) -> bool:
    """Whether the tree has nothing that only one of the two knows."""
    if isinstance(node, Literal):
        return node.value.__class__ in (bool, int, str)
    if isinstance(node, Call) and node.function not in SHARED:
        return False
    if isinstance(node, Ident) and node.name not in names:
        return False
    if isinstance(node, Fold):
        if node.var2 or node.accu != ACCUMULATOR:
            return False
        names |= {node.var}
    return not isinstance(node, Select) and all(is_shared(child, names) for child in children(node))


def shared() -> list[tuple[str, str]]:
    """Expressions that both read, with Kubernetes' verdict."""
    found: list[tuple[str, str]] = []
    for line in CORPUS.read_text().splitlines()[::2]:
        _device, expression, verdict, _cost = json.loads(line)
        short = len(expression) < 200 and "\n" not in expression
        if short and verdict in ("match", "no match") and is_shared(selector.compile(expression).tree):
            found.append((expression, verdict))
    return found


def opinion(expression: str) -> str:
    environment = celpy.Environment()
    try:
        result = environment.program(environment.compile(expression)).evaluate({})
    except (celpy.CELEvalError, celpy.CELParseError, LarkError, ValueError, RecursionError):
        return "no opinion"
    return "match" if result else "no match"


def test_cel_python_agrees() -> None:
    cases = shared()
    opinions = {expression: opinion(expression) for expression, _ in cases}

    differing = {
        expression: (verdict, opinions[expression])
        for expression, verdict in cases
        if opinions[expression] not in (verdict, "no opinion")
    }
    held = [expression for expression in opinions if opinions[expression] != "no opinion"]

    assert differing == {}
    assert len(held) >= 100, "too few cases are left for an opinion"


@pytest.mark.parametrize("expression", ["1 == 1", "[1, 2].all(x, x > 0)", '"abc".contains("b")'])
def test_cel_python_has_an_opinion(expression: str) -> None:
    assert opinion(expression) == "match"
