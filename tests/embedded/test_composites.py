"""The loop reconciles composites as Crossplane 2.3 does: the rules that keeping the last good state rests on."""

from __future__ import annotations

import itertools
import logging
from typing import Any

import pytest

from modelplane.embedded.composites import child_name, composed_manager
from modelplane.embedded.loop import NotSettled
from modelplane.embedded.things import Key, Plain
from modelplane.kit.owned import MANAGER
from modelplane.kit.seen import Found, Pending, Seen
from modelplane.kit.want import Ready, Want
from tests.embedded.world import FITS, GROUP, OTHER, conditions, configmap, key, loop, names, thing

SYNCED = ("True", "ReconcileSuccess", "")


def one_child(seen: Seen[Plain], want: Want[Plain]) -> None:
    want.add("child", {**configmap(), "data": seen.xr["spec"].get("data", {})}, ready=Ready.OBSERVED)


def test_a_composed_resource_gets_crossplanes_metadata() -> None:
    made = loop(one_child)
    made.apply(thing(data={"a": "1"}))
    made.settle()
    xr = made.get(key())
    (child,) = made.control.list("", "ConfigMap")
    name = child_name("one-", xr["metadata"]["uid"], "child")
    metadata = {k: v for k, v in child["metadata"].items() if k not in {"managedFields", "uid", "resourceVersion"}}
    assert metadata == {
        "name": name,
        "generateName": "one-",
        "namespace": "default",
        "labels": {"crossplane.io/composite": "one"},
        "annotations": {"crossplane.io/composition-resource-name": "child"},
        "creationTimestamp": "2026-01-01T00:00:01Z",
        "generation": 1,
        "ownerReferences": [
            {
                "apiVersion": f"{GROUP}/v1",
                "kind": "Thing",
                "name": "one",
                "uid": xr["metadata"]["uid"],
                "controller": True,
                "blockOwnerDeletion": True,
            }
        ],
    }
    assert [record["manager"] for record in child["metadata"]["managedFields"]] == [composed_manager(xr)]
    assert composed_manager(xr).startswith(f"{MANAGER}/")
    assert xr["spec"]["crossplane"] == {
        "compositionRef": {"name": f"things.{GROUP}"},
        "resourceRefs": [{"apiVersion": "v1", "kind": "ConfigMap", "name": name}],
    }
    assert xr["metadata"]["finalizers"] == ["composite.apiextensions.crossplane.io"]
    assert conditions(xr) == {"Synced": SYNCED, "Ready": ("True", "Available", "")}


@pytest.mark.parametrize(
    ("reason", "prefix", "name"),
    [
        ("the hash covers the composite's uid and the key", "one-", "one-" + 12 * "x"),
        ("a long prefix is cut to 63 with one dash", "p" * 60 + "-", "p" * 50 + "-" + 12 * "x"),
        ("a cut that ends on a dash needs no other", "p" * 50 + "-" + "q" * 20, "p" * 50 + "-" + 12 * "x"),
    ],
)
def test_generated_names(reason: str, prefix: str, name: str) -> None:
    made = child_name(prefix, "uid", "key")
    assert made[:-12] == name[:-12], reason
    assert len(made) <= 63
    assert made != child_name(prefix, "uid", "other")


def test_an_edit_reaches_the_child_and_what_is_left_out_is_removed() -> None:
    made = loop(one_child)
    made.apply(thing(data={"a": "1", "b": "2"}))
    made.settle()
    made.apply(thing(data={"a": "3"}))
    made.settle()
    (child,) = made.control.list("", "ConfigMap")
    assert child["data"] == {"a": "3"}


