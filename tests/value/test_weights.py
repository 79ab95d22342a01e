from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelplane.value.weights import spread

GROUPS = st.lists(st.tuples(st.integers(1, 1_000_000), st.integers(0, 20)), max_size=6)


@pytest.mark.parametrize(
    ("groups", "want", "reason"),
    [
        ([], (), "nothing has no weights"),
        ([(1, 0)], ((),), "a group without a ready endpoint gets nothing"),
        ([(1, 1)], ((1,),), "one endpoint needs no more than 1"),
        ([(1, 2)], ((1, 1),), "like endpoints share alike"),
        ([(1, 5)], ((1, 1, 1, 1, 1),), "a weight below the number of endpoints is scaled up"),
        ([(80, 3), (20, 1)], ((27, 27, 26), (20,)), "what does not divide goes to the first"),
        ([(1, 2), (3, 1)], ((1, 1), (6,)), "the scale is common, so that the ratio holds"),
        ([(2, 1), (2, 1)], ((1,), (1,)), "the result is reduced"),
        ([(95, 2), (5, 1)], ((48, 47), (5,)), "a canary"),
        ([(50, 1), (50, 3)], ((50,), (17, 17, 16)), "the group counts, not its endpoints"),
        ([(1, 0), (3, 2)], ((), (2, 1)), "an empty group is out; three shares between two do not divide"),
        ([(1_000_000, 1), (1, 2)], ((1_000_000,), (1, 1)), "the ceiling holds, and nobody falls to 0"),
    ],
)
def test_spread(groups: Sequence[tuple[int, int]], want: tuple[tuple[int, ...], ...], reason: str) -> None:
    assert spread(groups) == want, reason


@settings(max_examples=200, deadline=None)
@given(groups=GROUPS)
def test_every_ready_endpoint_gets_a_fair_share_within_the_limits(groups: list[tuple[int, int]]) -> None:
    shares = spread(groups)

    assert [len(group) for group in shares] == [ready for _, ready in groups]
    flat = [share for group in shares for share in group]
    assert all(1 <= share <= 1_000_000 for share in flat)
    assert all(max(group) - min(group) <= 1 for group in shares if group), "like endpoints differ by 1 at most"
    assert all(list(group) == sorted(group, reverse=True) for group in shares), "the first take what does not divide"
    assert flat == [] or math.gcd(*flat) == 1 or max(flat) == 1_000_000, "the weights are as small as the ratio allows"
