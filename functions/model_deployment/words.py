"""Refusals in order and in words, for conditions and the status."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from modelplane.placement.reasons import Refusal
from modelplane.placement.severity import by_cluster, headline

#: So many clusters a message names; the status has the rest.
_NAMED: Final = 4
#: So many characters of a cluster's refusal stand in a condition's message.
_CLAUSE: Final = 400


def ranked(why: Sequence[Refusal]) -> tuple[Refusal, ...]:
    """One refusal for each cluster: the headline, then those nearest to a placement, by the cluster's name."""
    first = headline(why)
    return tuple(sorted(by_cluster(why), key=lambda r: (r != first, r.severity, r.cluster)))


def sentence(refusals: Sequence[Refusal]) -> str:
    """The first few refusals with their clusters, and the count of the others."""
    clauses = [_clause(refusal) for refusal in refusals[:_NAMED]]
    if len(refusals) > _NAMED:
        clauses.append(f"and {count(len(refusals) - _NAMED, 'more cluster')} (see status.refusals)")
    return "; ".join(clauses)


def _clause(refusal: Refusal) -> str:
    words = shortened(refusal.words(), _CLAUSE)
    return f"{refusal.cluster}: {words}" if refusal.cluster else words


def shortened(text: str, limit: int) -> str:
    """The text, cut with an ellipsis where it is longer than `limit` characters."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def count(number: int, noun: str) -> str:
    """A number and its noun: ``1 replica``, ``2 replicas``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(names: Sequence[str]) -> str:
    """The first few names, and the count of the others."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
