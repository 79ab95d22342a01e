from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelplane.value.quantity import Quantity, QuantityError

NUMBERS = st.from_regex(r"\A[+-]?(?:[0-9]{1,22}(?:\.[0-9]{0,12})?|\.[0-9]{1,12})\Z")
SUFFIXES = st.sampled_from(
    ["", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "E-3", "e+12", "e-9"]
)
TEXTS = st.builds("{}{}".format, NUMBERS, SUFFIXES)


def number(quantity: Quantity) -> Fraction:
    return Fraction(quantity.unscaled) * Fraction(10) ** quantity.scale


@pytest.mark.parametrize(
    ("text", "want", "integer", "reason"),
    [
        ("80Gi", Fraction(80 << 30), 80 << 30, "a device's memory"),
        ("1k", Fraction(1000), 1000, "a small k is a thousand"),
        ("1E", Fraction(10**18), 10**18, "a capital E alone is exa"),
        ("1E3", Fraction(1000), 1000, "with digits behind it an exponent"),
        ("5.", Fraction(5), 5, "a point needs no digits behind it"),
        (".5", Fraction(1, 2), None, "nor before it"),
        ("1000m", Fraction(1), None, "Kubernetes does not reduce a mantissa before it asks for an integer"),
        ("0.5Gi", Fraction(1 << 29), None, "a fraction leaves the 64-bit path, and with it the integers"),
        ("Mi", Fraction(0), 0, "a bare suffix is zero"),
        ("-", Fraction(0), 0, "so is a bare sign"),
        (".", Fraction(0), 0, "and a bare point"),
        ("0.0000000004", Fraction(1, 10**9), None, "less than a nano is rounded up"),
        ("-0.0000000004", Fraction(-1, 10**9), None, "away from zero, that is"),
        ("8Ei", Fraction((1 << 63) - 1), None, "binary values stick at int64"),
        ("-100Ei", Fraction(1 - (1 << 63)), None, "on both sides"),
        ("256E", Fraction(256 * 10**18), None, "decimal values do not"),
        ("1e4294967297", Fraction(10), 10, "an exponent is kept in 32 bits"),
    ],
)
def test_parse(text: str, want: Fraction, integer: int | None, reason: str) -> None:
    quantity = Quantity.parse(text)

    assert (number(quantity), quantity.integer()) == (want, integer), reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "nothing is no quantity"),
        (" 1", "blanks are not cut"),
        ("5\n", "nor is a line end"),
        ("200K", "a thousand is a small k"),
        ("1,3G", "a comma is no point"),
        ("10Mo", "octets are French"),
        ("1.5e3M", "an exponent and a suffix exclude each other"),
        ("0x10", "hexadecimal is not read"),
        ("1_000", "nor are underscores"),
        ("\u0663Gi", "nor digits of other scripts"),
        ("1e9223372036854775808", "an exponent must fit 64 bits"),
        ("1" + "0" * 5000, "nobody has so many digits"),
    ],
)
def test_refused(text: str, reason: str) -> None:
    with pytest.raises(QuantityError):
        pytest.fail(f"{Quantity.parse(text)}: {reason}")


@pytest.mark.parametrize(
    ("left", "right", "want", "reason"),
    [
        ("50M", "50Mi", -1, "decimal mega is less than binary"),
        ("200M", "0.2G", 0, "the same number in other words"),
        ("141Gi", "141Gi", 0, "itself"),
        ("1e2147483647", "1", 1, "an exponent of billions is compared without writing it out"),
        ("-1e2147483647", "1", -1, "nor below zero"),
        ("0e2147483647", "0", 0, "zero is zero whatever its exponent"),
    ],
)
def test_compare(left: str, right: str, want: int, reason: str) -> None:
    assert Quantity.parse(left).compare(Quantity.parse(right)) == want, reason


def test_sums_that_would_never_end_are_refused() -> None:
    with pytest.raises(QuantityError, match="too far apart"):
        Quantity.parse("1e2147483647").add(Quantity.parse("1"))


@settings(max_examples=300, deadline=None)
@given(left=TEXTS, right=TEXTS)
def test_order_and_sums_are_those_of_the_numbers(left: str, right: str) -> None:
    one, two = Quantity.parse(left), Quantity.parse(right)
    exact = number(one), number(two)

    assert one.compare(two) == (exact[0] > exact[1]) - (exact[0] < exact[1])
    assert one.compare(two) == -two.compare(one)
    assert (one == two) == (exact[0] == exact[1])
    assert one != two or hash(one) == hash(two), "equal quantities hash alike"
    assert number(one.add(two)) == exact[0] + exact[1]
    assert number(one.sub(two)) == exact[0] - exact[1]
    assert one.sign() == (exact[0] > 0) - (exact[0] < 0)


@settings(max_examples=200, deadline=None)
@given(text=TEXTS)
def test_an_integer_is_the_number(text: str) -> None:
    quantity = Quantity.parse(text)

    integer = quantity.integer()

    assert integer is None or Fraction(integer) == number(quantity)
    assert integer is None or -(1 << 63) <= integer < 1 << 63
