"""Gates, keeping, conditions, and the order of deletion, each seen in the whole response."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modelplane.kit.seen import Found, Missing, Pending, Seen
from modelplane.kit.want import Ready, Want
from modelplane.kit.wire import Response
from tests.kit.things import FITS, Plain, child, composite

Run = Callable[..., Response]
MANIFEST = {"apiVersion": "v1", "kind": "ConfigMap"}


def gated(_seen: Seen[Plain], want: Want[Plain]) -> None:
    want.add("first", MANIFEST)
    want.add("second", MANIFEST, needs="first")


GATES: list[tuple[str, dict[str, Plain], dict[str, bool]]] = [
    ("a gate that does not exist holds", {}, {"first": False}),
    ("a gate that is not ready holds", {"first": child("f", ready=False)}, {"first": False}),
    ("a ready gate opens", {"first": child("f", ready=True)}, {"first": True, "second": False}),
    (
        "what exists stays, whatever becomes of its gate",
        {"first": child("f", ready=False), "second": child("s", ready=True)},
        {"first": False, "second": True},
    ),
]


@pytest.mark.parametrize(("reason", "children", "answered"), GATES, ids=[case[0] for case in GATES])
def test_gates(run: Run, reason: str, children: dict[str, Plain], answered: dict[str, bool]) -> None:
    said = run(gated, children=children)
    assert {key: resource.ready for key, resource in said.resources.items()} == answered, reason


READY: list[tuple[str, Ready, Plain | None, bool]] = [
    ("by its condition: absent", Ready.CONDITION, None, False),
    ("by its condition: False", Ready.CONDITION, child("c", ready=False), False),
    ("by its condition: True", Ready.CONDITION, child("c", ready=True), True),
    ("by existing: absent", Ready.OBSERVED, None, False),
    ("by existing: there", Ready.OBSERVED, child("c"), True),
    ("by other means: yes", Ready.YES, None, True),
    ("by other means: no", Ready.NO, child("c", ready=True), False),
]


@pytest.mark.parametrize(("reason", "rule", "observed", "is_ready"), READY, ids=[case[0] for case in READY])
def test_readiness(run: Run, reason: str, rule: Ready, observed: Plain | None, is_ready: bool) -> None:
    def compose(_seen: Seen[Plain], want: Want[Plain]) -> None:
        want.add("c", MANIFEST, ready=rule)

    said = run(compose, children={"c": observed} if observed else {})
    assert said.resources["c"].ready is is_ready, reason


def test_keeping_the_rest_keeps_children_and_status_and_is_not_ready(run: Run) -> None:
    def compose(_seen: Seen[Plain], want: Want[Plain]) -> None:
        want.add("new", MANIFEST, ready=Ready.YES)
        want.keep_rest()

    children = {"new": child("n"), "a": child("a", ready=True), "b": child("b", ready=False), "usage": child("u")}
    said = run(compose, xr=composite(status={"placed": 2, "conditions": [{"type": "Fits"}]}), children=children)
    kept = {key: (dict(made.manifest), made.ready) for key, made in said.resources.items()}
    as_observed = {k: {**MANIFEST, "metadata": {"name": k[0], "namespace": "team"}} for k in children}
    assert kept == {
        "new": (MANIFEST, True),
        "a": (as_observed["a"], True),
        "b": (as_observed["b"], False),
        "usage": (as_observed["usage"], True),
    }
    assert said.composite == {"status": {"placed": 2}}
    assert said.composite_ready is False


def test_keeping_the_rest_leaves_a_status_that_was_set(run: Run) -> None:
    def compose(_seen: Seen[Plain], want: Want[Plain]) -> None:
        want.set_status({"placed": 3})
        want.keep_rest()

    assert run(compose, xr=composite(status={"placed": 2})).composite == {"status": {"placed": 3}}


def twice_a_key(_seen: Seen[Plain], want: Want[Plain]) -> None:
    want.add("a", MANIFEST)
    want.add("a", MANIFEST)


def twice_a_requirement(_seen: Seen[Plain], want: Want[Plain]) -> None:
    want.require("a", "v1", "ConfigMap")
    want.require("a", "v1", "ConfigMap")


def twice_a_status(_seen: Seen[Plain], want: Want[Plain]) -> None:
    want.set_status({})
    want.set_status({})


def twice_a_condition(_seen: Seen[Plain], want: Want[Plain]) -> None:
    want.condition(FITS("Yes"))
    want.condition(FITS("No"))


def undeclared(_seen: Seen[Plain], want: Want[Plain]) -> None:
    from modelplane.contract.conditions import MODEL_READY  # noqa: PLC0415  # any type that Thing does not declare

    want.condition(MODEL_READY("Serving"))


def unknown_reason(_seen: Seen[Plain], want: Want[Plain]) -> None:
    want.condition(FITS("Maybe"))


@pytest.mark.parametrize(
    ("compose", "says"),
    [
        (twice_a_key, "'a' was stated twice"),
        (twice_a_requirement, "'a' was stated twice"),
        (twice_a_status, "the status was set already"),
        (twice_a_condition, "'Fits' was stated twice"),
        (undeclared, "condition ModelReady is not declared by this function"),
        (unknown_reason, "Fits has no reason 'Maybe'"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_contradictions_are_fatal(run: Run, compose: Any, says: str) -> None:
    assert says in run(compose).fatal


@pytest.mark.parametrize(
    ("reason", "observed", "told"),
    [
        ("the first time", [], [("No", "no room", True)]),
        ("another reason than before", [{"type": "Fits", "reason": "Yes"}], [("No", "no room", True)]),
        ("the same reason is not told again", [{"type": "Fits", "reason": "No"}], []),
    ],
)
def test_events_are_told_on_a_change(run: Run, reason: str, observed: list[Plain], told: list[Any]) -> None:
    def compose(_seen: Seen[Plain], want: Want[Plain]) -> None:
        want.condition(FITS("No", "no room"), event=True)

    said = run(compose, xr=composite(status={"conditions": observed}))
    assert [(c.type, c.status, c.reason, c.message) for c in said.conditions] == [("Fits", "False", "No", "no room")]
    assert [(e.reason, e.message, e.warning) for e in said.events] == told, reason


@pytest.mark.parametrize(
    ("reason", "required", "answer"),
    [
        ("not fetched", {}, Pending()),
        ("fetched, nothing there", {"r": []}, Missing()),
        ("fetched", {"r": [child("x")]}, ["x"]),
    ],
)
def test_three_answers_to_a_requirement(run: Run, reason: str, required: Any, answer: Any) -> None:
    seen_answers: list[Any] = []

    def compose(seen: Seen[Plain], want: Want[Plain]) -> None:
        want.require("r", "v1", "ConfigMap", labels={"a": "b"}, namespace="team")
        found = seen.required("r")
        seen_answers.append([thing.name for thing in found] if isinstance(found, Found) else found)

    said = run(compose, required=required)
    assert seen_answers == [answer], reason
    (requirement,) = said.requirements.values()
    assert (requirement.kind, requirement.labels, requirement.namespace) == ("ConfigMap", {"a": "b"}, "team")


def usage(of: str, by: str) -> Plain:
    def side(key: str) -> Plain:
        selector = {"matchControllerRef": True, "matchLabels": {"modelplane.ai/resource": key}}
        return {"apiVersion": "v1", "kind": "ConfigMap", "resourceSelector": selector}

    return {
        "apiVersion": "protection.crossplane.io/v1beta1",
        "kind": "Usage",
        "metadata": {"namespace": "team"},
        "spec": {"of": side(of), "by": side(by), "replayDeletion": True},
    }


def test_deletion_order_is_one_usage_for_each_pair_that_exists(run: Run) -> None:
    def compose(_seen: Seen[Plain], want: Want[Plain]) -> None:
        want.add("config", MANIFEST, outlives=("one", "two", "absent"))
        want.add("one", MANIFEST)
        want.add("two", MANIFEST)
        want.add("stranger", MANIFEST)

    said = run(compose)
    marked = {k: {**MANIFEST, "metadata": {"labels": {"modelplane.ai/resource": k}}} for k in ("config", "one", "two")}
    assert {key: dict(made.manifest) for key, made in said.resources.items()} == {
        **marked,
        "stranger": MANIFEST,
        "usage-config-by-one": usage("config", "one"),
        "usage-config-by-two": usage("config", "two"),
    }
    assert said.resources["usage-config-by-one"].ready


def test_a_cluster_scoped_composite_gets_cluster_usages(run: Run) -> None:
    def compose(_seen: Seen[Plain], want: Want[Plain]) -> None:
        want.add("config", MANIFEST, outlives="one")
        want.add("one", MANIFEST)

    said = run(compose, xr=composite(metadata={"name": "one"}))
    made = said.resources["usage-config-by-one"].manifest
    assert (made["kind"], "metadata" in made) == ("ClusterUsage", False)
