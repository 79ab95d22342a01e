"""What keeps lists within lists from being walked for ever.

A list may hold the same list a thousand times, and that one another: written in a few words, cheap by Kubernetes'
estimate, and endless to compare, flatten or hand to Python. CEL's runtime counts the turns of loops alone. So what
walks such a value walks it in a loop first, which ends the evaluation where it is too large.
"""

from __future__ import annotations

from typing import Final

from modelplane.selector.kinds import Kind

#: The functions that walk their arguments to the last element, by the name that a checked expression gives them.
WALKING: Final = frozenset(
    {
        "_==_",
        "_!=_",
        "@in",
        "cel.@mapInsert",
        "distinct",
        "flatten",
        "format",
        "indexOf",
        "lastIndexOf",
        "sets.contains",
        "sets.equivalent",
        "sets.intersects",
    }
)
#: How deep a value may nest where its type does not tell.
_LEVELS: Final = 3
_CONTAINERS: Final = frozenset({"list", "map", "opaque"})
_TOO_DEEP: Final = '_fail("the value nests too deeply") == ""'


def guard_for(kind: Kind) -> str | None:
    """An expression that is `one` after it was walked, or None where a value of the type is no larger than it seems."""
    wide = kind.sort == "dyn" or any(part.sort in _CONTAINERS or part.sort == "dyn" for part in kind.parts)
    return f"cel.bind(one, _0, {_walk('one', kind, 0)} ? one : one)" if wide else None


def _walk(name: str, kind: Kind, level: int) -> str:
    match kind.sort:
        case "list":
            walk = f"{name}.all(two, {_walk('two', kind.parts[0], level)})"
        case "map":
            walk = f"{name}.all(one, two, {_walk('two', kind.parts[1], level)})"
        case "opaque":
            walk = f"(!{name}.hasValue() || {_walk(f'{name}.value()', kind.parts[0], level)})"
        case "dyn" if level == _LEVELS:
            walk = f"(!(type({name}) in [list, map]) || {_TOO_DEEP})"
        case "dyn":
            inner = _walk("two", kind, level + 1)
            walk = (
                f"(type({name}) == list ? {name}.all(two, {inner})"
                f" : type({name}) == map ? {name}.all(one, two, {inner}) : true)"
            )
        case _:
            walk = "true"
    return walk
