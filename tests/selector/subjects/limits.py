"""Kubernetes' limits: length, depth, and estimated cost, from both sides."""

from __future__ import annotations

from collections.abc import Iterator

_TEXT = "a" * 100
#: A list of so many ints.
_LISTS = {count: f"[{', '.join(map(str, range(count)))}]" for count in (2, 5, 10, 20, 22, 24, 30, 40, 60, 100)}


def _nested(count: int, depth: int, body: str = "true") -> str:
    expression = body
    for level in range(depth):
        expression = f"{_LISTS[count]}.all(x{level}, {expression})"
    return expression


def _deep() -> Iterator[str]:
    # CEL's runtime in Python reads 32 levels, Kubernetes' 250: what lies between is refused here alone.
    for count in (2, 10, 20, 28, 260):
        yield f"{'(' * count}1{')' * count} == 1"
        yield f"{'[' * count}{']' * count}.size() == 1"
        yield f"{'+'.join(['1'] * count)} == {count}"
        yield f"{'<'.join(['1'] * count)}"
        yield f"{'*'.join(['1'] * count)} == 1"
        yield f"{'!' * count}true"
        yield f"{'-' * count}1 == 1"
        yield f'dyn({{"a": 1}}){".a" * count} == 1'
        yield f'dyn({{"a": 1}}){"[0]" * count} == 1'
        yield f'"a"{".trim()" * count} == "a"'
        yield f"{'size([' * (count // 2)}1{'])' * (count // 2)} == 1"
        yield f"{'true ? true : ' * count}true"
        yield "&&".join(["true"] * count)
        yield "||".join(["1 == 2"] * count)
        yield f"{'(true && ' * count}true{')' * count}"


def _long() -> Iterator[str]:
    for length in (10_239, 10_240, 10_241):
        yield "true" + " " * (length - 4)
        yield f'"{"a" * (length - 12)}" != "a" '[:length].ljust(length)
    yield "// " + "é" * 5_120
    yield "// " + "é" * 5_100 + "\ntrue"


def _costly() -> Iterator[str]:
    for count in (2, 5, 10, 20, 22, 24, 30):
        for depth in (1, 2, 3, 4):
            text = _nested(count, depth)
            # The same runtime ends an evaluation after 10,000 turns; from 330,000 on Kubernetes refuses the text.
            if len(text) < 10_000 and not 9_000 < sum(count**level for level in range(1, depth + 1)) < 330_000:
                yield text
                yield _nested(count, depth, '"abc".matches("a.*c")')
                yield _nested(count, depth, 'device.driver == "x" || true')
    for count in (10, 1_000, 100_000, 999_000, 1_000_000, 10_000_000):
        yield f"lists.range({count}).size() == {count}"
    for count in (10, 1_000, 9_000, 1_000_000):
        yield f"lists.range({count}).sum() > 0"
    for count in (10, 100, 1_000, 9_000):
        yield f"lists.range({count}).all(x, x >= 0)"
        yield f"lists.range({count}).map(x, x * 2).size() == {count}"
        yield f"lists.range({count}).exists(x, lists.range({count}).exists(y, x == y && x > 5))"
        yield f"lists.range({count}).reverse().sort().distinct().size() == {count}"
        yield f"lists.range({count}).indexOf(-1) == -1"
        yield f"sets.contains(lists.range({count}), lists.range({count}))"
        yield f"cel.bind(l, lists.range({count}), l.all(x, l[x] == x))"
    for count in (1, 2, 4, 8, 16):
        grown, spread = '.replace("a", "aaaaaaaaaa")' * count, '.replace("", "ab")' * count
        patterns, drivers = "(a|b)*" * count, ", ".join(["device.driver"] * count)
        yield f'"{_TEXT}"{grown}.size() > 0'
        yield f'"ab"{spread}.size() > 0'
        yield f'"{_TEXT}".matches("{patterns}")'
        yield f'device.attributes["gpu.x"].model.matches("{patterns}x")'
        yield f'device.attributes["gpu.x"].model{" + device.driver" * count} != ""'
        yield f'[{drivers}].join("-").size() > 0'
        yield f'[{drivers}].join("-").matches("a+b+c+")'
    yield from _unbounded()


