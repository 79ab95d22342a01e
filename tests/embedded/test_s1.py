"""Story S1: two regions, one model, no GPU, without the traffic."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from modelplane.embedded.refusals import InUse
from modelplane.embedded.stage import claim_of, pods, remote
from tests.embedded.stories import Story, on

EU, US, TEAM, MODEL = "gpu-eu-west", "gpu-us-east", "ml-team", "mock-demo"
Make = Callable[..., Story]


@pytest.fixture
def settled(story: Make) -> Story:
    made = story()
    made.play("s1-two-regions")
    return made


def test_one_replica_lands_in_each_region_and_holds_a_device(settled: Story) -> None:
    assert settled.placed(TEAM, MODEL) == on(EU, US)
    assert settled.scheduled(MODEL)[:2] == ("True", "ReplicasCreated")
    assert settled.scheduled(MODEL)[2].startswith("2 of 2")
    for cluster, address in ((EU, "10.201.0.1"), (US, "10.201.1.1")):
        status = settled.loop.get(settled.loop.key("InferenceCluster", cluster))["status"]
        assert (settled.condition("InferenceCluster", cluster, "", "Ready")[0], status["gateway"]) == (
            "True",
            {"address": address},
        )
        behind = settled.cluster_of(cluster)
        assert [claim_of(behind, pod) for pod in pods(behind)] == [[f"{cluster}-0/gpu-0"]]
    urls = {endpoint["spec"]["url"].split("/")[2] for endpoint in settled.loop.every("ModelEndpoint")}
    assert urls == {"10.201.0.1", "10.201.1.1"}


def test_scaling_down_takes_the_endpoint_before_the_replica_and_back_up_places_it_again(settled: Story) -> None:
    settled.leaving.add((TEAM, MODEL))
    seen: list[tuple[int, int]] = []
    settled.loop.watchers.append(
        lambda loop: seen.append((len(loop.every("ModelEndpoint")), len(loop.every("ModelReplica"))))
    )
    settled.scale(TEAM, MODEL, 1)
    settled.settle()
    assert settled.placed(TEAM, MODEL) == on(EU)
    assert list(dict.fromkeys(seen)) == [(2, 2), (1, 2), (1, 1)]
    settled.leaving.clear()
    settled.scale(TEAM, MODEL, 2)
    settled.settle()
    assert settled.placed(TEAM, MODEL) == on(EU, US)


def test_a_drain_moves_the_replica_and_an_undrain_moves_nothing(settled: Story) -> None:
    settled.leaving.add((TEAM, MODEL))
    settled.scale(TEAM, MODEL, 1)
    settled.settle()
    settled.taint(EU, "maint", "NoExecute")
    settled.settle()
    assert settled.placed(TEAM, MODEL) == on(US)
    assert pods(settled.cluster_of(EU)) == []

    settled.leaving.clear()
    serving = settled.uids()
    settled.scale(TEAM, MODEL, 2)
    settled.settle()
    status, reason, message = settled.scheduled(MODEL)
    assert (status, reason) == ("False", "PartiallyScheduled")
    assert message.startswith("1 of 2")
    assert "maint" in message
    assert settled.placed(TEAM, MODEL) == on(US)
    assert settled.condition("ModelDeployment", MODEL, TEAM, "Ready")[0] == "False", "partial is not ready"

    settled.untaint(EU)
    settled.settle()
    assert settled.placed(TEAM, MODEL) == on(EU, US)
    assert serving < settled.uids()


def test_an_untolerated_no_schedule_taint_moves_nothing_and_takes_nothing_new(settled: Story) -> None:
    before = settled.uids()
    settled.taint(EU, "maint", "NoSchedule")
    settled.taint(US, "maint", "NoSchedule")
    settled.settle()
    assert settled.uids() == before
    settled.scale(TEAM, MODEL, 3)
    settled.settle()
    assert settled.uids() == before
    assert settled.scheduled(MODEL)[1] == "PartiallyScheduled"


def test_a_cluster_that_serves_is_not_deleted(settled: Story) -> None:
    with pytest.raises(InUse, match="ModelReplicas are placed on InferenceCluster gpu-eu-west"):
        settled.loop.delete(settled.loop.key("InferenceCluster", EU))


@pytest.mark.parametrize("at_once", [False, True])
def test_deleting_everything_leaves_nothing_and_nothing_hangs(settled: Story, at_once: bool) -> None:
    settled.leaving.add((TEAM, MODEL))
    loop = settled.loop
    loop.delete(loop.key("ModelDeployment", MODEL, TEAM))
    if not at_once:
        settled.settle()
    for key in (
        loop.key("InferenceCluster", EU),
        loop.key("InferenceCluster", US),
        loop.key("InferenceClass", "synthetic-gpu"),
        loop.key("ModelService", "mock", TEAM),
        loop.key("InferenceGateway", "default"),
    ):
        try:
            loop.delete(key)
        except InUse:
            assert at_once, "only while its replicas are still going"
    loop.settle()
    left = [str(key) for key, _ in loop.control.everything() if key.kind not in {"Namespace", "Secret"}]
    assert left == []
    for cluster in loop.clusters.values():
        # The namespace of a tenant is shared by its replicas and outlives each of them.
        assert [str(key) for key in remote(cluster)] == ["Namespace ml-team"]
        assert (cluster.charts, cluster.pods.allocation.taken) == ({}, {})
