"""S4: the fleet is full, and changes; by seeded faults too.

`./task e2e` takes three schedules of faults; `./task e2e:faults` all thirty, and prints a table of them.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from e2e.lab import faults
from e2e.lab.lab import Lab
from e2e.lab.objects import condition, read_manifests
from e2e.lab.watch import Watch
from e2e.stories.full_fleet import DEPLOYMENTS, NODES, ROOMS, await_ready, connect, placements, settle
from e2e.stories.promises import Promises
from e2e.stories.remote import leftovers
from e2e.stories.story import EXAMPLES, Story, named, told

FIRST = ("north", "south", "west")
SEEDS = range(int(os.environ.get("LAB_SCHEDULES", "3")))


@dataclass(frozen=True, slots=True)
class Fleet:
    """The story, and who watches what it promises."""

    story: Story
    promises: Promises


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    """Three clusters that are ready; the tests follow one another on them."""
    folder: Path = tmp_path_factory.mktemp("full") / "lab"
    with Lab(folder) as lab, told("S4", lab) as story:
        if not lab.real:
            pytest.skip("the LeaderWorkerSet controller needs addresses of its own, which takes root on Linux")
        connect(story, *FIRST)
        story.apply_file("s4-full-fleet/platform.yaml")
        await_ready(story, *FIRST)
        promises = Promises(ROOMS)
        watch: Watch = promises.follow(story.api)
        try:
            yield Fleet(story, promises)
        finally:
            watch.stop()


def counts(found: dict[str, dict[str, str]]) -> dict[str, int]:
    """How many replicas each deployment has."""
    return {name: len(placed) for name, placed in found.items()}


def check(fleet: Fleet) -> None:
    """Nothing was ever served twice from one room, nothing is promised twice in the end, and no server was lost."""
    assert fleet.promises.broken == []
    assert fleet.promises.over() == []
    assert fleet.promises.lost == []


def test_full_and_changing(fleet: Fleet) -> None:
    """All at once; a cluster joins; a cluster is deleted while it serves; a class goes and comes back."""
    story, promises = fleet.story, fleet.promises
    story.apply_file("s4-full-fleet/team.yaml")
    story.timeline.mark("applied six deployments at once")
    first = settle(story, "the fleet is full and calm", 300)
    check(fleet)
    story.timeline.mark(f"placed {counts(first)}; the longest double promise was {promises.longest_s:.1f} s")

    connect(story, "east")
    story.apply_file("s4-full-fleet/joins.yaml")
    await_ready(story, "east")
    second = settle(story, "a cluster joined", 300)
    check(fleet)
    for name, placed in first.items():
        assert placed.items() <= second[name].items(), f"{name} moved"

    promises.allowed.add("west")
    story.api.delete(named("InferenceCluster", "west"))
    story.until("the deleted cluster is gone", lambda: story.get("InferenceCluster", "west") is None, 240)
    third = settle(story, "its replicas are placed again, as far as there is room", 300)
    check(fleet)
    for name, placed in second.items():
        stay = {uid: cluster for uid, cluster in placed.items() if cluster != "west"}
        assert stay.items() <= third[name].items(), f"{name} noticed"

    (l4,) = [
        each
        for each in read_manifests(EXAMPLES / "s4-full-fleet" / "platform.yaml")
        if each["kind"] == "InferenceClass" and each["metadata"]["name"] == "l4"
    ]
    story.api.delete(l4)
    story.until("the class is missed", lambda: missed(story, "north"), 150)
    assert placements(story) == third
    story.apply(l4)
    story.until("the class is back", lambda: not missed(story, "north"), 150)
    assert settle(story, "as before", 200) == third
    check(fleet)


def missed(story: Story, cluster: str) -> bool:
    """Whether the cluster says that a class of its is not there."""
    return condition(story.get("InferenceCluster", cluster), "ClusterReady")[1] == "WaitingForClasses"


_ENDED: dict[int, tuple[list[faults.Fault], dict[str, int], float]] = {}


@pytest.mark.parametrize("seed", SEEDS)
def test_faults(fleet: Fleet, seed: int) -> None:
    """Deployed while parts fail, it ends as it does without a fault."""
    story, promises = fleet.story, fleet.promises
    clear(fleet)
    chosen = faults.schedule(seed, tuple(story.lab.clusters))
    for each in read_manifests(EXAMPLES / "s4-full-fleet" / "team.yaml"):
        story.api.apply(each)
    story.timeline.mark(f"schedule {seed} begins")
    faults.run(story.lab, chosen, story.timeline.mark)
    ended = settle(story, f"schedule {seed} is over and the fleet calm", 400)
    check(fleet)
    _ENDED[seed] = (chosen, counts(ended), promises.longest_s)
    print(f"\nschedule {seed}: {'; '.join(map(str, chosen))} -> {counts(ended)}", flush=True)
    taken = Counter(cluster for placed in ended.values() for cluster in placed.values())
    assert taken.keys() <= NODES.keys()
    assert counts(ended) == next(iter(_ENDED.values()))[1]


def clear(fleet: Fleet) -> None:
    """Deletes all deployments and waits until the clusters are as before."""
    story = fleet.story
    fleet.promises.allowed |= {"ml-team", "search"}
    for namespace, name in DEPLOYMENTS:
        story.api.delete(named("ModelDeployment", name, namespace))
    story.until("all replicas are gone", lambda: not story.replicas(), 200)
    story.until("all pods are gone", lambda: not any(map(leftovers, story.lab.clusters.values())), 100)
    fleet.promises.allowed -= {"ml-team", "search"}
    fleet.promises.longest_s = 0.0
