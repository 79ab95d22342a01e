"""Functions of texts: strings, formats, regular expressions."""

# ruff: noqa: RUF001 - Kubernetes writes powers of ten with a multiplication sign

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

#: (expression, value as a constant): the oracle says whether the two are equal.
_VALUED = r"""
"héllo".charAt(1) | "é"
"héllo".charAt(5) | ""
"héllo".charAt(6) | ""
"héllo".charAt(-1) | ""
"héllo".indexOf("l") | 2
"héllo".indexOf("l", 3) | 3
"héllo".indexOf("l", 9) | -1
"héllo".indexOf("l", -1) | -1
"héllo".indexOf("", 9) | 9
"héllo".indexOf("", -9) | -9
"héllo".indexOf("z") | -1
"".indexOf("a") | -1
"".indexOf("") | 0
"héllo".lastIndexOf("l") | 3
"héllo".lastIndexOf("l", 2) | 2
"héllo".lastIndexOf("l", 1) | -1
"héllo".lastIndexOf("l", 99) | -1
"héllo".lastIndexOf("l", -1) | -1
"héllo".lastIndexOf("") | 5
"héllo".lastIndexOf("", 99) | 99
"héllo".lastIndexOf("hélloo") | -1
"".lastIndexOf("a") | -1
"a,b,c".split(",") | ["a", "b", "c"]
"a,b,c".split(",", 2) | ["a", "b,c"]
"a,b,c".split(",", 0) | []
"a,b,c".split(",", -1) | ["a", "b", "c"]
"a,b,c".split(",", 1) | ["a,b,c"]
"aé".split("") | ["a", "é"]
"abc".split("", 2) | ["a", "bc"]
"".split(",") | [""]
["a", "b"].join() | "ab"
["a", "b"].join("-") | "a-b"
[].join("-") | ""
["a"].join("-") | "a"
[dyn("a"), dyn("b")].join("-") | "a-b"
[dyn(1)].join("-") | "1"
[dyn("a"), dyn(1)].join("-") | "1"
"banana".replace("a", "o") | "bonono"
"banana".replace("a", "o", 2) | "bonona"
"banana".replace("a", "o", 0) | "banana"
"banana".replace("a", "o", -1) | "bonono"
"abc".replace("", "-") | "-a-b-c-"
"abc".replace("", "-", 2) | "-a-bc"
"abc".replace("z", "-") | "abc"
"héllo".substring(1) | "éllo"
"héllo".substring(5) | ""
"héllo".substring(6) | ""
"héllo".substring(-1) | ""
"héllo".substring(1, 3) | "él"
"héllo".substring(3, 3) | ""
"héllo".substring(3, 2) | ""
"héllo".substring(0, 9) | ""
"  a b \t\n".trim() | "a b"
"\u00a0\u2003a\u3000\u0085".trim() | "a"
"\u001ca\u200b".trim() | "\u001ca\u200b"
"ÀaZ".lowerAscii() | "Àaz"
"àaZ".upperAscii() | "àAZ"
strings.quote("a\"b\\\n\t\a") | "\"a\\\"b\\\\\\n\\t\\a\""
strings.quote("é😀") | "\"é😀\""
"abc".contains("") | true
"abc".contains("bc") | true
"abc".startsWith("ab") | true
"abc".startsWith("") | true
"abc".endsWith("bc") | true
"abc".endsWith("abcd") | false
"abc".matches("b") | true
"abc".matches("^b") | false
"abc".matches("") | true
matches("abc", "a.c") | true
"a\nb".matches("a.b") | false
"a\nb".matches("(?s)a.b") | true
"a\nb".matches("^b") | false
"a\nb".matches("(?m)^b") | true
"ABC".matches("(?i)abc") | true
"é".matches("^.$") | true
"é".matches("^\\pL$") | true
"x-1".matches("^[[:alpha:]]-\\d$") | true
"abc".find("b.?") | "bc"
"abc".find("z") | ""
"abc".find("(b)(c)") | "bc"
"abc 123 def".find("[0-9]+") | "123"
"123 abc 456".findAll("[0-9]+") | ["123", "456"]
"123 abc 456".findAll("[0-9]+", 1) | ["123"]
"123 abc 456".findAll("[0-9]+", 0) | []
"123 abc 456".findAll("[0-9]+", -1) | ["123", "456"]
"baab".findAll("a*") | ["", "aa", ""]
"éé".findAll("") | ["", "", ""]
"abc".findAll("z") | []
"aXbX".findAll("\\b.") | ["a"]
"%s".format(["a"]) | "a"
"%s %d".format(["a", dyn(1)]) | "a 1"
"%%".format([]) | "%"
"100%% of %s".format(["x"]) | "100% of x"
"%d".format([1234567]) | "1234567"
"%d".format([1u]) | "1"
"%f".format([1234567.891]) | "1,234,567.891000"
"%.2f".format([2.345]) | "2.35"
"%.0f".format([2.5]) | "2"
"%f".format([-1234.5]) | "-1,234.500000"
"%f".format([double("Infinity")]) | "∞"
"%f".format([double("-Infinity")]) | "-∞"
"%f".format(["NaN"]) | "NaN"
"%e".format([1234567.891]) | "1.234568×10⁰⁶"
"%.2e".format([-0.00012345]) | "-1.234500×10⁻⁰⁴"
"%e".format([double("Infinity")]) | "     ∞"
"%.20e".format([1.0]) | "       1.000000×10⁰⁰"
"%b".format([5]) | "101"
"%b".format([-5]) | "-101"
"%b".format([true]) | "1"
"%x".format([255]) | "ff"
"%X".format([255]) | "FF"
"%x".format(["hé"]) | "68c3a9"
"%x".format([b"\xff"]) | "ff"
"%o".format([8]) | "10"
"%s".format([1.5]) | "1.5"
"%s".format([1e20]) | "1e+20"
"%s".format([123456789.0]) | "1.23456789e+08"
"%s".format([true]) | "true"
"%s".format([null]) | "null"
"%s".format([b"abc"]) | "abc"
"%s".format([[1, 2]]) | "[1, 2]"
"%s".format([["a", "b\"é\n"]]) | "[\"a\", \"b\\\"é\\n\"]"
"%s".format([[1.5]]) | "[1.500000]"
"%s".format([{"b": 1, "a": 2}]) | "{\"a\":2, \"b\":1}"
"%s".format([{2: "x", 10: "y"}]) | "{10:\"y\", 2:\"x\"}"
"%s".format([duration("90s")]) | "90s"
"%s".format([[duration("90s")]]) | "[duration(\"90s\")]"
"%s".format([timestamp("2026-09-30T00:00:00.5Z")]) | "2026-09-30T00:00:00.5Z"
"%s".format([[timestamp("2026-09-30T00:00:00Z")]]) | "[timestamp(\"2026-09-30T00:00:00Z\")]"
"%s".format([[[1], [2, 3]]]) | "[[1], [2, 3]]"
dyn("%s").format([1]) | "1"
string(123456789.0) | "1.23456789e+08"
string(1e20) | "1e+20"
string(100000.0) | "100000"
string(0.0001) | "0.0001"
string(0.00001) | "1e-05"
string(1234567.0) | "1.234567e+06"
string(-0.0) | "-0"
string(3.14159) | "3.14159"
string(duration("1h30m0.5s")) | "5400.5s"
string(duration("100us")) | "0.0001s"
string(timestamp("2026-09-30T12:00:00+00:00")) | "2026-09-30T12:00:00Z"
string(timestamp(0)) | "1970-01-01T00:00:00Z"
duration("1.5h").getMinutes() | 90
duration("-1.5s").getSeconds() | -1
duration("1h").getHours() | 1
duration("1234567us").getMilliseconds() | 1234
int(timestamp("1970-01-01T00:00:01.9Z")) | 1
timestamp("2026-09-30T00:00:00Z") - timestamp("2026-09-29T00:00:00Z") | duration("24h")
timestamp("2026-09-30T00:00:00Z") - duration("1s") | timestamp("2026-09-29T23:59:59Z")
timestamp("2026-09-30T00:00:00Z") + duration("1s") | timestamp("2026-09-30T00:00:01Z")
duration("1s") + timestamp("2026-09-30T00:00:00Z") | timestamp("2026-09-30T00:00:01Z")
duration("1s") + duration("1s") | duration("2s")
duration("1s") - duration("2s") | duration("-1s")
""".strip("\n").splitlines()
_WHOLE = r"""
timestamp("9999-12-31T23:59:59Z") + duration("1s") == timestamp(0)
timestamp("2026-01-01T00:00:00Z") - timestamp("1500-01-01T00:00:00Z") > duration("1s")
duration("2562047h") + duration("2562047h") > duration("0s")
duration("1s") - timestamp(0) == duration("1s")
timestamp(0) + timestamp(0) == timestamp(0)
"abc".matches("(")
"abc".matches("a{1001}")
"abc".matches("(a{100}){100}")
"abc".matches("\\8")
"abc".matches("(?P<n>b)")
"abc".matches("(?<n>b)")
"abc".matches("(?=b)")
"abc".matches("[[:foo:]]")
"abc".matches("\\p{Greek}")
"abc".matches("\\p{Foo}")
"abc".matches("a**")
"abc".matches("*")
"abc".matches("\\Qa.c\\E")
"abc".matches("c\\z")
"abc".matches("c\\Z")
"abc".matches("(" + "b)")
"abc".matches("(" + "b")
"abc".find("(")
"abc".find("(" + "b") == ""
"abc".findAll("(").size() == 0
dyn("abc").find("(") == ""
"abc".find(string("(")) == ""
matches("(", "a")
matches("a", "(")
dyn(1).matches("a")
"a".matches(dyn(1))
"a".find(1) == ""
"a".findAll("a", "1").size() == 1
1.matches("a")
"a".contains(1)
"a".contains(dyn(1))
dyn(1).contains("a")
"a".startsWith(dyn(1))
dyn(1).endsWith("a")
"abc".charAt("1") == "b"
"abc".charAt(dyn("1")) == "b"
"abc".charAt(1u) == "b"
"abc".substring(1.0) == "bc"
"abc".split(1).size() == 1
"abc".join() == "abc"
[1].join() == "1"
["a"].join(1) == "a"
"abc".reverse() == "cba"
"abc".lower() == "abc"
"a".trim(1) == "a"
trim("a") == "a"
strings.quote(1) == "1"
"%s".format("a") == "a"
"%s".format([]) == ""
"%s".format(["a", "b"]) == "a"
"%d".format(["a"]) == "a"
"%d".format([dyn("a")]) == "a"
"%d".format([1.0]) == "1"
"%f".format([1]) == "1"
"%f".format(["x"]) == "1"
"%b".format(["x"]) == "1"
"%x".format([1.0]) == "1"
"%o".format([true]) == "1"
"%e".format([1]) == "1"
"%s".format([quantity("1")]) == "1"
"%s".format([dyn(quantity("1"))]) == "1"
"%s".format([[dyn(quantity("1"))]]) == "1"
"%s".format([{"a": quantity("1")}]) == "1"
"%s".format([optional.of(1)]) == "1"
"%s".format([{dyn(1.5): 1}]) == "1"
"%s".format([{dyn(null): 1}]) == "1"
"%s".format([b"\xff"]) == "1"
"%".format([1]) == "1"
"%".format([]) == "1"
"%5d".format([1]) == "1"
"%.d".format([1]) == "1"
"%.3".format([1.0]) == "1"
"%.2d".format([1]) == "1"
"%z".format([1]) == "1"
"%s %s".format(["a"]) == "a"
dyn("%z").format([1]) == "1"
dyn("%d").format(["a"]) == "a"
dyn("%s").format([]) == ""
dyn("%s").format(["a", "b"]) == "a"
"%s".format([device.attributes["gpu.x"].family]) == "hopper"
"%s-%d".format([device.driver, device.attributes["gpu.x"].index]) == "gpu.x-3"
"%s".format(["a", 1])
"%s".format([1, "a"]) == "1"
"%s %s".format([[1], "a"]) == "[1] a"
"".format([]) == ""
format("%s", ["a"]) == "a"
timestamp("x") == timestamp(0)
timestamp(1.5) == timestamp(0)
timestamp(253402300800) == timestamp(0)
duration("x") == duration("1s")
duration(1) == duration("1s")
duration(dyn(1)) == duration("1s")
duration("1" + "s") == duration("1s")
duration("1" + "x") == duration("1s")
timestamp(device.driver) == timestamp(0)
timestamp(0).getHours(1) == 0
timestamp(0).getNothing() == 0
duration("1s").getFullYear() == 0
duration("1s").getDate() == 0
""".strip("\n").splitlines()
_DURATIONS = """
0 -0 +0 1s +1s -1s 1.5h 1h30m .5s 5.s .s 1 1x s 1h-1m 1e3s 1us 1ns 0.5ns 1.9999999999ns 2562047h
9223372036.854775807s -9223372036.854775808s 1d 1m1m 1_0s 00001s 1.0.0s
""".split()  # noqa: SIM905 - words are read more easily than a list


def cases() -> Iterator[tuple[str, str]]:
    for line in _VALUED:
        expression, value = line.split(" | ")
        yield "gpu", f"{expression} == {value}"
        yield "gpu", f"dyn({expression}) == dyn({value})"
    for line in _WHOLE:
        yield "gpu", line
    for text in _DURATIONS:
        yield "none", f'duration("{text}") > duration("1s")'
        yield "none", f'string(duration("{text}")) != "1s"'
    for function, value in product(
        ("size", "string", "int", "bool", "bytes"), ("device.driver", 'device.attributes["gpu.x"].index')
    ):
        yield "gpu", f"{function}({value}) == {function}({value})"
