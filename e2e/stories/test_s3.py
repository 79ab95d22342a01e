"""S3: a gang of three, with the real LeaderWorkerSet controller; on two nodes it is never begun."""

from __future__ import annotations

import pytest

from e2e.lab.cluster import Cluster
from e2e.lab.fleet import Node
from e2e.lab.lab import Lab
from e2e.lab.objects import Manifest, condition, is_true
from e2e.stories.charts import HELM, leader_worker_set
from e2e.stories.remote import allocated_claims, ready_pods, serving_pods
from e2e.stories.story import Story, message, told

TEAM = "ml-team"
_RANK = "leaderworkerset.sigs.k8s.io/worker-index"


def fleet(story: Story, name: str, nodes: int, platform: str) -> Cluster:
    """A cluster of so many nodes with the controller on it, joined to the fleet."""
    if not story.lab.real:
        pytest.skip("the LeaderWorkerSet controller needs addresses of its own, which takes root on Linux")
    cluster = story.lab.cluster(name, [Node("gpu")] * nodes)
    story.lab.connect(cluster, f"{name}-kubeconfig")
    story.apply(*leader_worker_set(name))
    story.apply_file(f"s3-gang/{platform}.yaml")
    release: Manifest = {
        "apiVersion": HELM,
        "kind": "Release",
        "metadata": {"namespace": "modelplane-system", "name": f"{name}-lws"},
    }
    story.until("the LeaderWorkerSet chart is installed", lambda: is_true(story.api.find(release), "Ready"), 150)
    story.until("InferenceCluster is Ready", lambda: is_true(story.get("InferenceCluster", name), "Ready"), 150)
    controllers: Manifest = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"namespace": "lws-system", "name": "mp-lws-controller-manager"},
    }
    story.until("its controller runs", lambda: is_true(cluster.api.find(controllers), "Available"), 60)
    return cluster


def test_three_nodes(lab: Lab) -> None:
    """One set, a pod and a claim on each node, ranks 0 to 2, and the leader's name leads to the leader."""
    with told("S3, three nodes", lab) as story:
        cluster = fleet(story, "trio", 3, "platform")
        story.apply_file("s3-gang/team.yaml")
        story.timeline.mark("applied the ModelDeployment")
        story.until("a claim for each pod", lambda: len(allocated_claims(cluster)) == 3, 90)
        story.until(
            "the gang is Ready", lambda: is_true(story.get("ModelDeployment", "gang", TEAM), "ReplicasReady"), 90
        )
        pods = ready_pods(cluster)
        assert sorted(pod["metadata"]["labels"][_RANK] for pod in pods) == ["0", "1", "2"]
        assert len({pod["spec"]["nodeName"] for pod in pods}) == 3
        assert (
            len(
                {
                    each["metadata"]["name"]
                    for each in cluster.api.list("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet")
                }
            )
            == 1
        )
        leader = next(pod for pod in pods if pod["metadata"]["labels"][_RANK] == "0")
        assert leader_addresses(cluster, leader) == {leader["status"]["podIP"]}
        assert {environment(pod)["MODELPLANE_LEADER_ADDRESS"] for pod in pods} == {"$(LWS_LEADER_ADDRESS)"}


def leader_addresses(cluster: Cluster, leader: Manifest) -> set[str]:
    """What the name that the workers are given resolves to: the pod's name under its headless Service."""
    host = environment(leader)["LWS_LEADER_ADDRESS"].split(".")[0]
    slices = cluster.api.list("discovery.k8s.io/v1", "EndpointSlice", leader["metadata"]["namespace"])
    endpoints = [endpoint for each in slices for endpoint in each.get("endpoints") or ()]
    return {host_ip for each in endpoints if each.get("hostname") == host for host_ip in each["addresses"]}


def environment(pod: Manifest) -> dict[str, str]:
    """The engine's environment as declared."""
    (engine,) = [each for each in pod["spec"]["containers"] if each["name"] == "engine"]
    return {each["name"]: each.get("value", "") for each in engine["env"]}


def test_two_nodes(lab: Lab) -> None:
    """Nothing is placed, and the reason has the numbers."""
    with told("S3, two nodes", lab) as story:
        cluster = fleet(story, "duo", 2, "platform-too-small")
        story.apply_file("s3-gang/team.yaml")

        def refused() -> bool:
            return condition(story.get("ModelDeployment", "gang", TEAM), "ReplicasScheduled")[0] == "False"

        story.until("the gang is refused", refused, 60)
        assert "needs 3 nodes, 2 free" in message(story.get("ModelDeployment", "gang", TEAM), "ReplicasScheduled")
        assert not story.replicas("gang", TEAM)
        assert not serving_pods(cluster)
