"""Story S4: the fleet is full, and changes. Six deployments of unlike shapes want more than three clusters have."""

from __future__ import annotations

import copy
import functools
import logging
from collections.abc import Callable
from typing import Any

import pytest

from modelplane.embedded.loop import Loop
from modelplane.embedded.promises import serving
from modelplane.embedded.refusals import InUse
from modelplane.embedded.stage import pods, read
from modelplane.embedded.things import Plain
from modelplane.kit import registry
from modelplane.kit.function import Function
from tests.embedded.stories import Story, Where
from tests.embedded.world import EXAMPLES

Make = Callable[..., Story]
FOLDER = "s4-full-fleet"
ALL = {("ml-team", "gang"), ("ml-team", "whole"), ("ml-team", "pair")} | {
    ("search", "single"),
    ("search", "copies"),
    ("search", "greedy"),
}


@functools.cache
def _at(rounds: int) -> Story:
    """The fleet so many rounds after everything was applied; with a negative number, settled."""
    made = Story(Loop(twice=False))
    made.loop.watchers.append(made.watch)
    manifests = [m for file in ("platform.yaml", "team.yaml") for m in read(EXAMPLES / FOLDER / file)]
    made.bring_up(manifests)
    made.loop.apply(*manifests)
    for _ in range(max(0, rounds)):
        made.loop.round()
    if rounds < 0:
        made.settle()
    return made


def full(rounds: int = -1) -> Story:
    """A fork of the fleet, settled or in the middle of it."""
    return copy.deepcopy(_at(rounds))


def sorted_state() -> Where:
    """Where everything is when nothing is shuffled and nothing fails."""
    return _at(-1).where()


def apart(made: Story) -> Where:
    """Where everything is on a fleet of its own."""
    made.play(f"{FOLDER}/platform.yaml", f"{FOLDER}/team.yaml")
    return made.where()


def test_more_is_wanted_than_fits_and_each_shortage_has_its_reasons() -> None:
    made = full()
    where = made.where()
    short = []
    for thing in made.loop.every("ModelDeployment"):
        name, namespace = thing["metadata"]["name"], thing["metadata"]["namespace"]
        wanted, placed = thing["spec"]["replicas"], len(where[name])
        status, _, message = made.scheduled(name, namespace)
        assert (status == "True") is (placed == wanted)
        assert message.startswith(f"{placed} of {wanted}")
        if placed < wanted:
            short.append(name)
            assert {r["cluster"] for r in thing["status"]["refusals"]} == {"north", "south", "west"}
            assert thing["status"]["replicas"]["unplaced"] == wanted - placed
    assert short, "the fleet is full"
    assert all(p.ready and p.routed for ns, name in ALL for p in made.placed(ns, name))


@pytest.mark.parametrize("seed", [1, 2])
def test_applied_at_the_same_moment_in_any_order_the_fleet_ends_the_same(story: Make, seed: int) -> None:
    """Deployments that do not see each other take the same nodes; later ones yield, and no serving one ever does."""
    assert apart(story(seed=seed, twice=False)) == sorted_state()


@pytest.mark.parametrize("seed", [None, 1])
def test_who_sees_the_fleet_as_it_is_promises_nothing_twice_at_any_step(story: Make, seed: int | None) -> None:
    apart(story(lag=False, seed=seed, twice=False))


@pytest.mark.parametrize("spread", [True, False])
def test_however_a_cluster_packs_every_promise_is_kept(story: Make, spread: bool) -> None:
    made = story(twice=False)
    manifests = [m for file in ("platform.yaml", "team.yaml") for m in read(EXAMPLES / FOLDER / file)]
    made.bring_up(manifests, spread=spread)
    made.loop.apply(*manifests)
    made.settle()
    assert made.where() == sorted_state()


def test_a_cluster_joins_and_only_what_was_short_is_placed_on_it() -> None:
    made = full()
    before, uids = made.where(), made.uids()
    made.play(f"{FOLDER}/joins.yaml")
    after = made.where()
    for name, places in before.items():
        assert set(places) <= set(after[name])
        assert {cluster for cluster, _ in set(after[name]) - set(places)} <= {"east"}
    assert uids < made.uids()


def test_a_drained_cluster_is_deleted_and_the_others_do_not_notice() -> None:
    made = full()
    made.play(f"{FOLDER}/joins.yaml")
    loop = made.loop
    elsewhere = {r["metadata"]["uid"] for r in loop.every("ModelReplica") if r["spec"]["clusterName"] != "north"}
    moving = {
        (r["metadata"]["namespace"], r["metadata"]["labels"]["modelplane.ai/deployment"])
        for r in loop.every("ModelReplica")
        if r["spec"]["clusterName"] == "north"
    }
    made.leaving |= moving
    with pytest.raises(InUse):
        loop.delete(loop.key("InferenceCluster", "north"))
    made.taint("north", "leaving", "NoExecute")
    made.settle()
    assert loop.control.find(loop.key("InferenceCluster", "north")) is None, (
        "the deletion was repeated when it was free"
    )
    assert elsewhere <= made.uids()
    assert all(cluster != "north" for places in made.where().values() for cluster, _ in places)
    assert made.cluster_of("west").store.list("", "Pod")
    assert pods(loop.clusters["north"]) == []


def test_a_cluster_that_vanishes_while_it_serves_is_replaced_where_there_is_room() -> None:
    """Without the guard (its webhook was down): the object is gone, so its replicas are, and others are placed."""
    made = full()
    made.play(f"{FOLDER}/joins.yaml")
    loop = made.loop
    lost = {r["metadata"]["uid"] for r in loop.every("ModelReplica") if r["spec"]["clusterName"] == "west"}
    kept = made.uids() - lost
    made.leaving |= ALL
    made.faulty = True
    guard, loop.control.guard = loop.control.guard, None
    loop.delete(loop.key("InferenceCluster", "west"))
    loop.settle()
    loop.control.guard = guard
    assert kept <= made.uids()
    assert not lost & made.uids()
    assert all(cluster != "west" for places in made.where().values() for cluster, _ in places)


