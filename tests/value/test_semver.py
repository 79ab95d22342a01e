from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelplane.value.semver import Semver, SemverError

#: From the least to the greatest, as semver.org orders them.
LADDER = """
0.0.0 0.0.1-0 0.0.1 1.0.0-1 1.0.0-2 1.0.0-10 1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2
1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.0.1 1.1.0 2.0.0 10.0.0 18446744073709551615.0.0
""".split()  # noqa: SIM905 - words are read more easily than a list
NUMBERS = st.integers(0, 1 << 64).map(str)
IDENTIFIERS = st.from_regex(r"\A(?:0|[1-9][0-9]{0,3}|[0-9]{0,2}[A-Za-z-][0-9A-Za-z-]{0,4})\Z")
PRE = st.lists(IDENTIFIERS, max_size=3).map(".".join)
VERSIONS = st.builds(
    lambda major, minor, patch, pre: f"{major}.{minor}.{patch}{'-' + pre if pre else ''}",
    *[st.integers(0, 3)] * 3,
    PRE,
)


@pytest.mark.parametrize("index", range(len(LADDER)))
def test_the_ladder_is_in_order(index: int) -> None:
    versions = [Semver.parse(text) for text in LADDER]

    got = [versions[index].compare(other) for other in versions]

    assert got == [(index > other) - (index < other) for other in range(len(LADDER))]


@pytest.mark.parametrize(
    ("text", "strict", "normalized", "reason"),
    [
        ("9.0.0", "9.0.0", "9.0.0", "a plain version"),
        ("1.0", None, "1.0.0", "missing parts are zeros where normalised"),
        ("9", None, "9.0.0", "all of them"),
        ("v1.2.3", None, "1.2.3", "a v in front is dropped"),
        ("vv1.2.3", None, None, "but one only"),
        ("v01.01", None, "1.1.0", "so are leading zeros"),
        ("550.127.08", None, "550.127.8", "a driver's version that is no semver"),
        ("1.0-rc", None, None, "a short version cannot carry a pre-release"),
        ("1.0.0-rc.1", "1.0.0-rc.1", "1.0.0-rc.1", "a long one can"),
        ("1.0.0-01", None, None, "numbers of a pre-release have no leading zeros either"),
        ("1.0.0-0a", "1.0.0-0a", "1.0.0-0a", "words may"),
        ("1.0.0-", None, None, "an empty pre-release is none"),
        ("1.0.0+", None, None, "nor is an empty build"),
        ("1.0.0+a..b", None, None, "nor an empty part of one"),
        ("18446744073709551616.0.0", None, None, "numbers stay below 2^64"),
        (" 1.0.0", None, None, "blanks are not cut"),
        ("1.0.0\n", None, None, "nor a line end"),
        ("1.0.\u0663", None, None, "digits are ASCII"),
        ("", None, None, "nothing is no version"),
    ],
)
def test_parse(text: str, strict: str | None, normalized: str | None, reason: str) -> None:
    assert read(text, normalize=False) == (Semver.parse(strict) if strict else None), reason
    assert read(text, normalize=True) == (Semver.parse(normalized) if normalized else None), reason


def read(text: str, *, normalize: bool) -> Semver | None:
    try:
        return Semver.parse(text, normalize=normalize)
    except SemverError:
        return None


def test_a_build_counts_for_nothing() -> None:
    one, two = Semver.parse("1.0.0+a"), Semver.parse("1.0.0+b.2")

    assert (one, hash(one), one.compare(two), one.build) == (two, hash(two), 0, ("a",))


@settings(max_examples=200, deadline=None)
@given(left=VERSIONS, middle=VERSIONS, right=VERSIONS)
def test_the_order_is_total(left: str, middle: str, right: str) -> None:
    one, two, three = Semver.parse(left), Semver.parse(middle), Semver.parse(right)

    assert one.compare(two) == -two.compare(one)
    assert (one.compare(two) == 0) == (one == two)
    assert not (one < two < three) or one < three
    assert one.compare(Semver.parse(left, normalize=True)) == 0, "a strict version is its own normal form"
