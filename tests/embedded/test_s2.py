"""Story S2: the contract is the vocabulary. Each deployment's name in the example says where it may land."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest

from modelplane.embedded.stage import read
from tests.embedded.stories import Story
from tests.embedded.world import EXAMPLES

FOLDER = "s2-selectors"


@pytest.fixture(scope="module")
def settled() -> Story:
    from modelplane.embedded.loop import Loop  # noqa: PLC0415  # one settled fleet for every question of this story

    made = Story(Loop(twice=False))
    made.loop.watchers.append(made.watch)
    made.play(f"{FOLDER}/platform.yaml", f"{FOLDER}/team.yaml", f"{FOLDER}/refused.yaml")
    return made


LANDS = [
    ("by memory, which both have; the pool of more free nodes wins", "any-by-memory", ["hopper"]),
    ("by memory", "hopper-by-memory", ["hopper"]),
    ("by version", "hopper-by-version", ["hopper"]),
    ("by version, the other way", "ada-by-version", ["ada"]),
    ("by boolean", "hopper-by-boolean", ["hopper"]),
    ("by string", "ada-by-string", ["ada"]),
    ("by a guarded optional attribute", "hopper-by-optional", ["hopper"]),
    ("by three selectors at once", "hopper-by-three", ["hopper"]),
    ("by two devices at once, one of them Synthetic", "hopper-by-two-devices", ["hopper"]),
]


@pytest.mark.parametrize(("reason", "deployment", "clusters"), LANDS, ids=[case[1] for case in LANDS])
def test_each_lands_where_kubernetes_cel_says_it_may(
    settled: Story, reason: str, deployment: str, clusters: list[str]
) -> None:
    placed = settled.placed("ml-team", deployment)
    assert [(p.cluster, p.ready, p.routed) for p in placed] == [(cluster, True, True) for cluster in clusters], reason


def test_a_request_that_only_a_synthetic_device_meets_is_refused(settled: Story) -> None:
    status, reason, message = settled.scheduled("synthetic-only")
    assert (status, reason) == ("False", "NoMatchingDevices")
    assert "pool h200: engine main matches only Synthetic devices" in message


def test_a_selector_that_does_not_compile_is_named_with_field_line_and_column(settled: Story) -> None:
    status, reason, message = settled.scheduled("does-not-compile")
    assert (status, reason) == ("False", "InvalidNodeSelector")
    field = "spec.template.spec.engines[0].members[0].nodeSelector.devices[0].selectors[0].cel"
    assert message.startswith(f"{field}: line 2, column 59: ")


def test_one_that_nothing_matches_says_for_each_pool_what_was_found_and_wanted(settled: Story) -> None:
    deployment = settled.loop.get(settled.loop.key("ModelDeployment", "matches-nothing", "ml-team"))
    refusals = {r["cluster"]: (r["pool"], r["helpsIfFreed"], r["message"]) for r in deployment["status"]["refusals"]}
    clause = 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("200Gi")) >= 0'
    assert {name: (pool, helps) for name, (pool, helps, _) in refusals.items()} == {
        "ada": ("l4", False),
        "hopper": ("h200", False),
    }
    for cluster, found in (("ada", "24Gi"), ("hopper", "141Gi")):
        assert clause in refusals[cluster][2]
        assert f"memory = {found}" in refusals[cluster][2]


def test_breaking_a_selector_touches_nothing_that_runs_and_mending_it_neither(
    story: Callable[..., Story],
) -> None:
    made = story()
    manifests = made.play(f"{FOLDER}/platform.yaml", f"{FOLDER}/team.yaml")
    before = made.uids()
    whole = next(m for m in manifests if m["metadata"]["name"] == "hopper-by-memory")
    broken = copy.deepcopy(whole)
    engine = broken["spec"]["template"]["spec"]["engines"][0]
    engine["members"][0]["nodeSelector"]["devices"][0]["selectors"][0]["cel"] = "device.capacity["
    made.loop.apply(broken)
    made.settle()
    assert made.scheduled("hopper-by-memory")[1] == "InvalidNodeSelector"
    assert made.uids() == before
    made.loop.apply(whole)
    made.settle()
    assert made.scheduled("hopper-by-memory")[1] == "ReplicasCreated"
    assert made.uids() == before


def test_the_examples_are_all_played() -> None:
    named = {m["metadata"]["name"] for m in read(EXAMPLES / FOLDER / "team.yaml") if m["kind"] == "ModelDeployment"}
    assert named == {deployment for _, deployment, _ in LANDS}
