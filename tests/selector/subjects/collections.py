"""Lists, maps, sets, optionals and loops."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

_VALUED = r"""
[3, 1, 2].sort() | [1, 2, 3]
[3u, 1u].sort() | [1u, 3u]
[3.5, 1.5].sort() | [1.5, 3.5]
["b", "a"].sort() | ["a", "b"]
[b"b", b"a"].sort() | [b"a", b"b"]
[true, false].sort() | [false, true]
[duration("2s"), duration("1s")].sort() | [duration("1s"), duration("2s")]
[timestamp(2), timestamp(1)].sort() | [timestamp(1), timestamp(2)]
[].sort() | []
[3, 1, 2].sortBy(x, -x) | [3, 2, 1]
["bb", "a", "ccc"].sortBy(s, s.size()) | ["a", "bb", "ccc"]
[{"n": 2}, {"n": 1}].sortBy(m, m.n) | [{"n": 1}, {"n": 2}]
[].sortBy(x, x) | []
[1, 2, 3].reverse() | [3, 2, 1]
[1, 2, 1, 3, 2].distinct() | [1, 2, 3]
[1, dyn(1.0), dyn(2)].map(x, dyn(x)).distinct().size() | 2
[1, 2, 3, 4].slice(1, 3) | [2, 3]
[1, 2].slice(0, 2) | [1, 2]
[1, 2].slice(1, 1) | []
[1, 2].slice(2, 1) | []
[1, 2].slice(-1, 1) | []
[1, 2].slice(0, 3) | []
[[1], [2, 3]].flatten() | [1, 2, 3]
[[[1]], [[2]]].flatten() | [[1], [2]]
[[[1]], [[2]]].flatten(2) | [1, 2]
[[[1]], [[2]]].flatten(0) | [[[1]], [[2]]]
[[1]].flatten(-1) | [1]
[].flatten() | []
lists.range(3) | [0, 1, 2]
lists.range(0) | []
lists.range(-1) | []
[1, 2].first().value() | 1
[1, 2].last().value() | 2
[].first().hasValue() | false
[1, 2, 3].sum() | 6
[1u, 2u].sum() | 3u
[1.5, 2.5].sum() | 4.0
[duration("1s"), duration("2s")].sum() | duration("3s")
[].sum() | 0
[1, 3, 2].max() | 3
[1, 3, 2].min() | 1
["a", "c", "b"].max() | "c"
[true, false].min() | false
[1.5, 0.5].min() | 0.5
[].max() | 0
[1, 2, 2].isSorted() | true
[2, 1].isSorted() | false
[].isSorted() | true
["a", "b"].isSorted() | true
[1, 2, 1].indexOf(1) | 0
[1, 2, 1].lastIndexOf(1) | 2
[1, 2].indexOf(3) | -1
["a"].indexOf("a") | 0
[[1]].indexOf([1]) | 0
[1] + [2] | [1, 2]
[] + [1] | [1]
[1] + [] | [1]
sets.contains([1, 2, 3], [3, 1]) | true
sets.contains([1], [1, 2]) | false
sets.contains([], []) | true
sets.contains([1], []) | true
sets.equivalent([1, 1, 2], [2, 1]) | true
sets.equivalent([1], [1, 2]) | false
sets.intersects([1, 2], [2, 3]) | true
sets.intersects([1], []) | false
sets.contains([dyn(1)], [dyn(1.0)]) | true
[1, 2, 3].map(x, x * 2) | [2, 4, 6]
[1, 2, 3].map(x, x > 1, x * 2) | [4, 6]
[1, 2, 3].filter(x, x > 1) | [2, 3]
{"a": 1, "b": 2}.map(k, k).sort() | ["a", "b"]
{"a": 1, "b": 2}.filter(k, k == "a") | ["a"]
[1, 2, 3].transformList(i, v, i * v) | [0, 2, 6]
[1, 2, 3].transformList(i, v, i > 0, v) | [2, 3]
{"a": 1}.transformList(k, v, k + string(v)) | ["a1"]
[1, 2].transformMap(i, v, v * 2) | {0: 2, 1: 4}
[1, 2].transformMap(i, v, i > 0, v * 2) | {1: 4}
{"a": 1}.transformMap(k, v, v + 1) | {"a": 2}
["a", "b"].transformMapEntry(i, v, {v: i}) | {"a": 0, "b": 1}
["a", "b"].transformMapEntry(i, v, i > 0, {v: i}) | {"b": 1}
["a", "a"].transformMapEntry(i, v, {v: i}) | {"a": 0}
[[1, 2], [3]].map(l, l.map(x, x + 1)) | [[2, 3], [4]]
optional.of(1).optMap(x, x + 1).value() | 2
optional.none().optMap(x, x + 1).hasValue() | false
optional.of(1).optFlatMap(x, optional.of(x + 1)).value() | 2
optional.of(1).optFlatMap(x, optional.none()).hasValue() | false
optional.of(1).or(optional.of(2)).value() | 1
optional.none().or(optional.of(2)).value() | 2
optional.none().orValue(3) | 3
optional.of(1).orValue(3) | 1
optional.of(optional.none()).value().hasValue() | false
optional.ofNonZeroValue("").hasValue() | false
optional.ofNonZeroValue("a").hasValue() | true
optional.ofNonZeroValue([]).hasValue() | false
optional.ofNonZeroValue(0.0).hasValue() | false
optional.unwrap([optional.of(1), optional.none()]) | [1]
[optional.of(1), optional.none()].unwrapOpt() | [1]
[?optional.of(1), ?optional.none(), 2] | [1, 2]
{?"a": optional.of(1), ?"b": optional.none()} | {"a": 1}
optional.of([1, 2])[0].value() | 1
optional.of([1, 2])[?5].hasValue() | false
optional.of({"a": 1}).a.value() | 1
optional.of({"a": 1}).b.hasValue() | false
optional.of({"a": {"b": 1}}).a.b.value() | 1
optional.of({"a": {"b": 1}}).?a.?c.hasValue() | false
{"a": {"b": 1}}.?a.b.value() | 1
{"a": {"b": 1}}.?x.b.hasValue() | false
{"a": [1, 2]}.?a[1].value() | 2
""".strip("\n").splitlines()
#: One expression a line.
_WHOLE = (Path(__file__).parent / "collections.txt").read_text().splitlines()
_LOOPS = ("all(x, {0})", "exists(x, {0})", "exists_one(x, {0})", "map(x, {0}) == [true]", "filter(x, {0}) == [1]")
_RANGES = ("[1]", "[1, 2]", "[0]", "[]", '{"a": 1}', "dyn([1])", "dyn(1)", "[1, 0]", "[0, 1]")
_BODIES = ("true", "false", "x == 1", "1 / x == 1", "dyn(1)", "dyn(null)", "x", "dyn(x)", "y")


def cases() -> Iterator[tuple[str, str]]:
    for line in _VALUED:
        expression, value = line.split(" | ")
        yield "gpu", f"{expression} == {value}"
        yield "gpu", f"dyn({expression}) == dyn({value})"
    for line in _WHOLE:
        yield "gpu", line
    for ranged, loop, body in product(_RANGES, _LOOPS, _BODIES):
        yield "gpu", f"{ranged}.{loop.format(body)}"
