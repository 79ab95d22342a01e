"""Requests to kinds of device: what is matched, what is claimed, and what is said where nothing matches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import pytest

from modelplane.placement import match
from modelplane.placement.facts import Claim, Device, Request, Unmet
from modelplane.placement.kinds import Catalogue
from modelplane.placement.match import Match, Matcher
from modelplane.placement.outcome import Steps
from modelplane.placement.pool_reasons import NoMatchingDevice, RequestsCompete, TooFewDevicesPerNode
from modelplane.placement.reasons import Refusal, SearchCutShort
from tests.placement.worlds import EVALUATED, ask, kind

ANY, BIG = ask("memory >= 20", name="any"), ask("memory >= 80", name="big")


def matches(requests: tuple[Request, ...], kinds: tuple[Device, ...], *, every: bool) -> tuple[Match, ...] | Refusal:
    matcher = Matcher(Steps())
    return matcher.matches(matcher.asking(requests), requests, Catalogue().kinds(kinds), every=every)


@dataclass(frozen=True)
class Matched:
    reason: str
    requests: tuple[Request, ...]
    kinds: tuple[Device, ...]
    #: For each way the device classes claimed, in the order of the requests; the first alone is what a Node pool uses.
    want: tuple[tuple[str, ...], ...]


MATCHED: Final = [
    Matched("no request, no claim", (), (kind(),), ((),)),
    Matched("the first kind that meets a request is taken", (ANY,), (kind(cls="a"), kind(cls="b")), (("a",), ("b",))),
    Matched("a kind with too few is passed over", (replace(ANY, count=2),), (kind(cls="a"), kind(cls="b", count=2)),
            (("b",),)),
    Matched("the search goes back when a later request finds nothing left", (ANY, BIG),
            (kind(memory=96, cls="a"), kind(memory=24, cls="b")), (("b", "a"),)),
    Matched("a Synthetic kind listed first gives way to one that can be claimed", (ANY,),
            (kind(synthetic=True), kind(cls="a")), (("a",),)),
    Matched("a Synthetic kind serves where it leaves more to claim for the others", (ANY, BIG),
            (kind(memory=96, cls="a"), kind(memory=24, synthetic=True)), (("a",),)),
    Matched("ways with fewer claims than another are none", (ANY, BIG),
            (kind(memory=96, cls="a", count=2), kind(memory=24, synthetic=True)), (("a", "a"),)),
    Matched("ways with one shape count once", (ANY, BIG), (kind("x", count=2, cls="a"), kind("y", count=2, cls="a")),
            (("a", "a"),)),
    Matched("ways with different shapes are all found", (ANY, BIG), (kind(count=2, cls="a"), kind(count=2, cls="b")),
            (("a", "a"), ("a", "b"), ("b", "b"))),
]  # fmt: skip


@pytest.mark.parametrize("case", MATCHED, ids=lambda case: case.reason)
def test_requests_are_matched_to_kinds(case: Matched) -> None:
    every = matches(case.requests, case.kinds, every=True)
    best = matches(case.requests, case.kinds, every=False)

    assert not isinstance(every, Refusal)
    assert not isinstance(best, Refusal)
    assert tuple(tuple(claim.device_class for claim in found.claims) for found in every) == case.want
    assert best[0] == every[0]


def test_a_claim_repeats_its_request() -> None:
    asked = ask("memory >= 80", "memory < 100", name="big", count=2)

    found = matches((asked,), (kind(count=2, cls="gpu.x"),), every=False)

    claim = Claim("big", "gpu.x", 2, ("memory >= 80", "memory < 100"))
    assert found == (Match((claim,), (("gpu.x", (2,)),)),)


@dataclass(frozen=True)
class Refused:
    reason: str
    requests: tuple[Request, ...]
    kinds: tuple[Device, ...]
    want: Refusal


REFUSED: Final = [
    Refused("a pool without devices", (BIG,), (), NoMatchingDevice(request="big")),
    Refused("the nearest kind is the one that fails at the latest selector",
            (ask("memory >= 20", "memory >= 80", name="big"),), (kind("tiny", 8), kind("small", 24), kind("low", 32)),
            NoMatchingDevice(request="big", device="small", unmet=Unmet(1, "memory >= 80", "memory = 24"))),
    Refused("an evaluation error is told", (ask("rail == ib", name="nic"),), (kind(),),
            NoMatchingDevice(request="nic", device="acc", unmet=Unmet(0, "rail == ib", error="no such key: rail"))),
    Refused("a kind that meets the selectors, too few of it: the one with most is named", (replace(BIG, count=4),),
            (kind("one"), kind("two", count=2), kind("deux", count=2)),
            TooFewDevicesPerNode(request="big", device="two", need=4, have=2)),
    Refused("a negative count is none", (BIG,), (kind(count=-1),),
            TooFewDevicesPerNode(request="big", device="acc", need=1, have=0)),
    Refused("each alone, but not all at once", (ANY, BIG), (kind(), kind("other", memory=8)),
            RequestsCompete(requests=("any", "big"), need=2, have=1)),
]  # fmt: skip


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.reason)
@pytest.mark.parametrize("every", [False, True])
def test_a_refusal_says_what_is_lacking(case: Refused, every: bool) -> None:
    assert matches(case.requests, case.kinds, every=every) == case.want


def test_no_verdict_and_no_match_is_worked_out_twice() -> None:
    """Equal devices in other objects, equal requests in other objects: one evaluation for each (selectors, facts)."""
    steps = Steps()
    matcher = Matcher(steps)
    catalogue = Catalogue()
    EVALUATED.clear()

    answers = [
        matcher.matches(matcher.asking((asked,)), (asked,), catalogue.kinds((kind(), kind("b", 24))), every=False)
        for asked in (ask("memory >= 80"), ask("memory >= 80"), ask("memory >= 80", name="other"))
    ]

    assert all(not isinstance(answer, Refusal) for answer in answers)
    assert answers[0] is answers[1]
    assert (steps.evaluated, set(EVALUATED.values())) == (2, {1})


def test_the_search_stays_small_where_requests_are_many() -> None:
    """Sixteen requests on sixteen kinds: far fewer choices than arrangements, and a full answer."""
    steps = Steps()
    matcher = Matcher(steps)
    requests = tuple(ask("memory >= 20", name=f"r{i}") for i in range(16))
    kinds = tuple(kind(f"k{i}", 96 - i) for i in range(16))

    found = matcher.matches(matcher.asking(requests), requests, Catalogue().kinds(kinds), every=False)

    assert not isinstance(found, Refusal)
    assert len(found[0].claims) == 16
    assert steps.matched <= 16 * 16


def test_the_search_meets_no_state_twice() -> None:
    """Twelve requests on three kinds with three each: 3^12 ways to fail, but few states."""
    steps = Steps()
    matcher = Matcher(steps)
    requests = tuple(ask("memory >= 20", name=f"r{i}") for i in range(12))
    kinds = tuple(kind(f"k{i}", 96 - i, count=3) for i in range(3))

    found = matcher.matches(matcher.asking(requests), requests, Catalogue().kinds(kinds), every=False)

    assert found == RequestsCompete(requests=tuple(f"r{i}" for i in range(12)), need=12, have=9)
    assert steps.matched < 200


def test_a_search_without_end_is_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "LIMIT", 1)

    assert matches((ANY, BIG), (kind(), kind("small", 24)), every=False) == SearchCutShort(steps=1)


def test_a_search_that_is_cut_short_gives_what_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "LIMIT", 3)

    found = matches((ANY, BIG), (kind(count=2, cls="a"), kind(count=2, cls="b")), every=True)

    assert not isinstance(found, Refusal)
    assert [[claim.device_class for claim in way.claims] for way in found] == [["a", "a"], ["a", "b"]]
