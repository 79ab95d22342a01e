"""Quantities and semantic versions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

_QUANTITIES = """
0 1 -1 +1 00 007 1. .5 0.5 -.5 1.5 . - + -. 5m 1500m 1u 1n 0.1n 0.4n 0.0000000004 1k 1M 1G 1T 1P 1E 8E 9E 10E 256E
1Ki 1Mi 1Gi 1Ti 1Pi 1Ei 7Ei 8Ei 9Ei 100Ei -8Ei 0.5Gi 1.5Gi -1.5Ki 1.1Ki 0.1Ki 24Gi 80Gi 141Gi 40Gi 50M 50Mi 200M
0.2G 1e3 1E3 1e+3 1e-3 1e-9 1e-10 1e18 1e19 1e20 123e-2 1.5e3 1e 1E+ 1e3M 1.5e3M 1e3Ki Ki Mi E e5 k m n i K 1K 1mi
1KI 1Kib 0x10 1_000 1,3G 10Mo 10Mm Three Infinity NaN inf 1/2 --1 +-1 1-1 1.2.3 1..2 9223372036854775807
9223372036854775808 -9223372036854775808 9223372036854775807m 12345678901234567890 123456789012345678
1234567890123456789 999999999999999999 100000000000000000000000 0.000000001 0.0000000001 1.000000001 1.0000000001
12345678901234567.1234 1e99 1e-99 0.1Ei 15.999Ei 1000000Ti 000000000000000000000001 1.00000000000000000000 50.703k
1000m 1e4294967297 1e9223372036854775808
""".split()  # noqa: SIM905 - words are read more easily than a list
_ODD = ("", " ", " 1", "1 ", "1 Gi", "5\\n", "5\\nMi", "\\u0663Gi", "\\u0661", "1\\u0000", "1Gi\\u00a0", "\\uff11")
_COMPARED = """
0 1 -1 0.5 1500m 1.5 1k 1000 1Ki 1024 50M 50Mi 200M 0.2G 8Ei 10Ei 9223372036854775807 9E 256E 1Ei 0.5Gi 512Mi 1n
0.0000000004 1e-9 80Gi 1e20 100E Mi 1e99
""".split()  # noqa: SIM905 - words are read more easily than a list
_VERSIONS = """
1.2.3 0.0.0 1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.0.0+build
1.0.0-1 1.0.0-01 1.0.0-0 1.0.0-a-b 1.0.0--1 1.0.0- 1.0.0+ 1.0.0-+b 1.0.0-a..b 1.0.0+a..b 1.0.0+a.b-c 1.0.0-a_b
v1.0.0 v1 v1.2 1 1.2 1.2.3.4 01.2.3 1.02.3 1.2.03 001.002.003 v01.01 00 0.00 1.0-rc 1-rc 1.2+b -1.2.3 1.-2.3 a.b.c
1.2.x 18446744073709551615.0.0 18446744073709551616.0.0 9223372036854775808.1.1 1.0.0-18446744073709551616 vv1.0.0
V1.0.0 1..3 .1.2 1.2. 550.127.08 550.54.15-rc.1+build.7 1.2.3-0a 1.2.3-00 v 1.0.0-alpha+001 1.0.0+20130313144700
""".split()  # noqa: SIM905 - words are read more easily than a list
_ODD_VERSIONS = ("", " ", " 1.0.0", "1.0.0 ", "1.0.0\\n", "1.0.\\u0663", "1.0.0-\\u00e9")
_ORDERED = """
1.0.0-1 1.0.0-2 1.0.0-10 1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-rc.1 1.0.0 1.0.0+build 1.0.1
1.1.0 2.0.0 10.0.0 18446744073709551615.0.0
""".split()  # noqa: SIM905 - words are read more easily than a list
_EXTRA = """
quantity("1").add(quantity("1")) == quantity("2")
quantity("2") == quantity("1").add(quantity("1"))
quantity("1").add(1).compareTo(quantity("2")) == 0
quantity("50k").add(20).sub(quantity("100k")).asInteger() == -49980
quantity("1").add(quantity("0.5Gi")).isInteger()
quantity("1k").add(quantity("1")).isInteger()
quantity("9223372036854775807").add(1).isInteger()
quantity("900P").add(quantity("8E")).asInteger() == 8900000000000000000
quantity("8E").add(quantity("8E")).isInteger()
quantity("8E").add(quantity("8E")).compareTo(quantity("16E")) == 0
quantity("1").sub(quantity("1")).sign() == 0
quantity("0").add(quantity("1Ki")).asInteger() == 1024
quantity("1").add("1").sign() == 1
quantity("1").add(1.0).sign() == 1
quantity("1").add(dyn("1")).sign() == 1
quantity("1").add(dyn(1)).sign() == 1
quantity("1").add(1u).sign() == 1
quantity(1).sign() == 1
quantity(dyn(1)).sign() == 1
quantity("1").sign() == 1
sign(quantity("1")) == 1
sign(quantity("-5m")) == -1
sign("1") == 1
quantity("1") == quantity("1000m")
quantity("1") != quantity("1001m")
quantity("1") < quantity("2")
quantity("1") == 1
dyn(quantity("1")) == 1
dyn(quantity("1")) != 1
dyn(1) == quantity("1")
[quantity("1")] == [quantity("1")]
[quantity("1")] == [quantity("2")]
quantity("1") in [quantity("1"), quantity("2")]
dyn("1") in [quantity("1")]
[quantity("2"), quantity("1")].map(q, q.asInteger()).sort() == [1, 2]
[quantity("2"), quantity("1")].max() == quantity("2")
{"a": quantity("1")}.a.sign() == 1
quantity("50.703k").asApproximateFloat() == 50703.0
quantity("1e400").asApproximateFloat() == double("Infinity")
quantity("100Ei").asInteger() == 9223372036854775807
quantity("1500m").asInteger() == 1
quantity("1k").asInteger() == 1000
string(quantity("1")) == "1"
int(quantity("1")) == 1
quantity("1").toString() == "1"
isQuantity(1)
isQuantity(dyn(1))
quantity("1", "2").sign() == 1
quantity.sign() == 1
semver("1.0.0") == semver("1.0.0+build")
semver("1.0.0") == semver("1.0.1")
semver("1.0.0") != semver("1.0.0-rc")
semver("1.0.0") < semver("2.0.0")
dyn(semver("1.0.0")) == "1.0.0"
dyn(semver("1.0.0")) != "1.0.0"
dyn("1.0.0") == semver("1.0.0")
dyn(semver("1.0.0")) in ["1.0.0"]
semver("1.0.0") in [semver("1.0.0")]
semver("1.0.0").compareTo("1.0.0") == 0
semver("1.0.0").compareTo(quantity("1")) == 0
semver("1.0.0").compareTo(dyn(quantity("1"))) == 0
semver("1.0.0").isLessThan(dyn("1.0.0"))
semver("v01.01", true) == semver("1.1.0")
semver("v1.2", true).minor() == 2
semver("1.2.3").patch() == 3
semver("18446744073709551615.0.0").major() == -1
semver(1).major() == 1
semver("1.0.0", "true").major() == 1
semver("1.0.0", dyn("true")).major() == 1
isSemver("1.0.0", dyn(1))
isSemver(dyn(1))
string(semver("1.0.0")) == "1.0.0"
{semver("1.0.0"): 1}.size() == 1
""".strip().splitlines()


def cases() -> Iterator[tuple[str, str]]:
    for text in (*_QUANTITIES, *_ODD):
        yield "none", f'isQuantity("{text}")'
        yield "none", f'quantity("{text}").isInteger()'
        yield "none", f'quantity("{text}").asInteger() >= 1'
        yield "none", f'quantity("{text}").compareTo(quantity("1")) > 0'
        yield "none", f'quantity("{text}").asApproximateFloat() < 1.0'
    for left, right in product(_COMPARED, _COMPARED):
        yield "none", f'quantity("{left}").isLessThan(quantity("{right}"))'
    for left, right in product(_COMPARED[::3], _COMPARED[::2]):
        yield "none", f'quantity("{left}").add(quantity("{right}")).isInteger()'
        yield "none", f'quantity("{left}").sub(quantity("{right}")).compareTo(quantity("{left}")) < 0'
        yield "none", f'quantity("{left}").add(quantity("{right}")).asApproximateFloat() > 1000.0'
    for text in (*_VERSIONS, *_ODD_VERSIONS):
        yield "none", f'isSemver("{text}")'
        yield "none", f'isSemver("{text}", true)'
        yield "none", f'semver("{text}").major() > 0'
        yield "none", f'semver("{text}", true).compareTo(semver("1.0.0")) >= 0'
    for left, right in product(_ORDERED, _ORDERED):
        yield "none", f'semver("{left}").isLessThan(semver("{right}"))'
    for expression in _EXTRA:
        yield "none", expression