def _unbounded() -> Iterator[str]:
    yield "type(1) == int"
    yield "dyn([1]) == dyn([1])"
    yield 'dyn("a") + dyn("b") == "ab"'
    yield 'device.attributes["gpu.x"].model + device.attributes["gpu.x"].family == ""'
    yield 'dyn(device.attributes["gpu.x"]).exists(k, k == "cc")'
    yield "dyn(device.attributes).size() > 0"
    yield 'dyn([1, 2]).all(x, x > 0) || device.driver == "a"'
    yield '"%s".format([device.driver]) == "gpu.x"'
    yield '"%s".format([device.driver]).matches("gpu.*")'
    yield '"%s".format([device.driver]) + "a" == "gpu.xa"'
    yield 'dyn(1).check("a") == dyn(1) || dyn(1).check("b") == dyn(2) || dyn(1).check("c") == dyn(3)'
    yield "device.attributes.all(d, device.attributes[d].all(k, k.size() < 64))"
    yield "device.attributes.all(d, device.attributes.all(e, device.attributes.all(f, d != e || e == f)))"
    yield "device.attributes.all(d, device.attributes.all(e, device.attributes.all(f, device.attributes.all(g, true))))"
    yield "device.capacity.all(d, v, v.all(k, q, q.sign() >= 0))"
    yield 'url(device.attributes["gpu.x"].site).getHost().matches("(?i)example.com:[0-9]+")'
    yield 'device.attributes["gpu.x"].model.split("").map(c, c.upperAscii()).join("").contains("H100")'
    yield 'device.attributes["gpu.x"].model.split("").sort().join("") != ""'
    yield 'format.dns1123Label().validate(device.attributes["gpu.x"].model).hasValue()'
    yield 'url(device.attributes["gpu.x"].site).getQuery().all(k, k != "")'
    yield 'device.attributes["gpu.x"].model.findAll("[A-Z]").size() > 3'
    yield 'device.attributes["gpu.x"].model.findAll("[A-Z]").distinct().size() > 3'
    yield 'bytes(device.attributes["gpu.x"].model).size() > 3'
    yield 'string(bytes(device.attributes["gpu.x"].model)).contains("H100")'
    yield 'strings.quote(device.attributes["gpu.x"].model).contains("H100")'
    yield 'strings.quote(strings.quote(device.attributes["gpu.x"].model)).size() > 3'
    yield 'device.attributes["gpu.x"].model < device.attributes["gpu.x"].family'
    yield '{"a": device.driver}.transformMap(k, v, v + k).a.size() > 2'
    yield '{"a": [device.driver]}["a"][0] + "x" != ""'
    yield "[[device.driver]].map(l, l[0] + l[0])[0].size() > 2"
    yield "[[1, 2], [3]].flatten().all(x, x > 0)"
    yield '(device.driver == "a" ? [1, 2] : [1]).all(x, x > 0)'
    yield '([device.driver] + ["a"]).all(x, x.size() > 0)'
    yield '["a", "bb"].exists(s, s.size() == 2 && s.contains("b"))'
    yield '["a", "bb"].map(s, s + "c").exists(s, s == "bbc")'
    yield '{"a": "bb"}.exists(k, v, v.contains(k) || v == "bb")'
    yield '[1, 2].exists(i, v, string(i) + string(v) == "12")'
    yield '["b", "a"].sortBy(s, s + s)[0] == "a"'
    yield '["b", "a"].indexOf("a") == 1 && ["b", "a"].max() == "b"'
    yield 'optional.of(device.driver).optMap(d, d + d).orValue("") != ""'
    yield 'cel.bind(d, device.attributes["gpu.x"].model, d.contains("H") && d.size() > 2)'
    yield 'cel.bind(m, device.attributes["gpu.x"], m.model.contains("H") && m.size() > 2)'
    yield 'cel.bind(m, device.attributes, m["gpu.x"].model.contains("H") && m.size() > 2)'
    yield 'ip.isCanonical(device.attributes["gpu.x"].address) && cidr("10.0.0.0/8").containsCIDR("10.0.0.0/9")'


def cases() -> Iterator[tuple[str, str]]:
    for maker in (_deep, _long, _costly):
        for expression in maker():
            yield "gpu", expression