def test_a_child_that_is_left_out_is_deleted_and_one_that_is_kept_is_untouched() -> None:
    def compose(seen: Seen[Plain], want: Want[Plain]) -> None:
        for name in seen.xr["spec"]["names"]:
            want.add(name, configmap(name), ready=Ready.YES)
        if seen.xr["spec"].get("hold"):
            want.keep_rest()

    made = loop(compose)
    made.apply(thing(names=["a", "b"]))
    made.settle()
    before = made.control.list("", "ConfigMap")
    made.apply(thing(names=[], hold=True))
    made.settle()
    assert made.control.list("", "ConfigMap") == before
    assert conditions(made.get(key()))["Ready"] == ("False", "Creating", "")
    made.apply(thing(names=["b"]))
    made.settle()
    assert names(made, "ConfigMap") == ["b"]


def test_readiness_is_derived_from_the_children_unless_stated() -> None:
    def compose(seen: Seen[Plain], want: Want[Plain]) -> None:
        for name in "dcba":
            want.add(name, configmap(name), ready=Ready.NO)
        want.composite_ready = seen.xr["spec"].get("says")

    made = loop(compose)
    for says, ready in (
        (None, ("False", "Creating", "Unready resources: a, b, c, and 1 more")),
        (True, ("True", "Available", "")),
        (False, ("False", "Creating", "")),
    ):
        made.apply(thing(**({} if says is None else {"says": says})))
        made.settle()
        assert conditions(made.get(key()))["Ready"] == ready


def test_a_fatal_result_changes_nothing_and_marks_the_other_conditions_unknown(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def compose(seen: Seen[Plain], want: Want[Plain]) -> None:
        if seen.xr["spec"].get("broken"):
            msg = "no such thing"
            raise ValueError(msg)
        want.add("child", configmap("child"), ready=Ready.OBSERVED)
        want.condition(FITS("Yes"))
        want.condition(OTHER("Yes"))
        want.set_status({"placed": 1})

    caplog.set_level(logging.CRITICAL)
    made = loop(compose)
    made.apply(thing())
    made.settle()
    child = made.control.list("", "ConfigMap")
    made.apply(thing(broken=True))
    made.settle()
    xr = made.get(key())
    message = "A fatal error occurred before the status of this condition could be determined."
    unknown = ("Unknown", "FatalError", message)
    fatal = (
        'cannot compose resources: pipeline step "compose-thing" returned a fatal result: '
        "composing the Thing failed; nothing was changed: ValueError: no such thing"
    )
    assert made.control.list("", "ConfigMap") == child
    assert xr["status"]["placed"] == 1
    assert conditions(xr) == {
        "Fits": unknown,
        "Other": unknown,
        "Synced": ("False", "ReconcileError", fatal),
        "Ready": ("True", "Available", ""),
    }
    assert [(told.message, told.warning) for told in made.events.about(key())] == [(fatal, True)]
    made.apply(thing())
    made.settle()
    assert conditions(made.get(key()))["Fits"] == ("True", "Yes", "")


def test_the_status_is_written_whole() -> None:
    def compose(seen: Seen[Plain], want: Want[Plain]) -> None:
        want.set_status({seen.xr["spec"]["field"]: 1})

    made = loop(compose)
    for field in ("first", "second"):
        made.apply(thing(field=field))
        made.settle()
        assert {k for k in made.get(key())["status"] if k != "conditions"} == {field}


def test_conditions_keep_their_time_until_they_say_something_else() -> None:
    def compose(seen: Seen[Plain], want: Want[Plain]) -> None:
        want.condition(FITS(seen.xr["spec"]["fits"], seen.xr["spec"].get("why", "")))

    def times() -> dict[str, str]:
        return {c["type"]: c["lastTransitionTime"] for c in made.get(key())["status"]["conditions"]}

    made = loop(compose)
    made.apply(thing(fits="Yes"))
    made.settle()
    first = times()
    made.clock.advance(100)
    made.apply(thing(fits="Yes", unrelated=1))
    made.settle()
    assert times()["Fits"] == first["Fits"]
    assert times()["Synced"] != first["Synced"], "it names the generation that was acted on"
    made.apply(thing(fits="No"))
    made.settle()
    assert times()["Fits"] != first["Fits"]
    observed = {c["type"]: c.get("observedGeneration") for c in made.get(key())["status"]["conditions"]}
    assert observed["Fits"] is None, "Crossplane gives functions' conditions no generation"
    assert observed["Ready"] == made.get(key())["metadata"]["generation"]


def test_requirements_are_fetched_by_name_by_label_and_all() -> None:
    seen_names: dict[str, Any] = {}

    def compose(seen: Seen[Plain], want: Want[Plain]) -> None:
        want.require("named", "v1", "ConfigMap", named="b", namespace="default")
        want.require("absent", "v1", "ConfigMap", named="zzz", namespace="default")
        want.require("labelled", "v1", "ConfigMap", labels={"l": "1"})
        want.require("all", "v1", "ConfigMap")
        for name in ("named", "absent", "labelled", "all"):
            answer = seen.required(name)
            seen_names[name] = [t.name for t in answer] if isinstance(answer, Found) else type(answer).__name__

    made = loop(compose)
    for name, labels in (("a", {"l": "1"}), ("b", {}), ("c", {"l": "1"})):
        made.apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "labels": labels}})
    made.apply(thing())
    made.settle()
    assert seen_names == {"named": ["b"], "absent": "Missing", "labelled": ["a", "c"], "all": ["a", "b", "c"]}


