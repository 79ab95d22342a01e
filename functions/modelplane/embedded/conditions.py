"""Conditions in a status: how they are replaced, and the ones that Crossplane and its providers set themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from modelplane.embedded.things import Plain

#: Types that functions may not set (crossplane/apis, IsSystemConditionType).
SYSTEM: Final = frozenset({"Ready", "Synced", "Healthy", "Responsive"})


def condition(kind: str, status: str, reason: str, message: str = "", *, generation: int = 0) -> Plain:
    """A condition without its time; a generation of 0 leaves observedGeneration out."""
    made: Plain = {"type": kind, "status": status, "reason": reason}
    if message:
        made["message"] = message
    if generation:
        made["observedGeneration"] = generation
    return made


def marked(present: Iterable[Mapping[str, Any]], new: Iterable[Mapping[str, Any]], now: str) -> list[Plain]:
    """The conditions with the new ones in place of those of their type; one that says the same keeps its time."""
    rest = [dict(found) for found in present]
    for made in new:
        timed = {**made, "lastTransitionTime": now}
        for index, found in enumerate(rest):
            if found["type"] == made["type"]:
                same = {k: v for k, v in found.items() if k != "lastTransitionTime"} == dict(made)
                rest[index] = found if same else timed
                break
        else:
            rest.append(timed)
    return rest


def of(thing: Mapping[str, Any], kind: str) -> Mapping[str, Any]:
    """An object's condition of a type; empty where it has none."""
    return next((c for c in thing.get("status", {}).get("conditions", ()) if c["type"] == kind), {})


def is_true(thing: Mapping[str, Any], kind: str) -> bool:
    """Whether the condition of a type is True."""
    return of(thing, kind).get("status") == "True"


def some(names: Iterable[str], first: int = 3) -> str:
    """Sorted names, the first few of them and the number of the others, as Crossplane writes them."""
    ordered = sorted(names)
    if len(ordered) > first:
        return f"{', '.join(ordered[:first])}, and {len(ordered) - first} more"
    if len(ordered) == first:
        return f"{', '.join(ordered[:-1])}, and {ordered[-1]}"
    return ", ".join(ordered)
