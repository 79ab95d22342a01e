"""Story S3: a gang of a leader and two workers, whole or not at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from modelplane.embedded.stage import claim_of, pods
from tests.embedded.stories import Story, on

Make = Callable[..., Story]


def environment(pod: Mapping[str, Any]) -> dict[str, str]:
    """A container's variables as the kubelet expands them: a reference sees the variables before it."""
    known: dict[str, str] = {}
    for entry in pod["spec"]["containers"][0]["env"]:
        known[entry["name"]] = re.sub(r"\$\((\w+)\)", lambda m: known.get(m[1], m[0]), entry.get("value", ""))
    return known


def test_a_gang_runs_on_three_nodes_with_ranks_and_a_leader_that_all_find(story: Make) -> None:
    made = story()
    made.play("s3-gang/platform.yaml", "s3-gang/team.yaml")
    assert made.placed("ml-team", "gang") == on("trio")
    cluster = made.cluster_of("trio")
    kinds = [thing["kind"] for thing in cluster.given() if thing["metadata"].get("namespace") == "ml-team"]
    assert kinds.count("LeaderWorkerSet") == 1
    assert "Deployment" not in kinds
    running = pods(cluster)
    assert [environment(pod)["MODELPLANE_RANK"] for pod in running] == ["0", "1", "2"]
    leader = {environment(pod)["MODELPLANE_LEADER_ADDRESS"] for pod in running}
    assert leader == {f"{running[0]['metadata']['name']}.{running[0]['metadata']['name'][:-2]}.ml-team"}
    assert sorted(device for pod in running for device in claim_of(cluster, pod)) == [
        "gpu-0/gpu-0",
        "gpu-1/gpu-0",
        "gpu-2/gpu-0",
    ]
    (replica,) = made.loop.every("ModelReplica")
    serving = [pod["metadata"]["labels"].get("modelplane.ai/serving") for pod in running]
    assert serving == [replica["metadata"]["name"], None, None], "requests go to the leader alone"


def test_a_pool_of_two_nodes_places_nothing_and_says_how_many_it_needs(story: Make) -> None:
    made = story()
    made.play("s3-gang/platform-too-small.yaml", "s3-gang/team.yaml")
    assert made.placed("ml-team", "gang") == []
    assert pods(made.cluster_of("duo")) == []
    status, reason, message = made.scheduled("gang")
    assert (status, reason) == ("False", "InsufficientCapacity")
    assert "needs 3 nodes, 2 " in message
    assert "2" in message.split("needs 3 nodes, ")[1]


def test_a_gang_that_loses_a_node_is_not_split_and_its_endpoint_goes(story: Make) -> None:
    made = story()
    made.play("s3-gang/platform.yaml", "s3-gang/team.yaml")
    made.faulty = True
    made.leaving.add(("ml-team", "gang"))
    cluster = made.cluster_of("trio")
    cluster.lose("gpu-1")
    made.loop.settle()
    (placed,) = made.placed("ml-team", "gang")
    assert (placed.cluster, placed.ready, placed.routed) == ("trio", False, False), "it stays pinned, unrouted"
    cluster.add(cluster.pods.nodes["gpu-1"])
    made.loop.settle()
    assert made.placed("ml-team", "gang") == on("trio")
