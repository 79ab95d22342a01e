"""What selectors cost us: counted, never timed."""

from __future__ import annotations

from itertools import pairwise

import pytest

from modelplane import selector
from modelplane.value.device import Facts

#: Kubernetes charges a replacement by the text that it reads, not by the millions of characters that it makes.
RUNAWAY = f"[{', '.join('1' * 60)}].all(x, '{'a' * 2500}'.replace('', '{'a' * 2500}').size() > 0)"
GROWING = f".replace('a', '{'a' * 100}')"
#: Names for lists, each made of the one before.
SHARED_LISTS = {"a": "[1]", **{name: f"[{', '.join(last * 10)}]" for last, name in pairwise("abcde")}}
GROWING_LISTS = {"a": "[1]", **{name: " + ".join(last * 10) for last, name in pairwise("abcdefg")}}
GPU = Facts("gpu.x", (("model", ("string", "L4")),), (("memory", "24Gi"),))


def _bound(names: dict[str, str], body: str) -> str:
    for name, value in reversed(names.items()):
        body = f"cel.bind({name}, {value}, {body})"
    return body


def test_a_verdict_is_remembered_by_content() -> None:
    selector.forget()
    before = selector.evaluations.count
    text = 'device.attributes["gpu.x"].model == "L4"'

    verdicts = [
        selector.compile("".join(text)).check(Facts(str(GPU.driver), tuple(GPU.attributes), tuple(GPU.capacity)))
        for _ in range(5)
    ]

    assert verdicts == [selector.MATCH] * 5
    assert selector.evaluations.count - before == 1, "an equal text on an equal device is evaluated once"


def test_another_device_or_text_is_evaluated() -> None:
    selector.forget()
    before = selector.evaluations.count
    other = Facts("gpu.x", (("model", ("string", "L4")),), (("memory", "25Gi"),))
    texts = ('device.capacity["gpu.x"].memory.compareTo(quantity("25Gi")) == 0', 'device.driver == "gpu.x"')

    outcomes = [selector.compile(text).check(facts).outcome for text in texts for facts in (GPU, other)]

    assert outcomes == ["no match", "match", "match", "match"]
    assert selector.evaluations.count - before == 4


def test_evaluate_forgets() -> None:
    compiled = selector.compile('device.driver == "gpu.x"')
    before = selector.evaluations.count

    assert [compiled.evaluate(GPU), compiled.evaluate(GPU)] == [selector.MATCH, selector.MATCH]
    assert selector.evaluations.count - before == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("lists.range(5000).all(x, lists.range(5000).all(y, true))", "nested loops over what is cheap to write"),
        ("lists.range(10000000).size() > 0", "a list longer than any need"),
        (
            f"'{'a' * 2000}'{GROWING}{GROWING}.matches('(a|b)*c')",
            "text that grows and is matched",
        ),
        (
            "cel.bind(l, device.attributes, l.all(a, l.all(b, l.all(c, l.all(d, l.all(e, a != b))))))",
            "loops over what a device could have, whatever this one has",
        ),
    ],
)
def test_what_could_run_away_is_refused_before_it_runs(text: str, reason: str) -> None:
    before = selector.evaluations.count

    with pytest.raises(selector.CompileError, match="too complex"):
        selector.compile(text)

    assert selector.evaluations.count == before, reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (RUNAWAY, "a text that is made is charged by us"),
        ("lists.range(400000).sum() > 0", "a loop that Kubernetes affords ends after ten thousand turns"),
        (_bound(SHARED_LISTS, "e == e"), "a list of lists of lists is walked in a loop before it is compared"),
        (_bound(SHARED_LISTS, "'%s'.format([e]) != ''"), "and before it is handed to Python"),
        (_bound(SHARED_LISTS, "e in [e]"), "and before it is looked for"),
        (_bound(GROWING_LISTS, "g.size() > 0"), "lists put together are charged by their length"),
        ("cel.bind(l, lists.range(9000), lists.range(900).map(x, l).size() > 0)", "and those that a loop collects"),
        ("lists.range(9000).transformMap(i, v, v).size() > 0", "a map is copied for each entry, so it stays small"),
    ],
)
def test_what_the_estimate_misses_ends_in_an_error(text: str, reason: str) -> None:
    verdict = selector.compile(text).evaluate(GPU)

    assert verdict == selector.Verdict("error", "the evaluation takes too long"), reason


def test_digits_of_a_number_are_bounded() -> None:
    verdict = selector.compile("'%.9999999f'.format([1.0]) != ''").evaluate(GPU)

    assert verdict == selector.Verdict("error", "error during formatting: a precision of 9999999")


def test_a_backtracking_pattern_costs_what_its_length_says() -> None:
    text = "a" * 5000
    compiled = selector.compile(f"'{text}'.matches('(a*)*(a*)*b')")

    assert compiled.evaluate(GPU) == selector.NO_MATCH, "linear matching ends, where backtracking would not"


def test_the_work_is_that_of_one_evaluation() -> None:
    compiled = selector.compile(f"'{'a' * 900}'.replace('', '{'b' * 1000}').size() == 901900")

    verdicts = [compiled.evaluate(GPU) for _ in range(10)]

    assert set(verdicts) == {selector.MATCH}, "what one evaluation spends, the next one has again"


@pytest.mark.parametrize("depth", [1, 10, 28])
def test_texts_nest_as_deep_as_the_runtime_reads(depth: int) -> None:
    assert selector.compile(f"{'(true && ' * depth}true{')' * depth}").check(GPU) == selector.MATCH


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{'(' * 40}true{')' * 40}", "brackets"),
        ("(" * 10_000, "brackets that never close, before the parser spends a second on them"),
        (f"{'[1].all(x, ' * 28}true{')' * 28}", "macros, which become more than they show"),
        (f"device{'.driver' * 1000} == ''", "a chain of fields"),
    ],
)
def test_deeper_ones_are_refused(text: str, reason: str) -> None:
    with pytest.raises(selector.CompileError, match="nests too deeply"):
        selector.compile(text)
    assert reason
