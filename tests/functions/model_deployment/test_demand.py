from __future__ import annotations

from typing import Any

import pytest

from model_deployment import demand
from modelplane import selector
from modelplane.kit.seen import Thing
from modelplane.kit.view import View, encode
from modelplane.placement.facts import Demand, Engine, LabelRule, Member, Owner, Request, Toleration, Unmet
from modelplane.value.device import Facts
from tests.functions.harness import merge

OWNER = Owner("ml-team", "demo")


def deployment(spec: dict[str, Any], template: dict[str, Any]) -> Thing:
    plain = {"metadata": {"name": "demo", "namespace": "ml-team"}, "spec": {**spec, "template": {"spec": template}}}
    return Thing(View(encode(plain)))


def request(name: str, count: int, *selectors: str) -> Request:
    return Request(name, count, selectors, lambda _: None)


def engine(*members: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"engines": [{"name": "main", "members": list(members), **more}]}


CASES: list[tuple[dict[str, Any], dict[str, Any], Demand, str]] = [
    (
        {"replicas": 3, "paused": True},
        merge(
            engine(
                {"role": "Leader"},
                {
                    "role": "Worker",
                    "worker": {"nodes": 3},
                    "nodeSelector": {"devices": [{"name": "gpu", "count": 8, "selectors": [{"cel": "true"}, {}]}]},
                },
                copies=2,
            ),
            {
                "clusterSelector": {"matchLabels": {"z": "1", "a": "2"}},
                "tolerations": [
                    {"key": "k", "operator": "Exists", "effect": "NoExecute"},
                    {"key": "k", "value": "v"},
                    {"operator": "Exists", "effect": "Else"},
                ],
            },
        ),
        Demand(
            OWNER,
            3,
            (Engine("main", 2, (Member("Leader", 1), Member("Worker", 3, (request("gpu", 8, "true"),)))),),
            (Toleration("k", "Exists", "", "NoExecute"), Toleration("k", "Equal", "v"), Toleration(operator="Exists")),
            (LabelRule("a", "2"), LabelRule("z", "1"), LabelRule("more", "yes", "elsewhere")),
            hold="why",
            paused=True,
        ),
        "every field that placement weighs; label rules in order, further ones behind; a selector without CEL left out",
    ),
    (
        {"replicas": 0},
        engine({"nodeSelector": {"devices": [{"name": "gpu"}]}}, {"role": "Worker"}),
        Demand(
            OWNER,
            0,
            (Engine("main", 1, (Member("Standalone", 1, (request("gpu", 1),)), Member("Worker", 1))),),
            (),
            (LabelRule("more", "yes", "elsewhere"),),
            hold="why",
        ),
        "defaults for what is absent; a Worker without a block is one pod; without selectors any device will do",
    ),
    (
        {"replicas": 1},
        engine({"role": "Worker", "worker": {"nodes": 0}, "nodeSelector": {"devices": [{"count": -2}]}}, copies=0),
        Demand(
            OWNER,
            1,
            (Engine("main", 1, (Member("Worker", 1, (request("", 1),)),)),),
            (),
            (LabelRule("more", "yes", "elsewhere"),),
            hold="why",
        ),
        "counts that the XRD would refuse read as one",
    ),
]


@pytest.mark.parametrize(("spec", "template", "expected", "reason"), CASES)
def test_what_is_asked_for(spec: dict[str, Any], template: dict[str, Any], expected: Demand, reason: str) -> None:
    more = (LabelRule("more", "yes", "elsewhere"),)

    assert demand.read(deployment(spec, template), more, "why") == expected, reason


def accepts(*texts: str) -> Request:
    devices = [{"name": "gpu", "selectors": [{"cel": text} for text in texts]}]
    read = demand.read(deployment({"replicas": 1}, engine({"nodeSelector": {"devices": devices}})), (), "")
    return read.engines[0].members[0].requests[0]


H100 = Facts("gpu.x", (("ecc", ("bool", True)),), (("memory", "80Gi"),))
MEMORY = 'device.capacity["gpu.x"].memory.compareTo(quantity("100Gi")) >= 0'

VERDICTS: list[tuple[tuple[str, ...], Unmet | None, str]] = [
    ((), None, "no selector, no objection"),
    (('device.driver == "gpu.x"', 'device.attributes["gpu.x"].ecc'), None, "every selector is true"),
    (
        ("", 'device.driver == "gpu.x"', f'device.driver == "gpu.x" && {MEMORY}'),
        Unmet(2, MEMORY, 'device.capacity["gpu.x"].memory = 80Gi'),
        "the first clause that is not true, under the selector's own index, with the value found",
    ),
]


@pytest.mark.parametrize(("texts", "expected", "reason"), VERDICTS)
def test_whether_a_device_meets_a_request(texts: tuple[str, ...], expected: Unmet | None, reason: str) -> None:
    assert accepts(*texts).accepts(H100) == expected, reason


def test_an_error_is_no_match_and_is_told() -> None:
    unmet = accepts('device.attributes["gpu.x"].model == "a"').accepts(H100)

    assert unmet is not None
    assert (unmet.selector, unmet.clause) == (0, 'device.attributes["gpu.x"].model == "a"')
    assert "model" in unmet.error


def test_no_selector_is_evaluated_twice_on_like_devices() -> None:
    selector.forget()
    before = selector.evaluations.count
    text = 'device.driver == "gpu.y"'
    for _ in range(2):  # two calls of the function
        wanted = accepts(text, 'device.attributes["gpu.x"].ecc')
        for _ in range(3):
            wanted.accepts(Facts("gpu.x", (("ecc", ("bool", True)),)))

    assert selector.evaluations.count - before == 1


def test_every_selector_that_does_not_compile_is_found() -> None:
    devices = [
        {"name": "a", "selectors": [{"cel": "true"}, {"cel": "1 +"}]},
        {"name": "b", "selectors": [{"cel": "x"}]},
    ]
    members: list[dict[str, Any]] = [{"role": "Leader"}, {"role": "Worker", "nodeSelector": {"devices": devices}}]

    with pytest.raises(demand.InvalidSelectorError) as caught:
        demand.read(deployment({"replicas": 1}, engine(*members)), (), "")

    path = "spec.template.spec.engines[0].members[1].nodeSelector.devices"
    assert [(fault.field, fault.line) for fault in caught.value.faults] == [
        (f"{path}[0].selectors[1].cel", 1),
        (f"{path}[1].selectors[0].cel", 1),
    ]
    assert str(caught.value) == "; ".join(fault.words() for fault in caught.value.faults)
    assert caught.value.faults[1].words().startswith(f"{path}[1].selectors[0].cel: line 1, column 1: ")


BROKEN: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({}, engine({}), "no count of replicas"),
    ({"replicas": "two"}, engine({}), "a count that is none"),
    ({"replicas": -1}, engine({}), "a negative count"),
    ({"replicas": 1}, {}, "no engines"),
    ({"replicas": 1}, engine(), "an engine without members"),
]


@pytest.mark.parametrize(("spec", "template", "reason"), BROKEN)
def test_what_the_schema_refuses_is_never_read_as_nothing(
    spec: dict[str, Any], template: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ValueError, match=r"^spec\.") as caught:
        demand.read(deployment(spec, template), (), "")

    assert not isinstance(caught.value, demand.InvalidSelectorError), reason
