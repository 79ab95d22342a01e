"""DRA device selectors: Kubernetes' CEL environment for `device`, as of 1.36, and nothing else.

`compile` reads a text as an API server would, and `Selector.check` says what a scheduler would say of a device.
Parsing, types and evaluation are cel-expr-python's, the CEL project's own runtime. What makes it Kubernetes' is here:

- `environment`, `signatures`, `messages`: the types of a device and of Kubernetes' values, and what functions it has;
- `rewrite`, `templates`, `functions`: how calls of these functions run, and that an unknown domain is an empty map;
- `guard`: that nothing is walked for ever;
- `validate`, `constants`, `estimate`: what an API server refuses although its types are sound.

Known to differ, all of it beyond what devices publish: texts may nest 32 levels, not 250, and an evaluation may take
10,000 turns of loops; NaN has an order; a map's keys are bool, int, uint or string, each once; durations pass 292
years, and their texts end at microseconds; numbers, moments and durations are read from a few spellings more, or fewer.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from google.protobuf.message import DecodeError

from modelplane.selector.compiled import MATCH, NO_MATCH, Selector, Verdict, evaluations, forget
from modelplane.selector.constants import settle
from modelplane.selector.environment import checking, running
from modelplane.selector.estimate import worst_cost
from modelplane.selector.explain import Explanation
from modelplane.selector.refusal import CompileError, Refusal, plain
from modelplane.selector.rewrite import rewritten
from modelplane.selector.spelling import TOO_DEEP, respelled
from modelplane.selector.tree import read_tree
from modelplane.selector.validate import validate
from modelplane.selector.wire import Message, unpack

#: Kubernetes' limits for a selector: its length in bytes, and its estimated worst cost.
MAX_LENGTH: Final = 10 * 1024
MAX_COST: Final = 1_000_000

_PLACED: Final = re.compile(r"ERROR: <input>:(\d+):(\d+): (.*)")
_UNKNOWN: Final = re.compile(r"undeclared reference to '(.*)\.\w+'")


@lru_cache(maxsize=2048)
def compile(text: str) -> Selector:  # noqa: A001 - the verb of CEL and of regular expressions
    """The selector that the text denotes; remembered by the text.

    Raises:
        CompileError: An API server would refuse it, or it nests deeper than the 32 levels that the runtime reads.
    """
    try:
        length = len(text.encode())
    except UnicodeEncodeError as error:
        raise CompileError(1, 1, f"the text is no Unicode: {error.reason}") from None
    if length > MAX_LENGTH:
        raise CompileError(1, 1, f"the text has {length} bytes; at most {MAX_LENGTH} are allowed")
    selector = _part(text)
    kind = selector.tree.kind
    if kind.sort not in ("bool", "any"):
        raise CompileError(1, 1, f"must evaluate to bool or the unknown type, not {kind}")
    if selector.cost > MAX_COST:
        raise CompileError(1, 1, f"too complex: the estimated cost is {selector.cost}, the limit {MAX_COST}")
    return selector


@lru_cache(maxsize=2048)
def _part(text: str) -> Selector:
    """A selector or a clause of one, whatever its type and its cost."""
    try:
        checked = _checked(respelled(text))
        tree = read_tree(checked)
        validate(tree)
        settle(checked)
        expression = running().deserialize(rewritten(checked))
    except Refusal as refusal:
        raise refusal.located(text) from None
    except (DecodeError, RuntimeError):
        # Protobuf reads 100 messages in one another, which macros use up sooner than the parser's levels.
        raise CompileError(1, 1, TOO_DEEP) from None
    return Selector(text, worst_cost(tree), tree, expression, _part)


def _checked(spelled: str) -> Message:
    try:
        return unpack(checking().compile(spelled).serialize())
    except RuntimeError as error:
        found = _PLACED.search(str(error))
        if "recursion" in str(error) or found is None:
            message = TOO_DEEP if "recursion" in str(error) else plain(error)
            raise CompileError(1, 1, message) from None
        raise _placed(spelled, int(found[1]), int(found[2]), plain(found[3])) from None


def _placed(text: str, line: int, column: int, message: str) -> CompileError:
    """The error where it starts: of a dotted name that is not known, the runtime points at the last dot."""
    name = _UNKNOWN.search(message)
    if name and text.split("\n")[line - 1][: column - 1].endswith(name[1]):
        column -= len(name[1])
    return CompileError(line, column, message)


__all__ = [
    "MATCH",
    "MAX_COST",
    "MAX_LENGTH",
    "NO_MATCH",
    "CompileError",
    "Explanation",
    "Selector",
    "Verdict",
    "compile",
    "evaluations",
    "forget",
]