def test_requirements_that_never_settle_fail_the_reconcile() -> None:
    def compose(seen: Seen[Plain], want: Want[Plain]) -> None:
        count = sum(not isinstance(seen.required(f"r{n}"), Pending) for n in range(20))
        for n in range(count + 1):
            want.require(f"r{n}", "v1", "ConfigMap")
        want.add("child", configmap("child"))

    made = loop(compose, twice=False)
    made.apply(thing())
    made.settle()
    status, _, message = conditions(made.get(key()))["Synced"]
    assert (status, "requirements didn't stabilize after the maximum number of iterations (5)" in message) == (
        "False",
        True,
    )
    assert made.pipeline.calls % 6 == 0
    assert names(made, "ConfigMap") == []


def test_a_change_of_what_is_required_is_seen_when_time_passes() -> None:
    def compose(seen: Seen[Plain], want: Want[Plain]) -> None:
        want.require("all", "v1", "ConfigMap")
        answer = seen.required("all")
        want.set_status({"count": len(answer.things) if isinstance(answer, Found) else 0})

    made = loop(compose)
    made.apply(thing())
    made.settle()
    before = made.clock.seconds
    made.apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "new"}})
    made.settle()
    assert made.get(key())["status"]["count"] == 1
    assert made.clock.seconds - before >= 60


@pytest.mark.parametrize(("lag", "counts"), [(True, [0, 0]), (False, [0, 1])])
def test_composites_of_one_round_see_the_fleet_as_it_was_when_it_began(lag: bool, counts: list[int]) -> None:
    seen_counts: list[int] = []

    def compose(seen: Seen[Plain], want: Want[Plain]) -> None:
        want.require("others", f"{GROUP}/v1", "Child")
        want.add("child", {"apiVersion": f"{GROUP}/v1", "kind": "Child"}, ready=Ready.YES)
        answer = seen.required("others")
        if not isinstance(answer, Pending):
            seen_counts.append(len(answer.things) if isinstance(answer, Found) else 0)

    made = loop({"Thing": compose, "Child": lambda _seen, _want: None}, lag=lag, twice=False)
    made.apply(thing("a"), thing("b"))
    made.round()
    assert seen_counts == counts


def test_a_refused_child_leaves_the_others_applied_and_the_composite_unsynced() -> None:
    def compose(_seen: Seen[Plain], want: Want[Plain]) -> None:
        owner = {"uid": "somebody", "controller": True}
        want.add("bad", {**configmap(), "metadata": {"name": "bad", "ownerReferences": [owner]}}, ready=Ready.YES)
        want.add("good", configmap("good"), ready=Ready.YES)

    made = loop(compose)
    made.apply(thing())
    made.settle()
    assert names(made, "ConfigMap") == ["good"]
    assert conditions(made.get(key())) == {
        "Synced": ("False", "ReconcileError", "Unsynced resources: bad"),
        "Ready": ("True", "Available", ""),
    }


