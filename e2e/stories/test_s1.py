"""S1: two regions, one model, no GPU; without the traffic through gateways, so each pod is asked directly."""

from __future__ import annotations

import os
import time

from e2e.lab.fleet import Node
from e2e.lab.lab import Lab
from e2e.lab.objects import condition, is_true
from e2e.lab.snapshot import events, moved, objects
from e2e.stories.remote import allocated_claims, ask, leftovers, ours, ready_pods, serving_pods
from e2e.stories.story import Story, message, named, told

TEAM, DEPLOYMENT = "ml-team", "mock-demo"
REGIONS = ("eu-west", "us-east")
DRAIN = [{"key": "maintenance", "value": "planned", "effect": "NoExecute"}]
#: How long a response lives: Crossplane calls again by then, as it does not watch what a function requires.
POLL_S = 60.0
SETTLE_S = float(os.environ.get("LAB_SETTLE", "75"))
REST_S = float(os.environ.get("LAB_REST", "120"))


def scheduled(story: Story) -> tuple[str, str]:
    """Status and reason of ReplicasScheduled."""
    return condition(story.get("ModelDeployment", DEPLOYMENT, TEAM), "ReplicasScheduled")


def clusters(story: Story) -> set[str]:
    """Where replicas are that stay."""
    return set(story.placed(DEPLOYMENT, TEAM))


def all_ready(story: Story, count: int) -> bool:
    """Whether the deployment has so many replicas, all Ready, and no other."""
    deployment = story.get("ModelDeployment", DEPLOYMENT, TEAM)
    return is_true(deployment, "ReplicasReady") and len(story.replicas(DEPLOYMENT, TEAM)) == count


def start(story: Story) -> None:
    """The fleet and the platform's part."""
    for region in REGIONS:
        cluster = story.lab.cluster(region, [Node(f"gpu-{region}")])
        story.lab.connect(cluster, f"{region}-kubeconfig")
        story.timeline.mark(f"cluster {region} is up")
    story.apply_file("s1-two-regions/platform.yaml")
    for region in REGIONS:
        ready = story.wait("InferenceCluster", f"gpu-{region}", "Ready", timeout_s=150)
        address = ready["status"]["gateway"]["address"]
        story.timeline.mark(f"InferenceCluster gpu-{region} is Ready, its gateway at {address}")
        assert address.startswith(story.lab.clusters[region].ranges.balancers)


def deploy(story: Story) -> None:
    """The team's part: one replica a region, a claim each, and each pod answers with its own name."""
    regions = [story.lab.clusters[region] for region in REGIONS]
    story.apply_file("s1-two-regions/team.yaml")
    story.timeline.mark("applied the ModelDeployment")
    took = story.until("claims are allocated on both clusters", lambda: all(map(allocated_claims, regions)), 60)
    story.within("from kubectl apply to the claims", took, 15)
    assert clusters(story) == {"gpu-eu-west", "gpu-us-east"}
    assert scheduled(story)[0] == "True"
    assert "2 of 2" in message(story.get("ModelDeployment", DEPLOYMENT, TEAM), "ReplicasScheduled")
    story.until("both replicas are Ready", lambda: all_ready(story, 2), 90)
    for cluster in regions:
        (pod,) = ready_pods(cluster)
        assert ask(pod) == f"{pod['metadata']['name']} on {cluster.name}"


def rest(story: Story) -> None:
    """At rest nothing changes: no object's version moves on any server, and no event is added."""
    servers = [story.api, *(cluster.api for cluster in story.lab.clusters.values())]
    time.sleep(SETTLE_S)  # longer than a response lives, so that everybody has seen the last change
    before = [(objects(api), events(api)) for api in servers]
    time.sleep(REST_S)
    after = [(objects(api), events(api)) for api in servers]
    changes = [moved(*pair) for old, new in zip(before, after, strict=True) for pair in zip(old, new, strict=True)]
    assert changes == [[]] * len(changes)
    story.timeline.mark(f"nothing moved for {REST_S:g} s")


def scale(story: Story) -> None:
    """To 1, where the endpoint goes before its replica, and back to 2."""
    story.patch("ModelDeployment", DEPLOYMENT, {"replicas": 1}, TEAM)
    story.until("scaled to 1", lambda: all_ready(story, 1), POLL_S + 30)
    assert clusters(story) == {"gpu-eu-west"}
    story.patch("ModelDeployment", DEPLOYMENT, {"replicas": 2}, TEAM)
    story.until("scaled back to 2", lambda: all_ready(story, 2), POLL_S + 30)
    story.patch("ModelDeployment", DEPLOYMENT, {"replicas": 1}, TEAM)
    story.until("scaled to 1 again", lambda: all_ready(story, 1), POLL_S + 30)


def drain(story: Story) -> None:
    """The replica leaves the drained cluster; a second one is refused, by name of the taint; then it is placed."""
    before = story.placed(DEPLOYMENT, TEAM)
    assert set(before) == {"gpu-eu-west"}
    story.patch("InferenceCluster", "gpu-eu-west", {"taints": DRAIN})
    took = story.until("moved to us-east", lambda: clusters(story) == {"gpu-us-east"}, POLL_S + 30)
    story.within("from a taint to the replacement placed", took, POLL_S + 5)
    story.until("the moved replica is Ready", lambda: all_ready(story, 1), POLL_S + 60)
    survivor = story.placed(DEPLOYMENT, TEAM)["gpu-us-east"]
    story.patch("ModelDeployment", DEPLOYMENT, {"replicas": 2}, TEAM)
    story.until("one is short", lambda: scheduled(story) == ("False", "PartiallyScheduled"), POLL_S)
    text = message(story.get("ModelDeployment", DEPLOYMENT, TEAM), "ReplicasScheduled")
    assert "1 of 2" in text
    assert "maintenance" in text
    assert story.placed(DEPLOYMENT, TEAM) == {"gpu-us-east": survivor}
    story.patch("InferenceCluster", "gpu-eu-west", {"taints": None})
    story.until("placed where the taint was", lambda: all_ready(story, 2), POLL_S + 60)
    after = story.placed(DEPLOYMENT, TEAM)
    assert set(after) == {"gpu-eu-west", "gpu-us-east"}
    assert after["gpu-us-east"] == survivor


def delete(story: Story) -> None:
    """Nothing of ours is left on any cluster, and nothing hangs."""
    story.api.delete(named("ModelService", "mock", TEAM))
    story.api.delete(named("ModelDeployment", DEPLOYMENT, TEAM))
    story.until("the deployment is gone", lambda: not story.replicas() and not scheduled(story)[1], 90)
    regions = [story.lab.clusters[region] for region in REGIONS]
    story.until("its pods are gone", lambda: not any(map(serving_pods, regions)), 30)
    story.until("nothing of it is left", lambda: not any(map(leftovers, regions)), 30)
    for region in REGIONS:
        story.api.delete(named("InferenceCluster", f"gpu-{region}"))
    story.until(
        "the clusters are let go", lambda: not story.api.list("modelplane.ai/v1alpha1", "InferenceCluster"), 120
    )
    story.api.delete(named("InferenceClass", "synthetic-gpu"))
    story.until("no Object and no Release is left", lambda: not story.managed(), 120)
    story.until("nothing of ours is left on the clusters", lambda: not any(map(ours, regions)), 60)


def test_two_regions_one_model(lab: Lab) -> None:
    """From an empty fleet to an empty fleet."""
    with told("S1", lab) as story:
        start(story)
        deploy(story)
        rest(story)
        scale(story)
        drain(story)
        delete(story)
