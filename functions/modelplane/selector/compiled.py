"""A compiled selector: its verdict on a device, and why it is not a match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal

from cel_expr_python import cel

from modelplane.selector.clauses import clauses
from modelplane.selector.device import Unreadable, read_device
from modelplane.selector.explain import Explanation, found_values
from modelplane.selector.refusal import plain
from modelplane.selector.texts import made
from modelplane.selector.tree import Node
from modelplane.value.device import Facts


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a selector says of a device; an error is no match, and says why it has no result."""

    outcome: Literal["match", "no match", "error"]
    error: str = ""


MATCH: Final = Verdict("match")
NO_MATCH: Final = Verdict("no match")


class Evaluations:
    """How many evaluations ran, so that a test can see that none ran twice."""

    def __init__(self) -> None:
        self.count = 0


evaluations: Final = Evaluations()


@dataclass(frozen=True, slots=True)
class Selector:
    """A text that compiles; equal to another of the same text."""

    text: str
    #: Kubernetes' estimate of its worst cost.
    cost: int = field(compare=False)
    tree: Node = field(compare=False, repr=False)
    _expression: cel.Expression = field(compare=False, repr=False)
    #: Compiles a clause of the text.
    _part: Callable[[str], Selector] = field(compare=False, repr=False)

    def check(self, facts: Facts) -> Verdict:
        """The verdict on the device; remembered by the text and the content of the facts."""
        return _remembered(self, facts)

    def evaluate(self, facts: Facts) -> Verdict:
        """The verdict on the device, worked out anew."""
        evaluations.count += 1
        made.length = 0
        try:
            value = self._expression.eval(read_device(facts))
        except (Unreadable, UnicodeEncodeError, RuntimeError) as error:
            return Verdict("error", plain(error))
        result = value.value()
        if result is True:
            return MATCH
        if result is False:
            return NO_MATCH
        if value.type() == cel.Type.ERROR:
            return Verdict("error", plain(result))
        return Verdict("error", f"the result is no bool but a {value.type().name().lower()}")

    def explain(self, facts: Facts) -> Explanation | None:
        """Why the device does not match, or None where it does."""
        for text in clauses(self.text):
            clause = self._part(text)
            verdict = clause.check(facts)
            if verdict != MATCH:
                return Explanation(text, found_values(clause.tree, facts), verdict.error)
        return None


@lru_cache(maxsize=1 << 16)
def _remembered(selector: Selector, facts: Facts) -> Verdict:
    return selector.evaluate(facts)


def forget() -> None:
    """Drop all remembered verdicts."""
    _remembered.cache_clear()
