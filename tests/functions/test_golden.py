"""Every case of every function: the whole answer, and the laws that hold for all of them."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from modelplane.kit import registry
from tests.functions import harness

NAMES = [(function, name) for function in harness.suites() for name in harness.suite(function).cases]
CASES = [pytest.param(*case, id="/".join(case)) for case in NAMES]
KEEPING = [
    pytest.param(function, name, id=f"{function}/{name}")
    for function, name in NAMES
    if harness.suite(function).cases[name].get("keeps")
]


class _Readable(yaml.SafeDumper):
    """Without anchors: a reviewer reads each answer by itself."""

    def ignore_aliases(self, data: Any) -> bool:
        del data
        return True


@pytest.mark.parametrize(("function", "name"), CASES)
def test_the_answer_is_the_golden_one(function: str, name: str, regolden: bool) -> None:
    answer = harness.plain(harness.answer(function, name), harness.facts(function, name).observed)
    golden = harness.ROOT / function / "golden" / f"{name}.yaml"
    if regolden:
        golden.parent.mkdir(exist_ok=True)
        head = f"# {harness.suite(function).cases[name]['reason']}\n"
        shown = {part: harness.tidy(value) for part, value in answer.items()}
        golden.write_text(head + yaml.dump(shown, Dumper=_Readable, sort_keys=True, width=120))

    assert golden.exists(), "no golden answer; run pytest tests/functions --golden"
    assert answer == yaml.safe_load(golden.read_text())


@pytest.mark.parametrize("function", harness.suites())
def test_there_is_no_golden_answer_without_its_case(function: str) -> None:
    cases = set(harness.suite(function).cases)

    assert {found.stem for found in (harness.ROOT / function / "golden").glob("*.yaml")} == cases


@pytest.mark.parametrize(("function", "name"), KEEPING)
def test_every_observed_child_comes_back_exactly(function: str, name: str) -> None:
    facts = harness.facts(function, name)
    made = harness.manifests(harness.answer(function, name))

    assert facts.observed, "a case that keeps must observe something"
    assert {key: made.get(key) for key in facts.observed} == harness.kept(facts.observed)


@pytest.mark.parametrize(("function", "name"), CASES)
def test_the_same_facts_in_any_order_are_the_same_bytes(function: str, name: str) -> None:
    facts = harness.facts(function, name)
    served = registry.load(function)
    first = served.run(harness.request(facts)).SerializeToString(deterministic=True)
    for seed in range(3):
        again = served.run(harness.request(facts, seed))

        assert again.SerializeToString(deterministic=True) == first


@pytest.mark.parametrize("function", harness.suites())
def test_what_is_required_depends_on_the_spec_alone(function: str) -> None:
    suite = harness.suite(function)
    asked: dict[str, Any] = {}
    for name in suite.cases:
        facts = harness.facts(function, name)
        answer = harness.plain(harness.answer(function, name))
        if answer.get("events", [{}])[0].get("severity") == "Fatal":
            continue
        spec = yaml.dump({"spec": facts.composite["spec"], "name": facts.composite["metadata"]["name"]})

        assert answer.get("requirements") == asked.setdefault(spec, answer.get("requirements")), name


@pytest.mark.parametrize(("function", "name"), CASES)
def test_an_answer_that_is_applied_gives_the_same_answer_in_the_end(function: str, name: str) -> None:
    facts, answer = harness.facts(function, name), harness.answer(function, name)
    for _ in range(8):
        composite, observed = harness.carried(facts, answer)
        facts = harness.Facts(composite, observed, facts.required)
        before, answer = answer, harness.respond(function, facts)
        if harness.plain(answer) == harness.plain(before):
            return
    pytest.fail("no fixpoint within 8 calls")