def test_a_namespaced_composite_may_not_compose_without_a_namespace() -> None:
    def compose(_seen: Seen[Plain], want: Want[Plain]) -> None:
        want.add("node", {"apiVersion": "v1", "kind": "Node"})

    made = loop(compose)
    made.apply(thing())
    made.settle()
    assert "Node is cluster scoped, the composite is namespaced" in conditions(made.get(key()))["Synced"][2]


def test_a_composite_is_deleted_with_its_children_first() -> None:
    def parent(_seen: Seen[Plain], want: Want[Plain]) -> None:
        want.add("child", {"apiVersion": f"{GROUP}/v1", "kind": "Child"}, ready=Ready.YES)

    order: list[str] = []

    def watch(made: Any) -> None:
        order.append("".join(sorted(k.kind[0] for k, _ in made.control.everything() if k.group in {GROUP, ""})))

    made = loop({"Thing": parent, "Child": lambda _seen, want: want.add("leaf", configmap("leaf"), ready=Ready.YES)})
    made.apply(thing())
    made.settle()
    made.watchers.append(watch)
    made.delete(key())
    made.settle()
    assert made.control.find(key()) is None
    distinct = list(dict.fromkeys(state.replace("N", "") for state in order))
    assert distinct[-1] == ""
    assert all(len(later) <= len(earlier) for earlier, later in itertools.pairwise(distinct))
    assert "T" in order[0]


def test_a_stranger_that_took_a_childs_name_is_not_taken_for_the_child() -> None:
    made = loop(one_child)
    made.apply(thing())
    made.settle()
    (child,) = made.control.list("", "ConfigMap")
    where = Key("", "ConfigMap", "default", child["metadata"]["name"])
    made.apply(configmap("somebody-else"))
    stranger = made.get(Key("", "ConfigMap", "default", "somebody-else"))["metadata"]["uid"]
    made.edit(where, lambda found: found["metadata"]["ownerReferences"][0].update(uid=stranger))
    made.settle()
    assert conditions(made.get(key()))["Synced"] == ("False", "ReconcileError", "Unsynced resources: child")


def test_a_function_that_is_no_fixpoint_is_found_out() -> None:
    def compose(seen: Seen[Plain], want: Want[Plain]) -> None:
        want.set_status({"count": seen.composite.status.integer("count") + 1})

    made = loop(compose)
    made.apply(thing())
    with pytest.raises(NotSettled, match="no fixpoint after 20 rounds; still changing: Thing default/one"):
        made.settle(20)


def test_a_function_that_answers_differently_is_found_out() -> None:
    calls: list[int] = []

    def compose(_seen: Seen[Plain], want: Want[Plain]) -> None:
        calls.append(0)
        want.set_status({"count": len(calls)})

    made = loop(compose)
    made.apply(thing())
    with pytest.raises(AssertionError, match="Thing: the same request gave two different answers"):
        made.settle()


def test_a_kind_without_a_function_says_so() -> None:
    made = loop(one_child)
    made.functions.clear()
    made.apply(thing())
    made.settle()
    assert "there is no function 'thing'" in conditions(made.get(key()))["Synced"][2]


def test_the_same_story_twice_is_the_same_to_the_byte_and_the_order_within_a_round_does_not_matter() -> None:
    def state(seed: int | None) -> str:
        made = loop(one_child, seed=seed)
        for name in "edcba":
            made.apply(thing(name, data={"n": name}))
        made.settle()
        everything = [
            (str(where), {**found, "metadata": {k: v for k, v in found["metadata"].items() if k != "resourceVersion"}})
            for where, found in made.control.everything()
        ]
        return repr(everything)

    assert state(None) == state(None) == state(1) == state(2)
