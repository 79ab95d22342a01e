"""Writes the table of conditions and reasons into each definition's description, from the code that declares them.

The table is the end of the root schema's description, from the line `HEADING` on; what stands before is written by
hand. Crossplane copies that description to the CRD, so `kubectl explain` shows it.
"""

from __future__ import annotations

from modelplane.contract.conditions import BY_KIND, ConditionType
from tools.definitions import Definition

HEADING = "Conditions, with every reason and what to do about it:"
_KEY = "description: |"
#: The root schema stands at this depth in every definition.
_INDENT = " " * 10


def table(types: tuple[ConditionType, ...]) -> list[str]:
    """The Markdown table, a line each."""
    rows = ["| Condition | Status | Reason | Meaning | What to do |", "| --- | --- | --- | --- | --- |"]
    rows += [
        f"| {condition.type} | {reason.status} | {reason.name} | {reason.means} | {reason.remedy or '-'} |"
        for condition in types
        for reason in condition.reasons
    ]
    return rows


def rewritten(definition: Definition, text: str) -> str:
    """The definition's text with its table brought up to date.

    Raises:
        ValueError: the root schema has no description as a literal block, or the kind declares no conditions.
    """
    if definition.kind not in BY_KIND:
        msg = f"{definition.path}: modelplane.contract.conditions declares nothing for {definition.kind}"
        raise ValueError(msg)
    lines = text.split("\n")
    try:
        start = lines.index(_INDENT + _KEY) + 1
    except ValueError:
        msg = f"{definition.path}: the root schema needs a line '{_KEY}'"
        raise ValueError(msg) from None
    inner = _INDENT + "  "
    end = next(i for i in range(start, len(lines)) if lines[i].strip() and not lines[i].startswith(inner))
    prose = lines[start:end]
    if inner + HEADING in prose:
        prose = prose[: prose.index(inner + HEADING)]
    while prose and not prose[-1].strip():
        prose.pop()
    block = ["", HEADING, "", *table(BY_KIND[definition.kind])]
    return "\n".join([*lines[:start], *prose, *(inner + line if line else "" for line in block), *lines[end:]])