def edited(made: Story, change: Callable[[Plain], Any]) -> None:
    made.loop.edit(made.loop.key("InferenceClass", "h200"), change)
    made.settle()


def test_a_class_is_edited_deleted_and_restored_and_nothing_that_serves_goes() -> None:
    made = full()
    before, uids = made.where(), made.uids()
    loop = made.loop
    (original,) = [m for m in read(EXAMPLES / FOLDER / "platform.yaml") if m["metadata"]["name"] == "h200"]
    edited(made, lambda icl: icl["spec"]["devices"][0]["attributes"].update(generation={"int": 2}))
    assert made.uids() == uids
    loop.delete(loop.key("InferenceClass", "h200"))
    made.settle()
    assert made.condition("InferenceCluster", "south", "", "ClusterReady")[1] == "WaitingForClasses"
    assert made.uids() == uids
    loop.apply(original)
    made.settle()
    assert made.condition("InferenceCluster", "south", "", "ClusterReady")[0] == "True"
    assert (made.where(), made.uids()) == (before, uids)


def test_a_cluster_flaps_and_everything_stays_where_it_was() -> None:
    made = full()
    before, uids = made.where(), made.uids()
    south = made.cluster_of("south")
    for _ in range(3):
        south.balanced = False
        made.loop.settle()
        assert made.condition("InferenceCluster", "south", "", "Ready")[0] == "False"
        assert made.uids() == uids
        south.balanced = True
        made.loop.settle()
        assert made.condition("InferenceCluster", "south", "", "Ready")[0] == "True"
    assert (made.where(), made.uids()) == (before, uids)


def test_a_cluster_that_nobody_reaches_keeps_its_replicas() -> None:
    made = full()
    before, uids = made.where(), made.uids()
    south = made.cluster_of("south")
    south.reachable = False
    made.scale("search", "single", 4)
    made.leaving.add(("search", "single"))
    made.loop.settle()
    south.reachable = True
    made.settle()
    made.scale("search", "single", len(before["single"]))
    made.settle()
    untouched = {n: p for n, p in before.items() if n in {"gang", "whole", "copies"}}
    assert {n: p for n, p in made.where().items() if n in untouched} == untouched
    assert len(uids - made.uids()) <= 2


def test_a_fork_leaves_the_original_as_it_is() -> None:
    version, where = _at(-1).loop.control.version, _at(-1).where()
    made = full()
    made.leaving |= ALL
    for namespace, name in ALL:
        made.scale(namespace, name, 0)
    made.settle()
    assert made.uids() == set()
    assert (_at(-1).loop.control.version, _at(-1).where()) == (version, where)


def broken(function: Function[Any]) -> Function[Any]:
    """A function that fails on every call."""

    def compose(_seen: Any, _want: Any) -> None:
        msg = "killed"
        raise RuntimeError(msg)

    return Function(function.kind, function.parse, compose, function.conditions)


KINDS = ["ModelDeployment", "ModelReplica", "ModelEndpoint", "InferenceCluster", "ServingStack", "InferenceClass"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("at", [4, 18])
def test_a_function_that_fails_in_the_middle_changes_nothing_in_the_end(
    caplog: pytest.LogCaptureFixture, kind: str, at: int
) -> None:
    caplog.set_level(logging.CRITICAL)
    made = full(at)
    whole = registry.load_all()[kind]
    made.loop.functions[kind] = broken(whole)
    for _ in range(6):
        made.loop.round()
    made.loop.functions[kind] = whole
    made.settle()
    assert made.where() == sorted_state()


@pytest.mark.parametrize("stopped", ["Object", "Release", "Usage", "everything"])
def test_what_is_killed_in_the_middle_goes_on_where_it_was(stopped: str) -> None:
    made = full(0)
    for count in range(40):
        made.loop.round()
        if stopped == "everything" and count % 7 == 0:
            made.loop.restart()
        elif count % 10 == 2:
            made.loop.stopped = {stopped}
        elif count % 10 == 8:
            made.loop.stopped = set()
    made.loop.stopped = set()
    made.settle()
    assert made.where() == sorted_state()


def test_a_serving_fleet_survives_a_restart_of_everything_without_a_write() -> None:
    made = full()
    version, names = made.loop.control.version, serving(made.loop).keys()
    made.loop.restart()
    made.settle()
    assert (made.loop.control.version, serving(made.loop).keys()) == (version, names)


def test_an_edit_of_a_template_reaches_every_replica_without_moving_it() -> None:
    made = full()
    made.faulty = True
    before, uids = made.where(), made.uids()
    (original,) = [m for m in read(EXAMPLES / FOLDER / "team.yaml") if m["metadata"]["name"] == "single"]
    changed = copy.deepcopy(original)
    member = changed["spec"]["template"]["spec"]["engines"][0]["members"][0]
    member["template"]["spec"]["containers"][0]["image"] = "docker.io/library/python:3.14-alpine"
    made.loop.apply(changed)
    made.settle()
    assert (made.where(), made.uids()) == (before, uids)
    images = {
        pod["spec"]["containers"][0]["image"]
        for pod in pods(made.cluster_of("south"))
        if pod["metadata"]["namespace"] == "search" and pod["metadata"]["name"].startswith("single-")
    }
    assert images == {"docker.io/library/python:3.14-alpine"}
    assert all(placed.ready and placed.routed for placed in made.placed("search", "single"))
