"""The fleet of S4: three clusters of unlike shapes, a fourth that joins, and what each has room for."""

from __future__ import annotations

import time

from e2e.lab.fleet import Device, Node
from e2e.lab.objects import Manifest, condition, is_true
from e2e.stories.charts import HELM, leader_worker_set
from e2e.stories.promises import Place, Room
from e2e.stories.story import Story

L4 = Device(
    1,
    "gpu.nvidia.com",
    {"memory": "24Gi"},
    {
        "architecture": "Ada Lovelace",
        "cudaComputeCapability": "v8.9.0",
        "migCapable": False,
        "memoryBusWidth": 192,
    },
)
H200 = Device(
    8,
    "gpu.nvidia.com",
    {"memory": "141Gi"},
    {
        "architecture": "Hopper",
        "cudaComputeCapability": "v9.0.0",
        "migCapable": True,
        "memoryBusWidth": 6144,
        "nvlinkGeneration": 4,
    },
)
NODES = {
    "north": [Node("l4", (L4,))] * 4,
    "south": [Node("h200", (H200,))] * 2,
    "west": [*[Node("l4", (L4,))] * 3, Node("h200", (H200,))],
    "east": [*[Node("l4", (L4,))] * 4, Node("h200", (H200,))],
}
ROOMS: dict[Place, Room] = {
    ("north", "l4"): Room(4),
    ("south", "h200"): Room(2, 8),
    ("west", "l4"): Room(3),
    ("west", "h200"): Room(1),
    ("east", "l4"): Room(4),
    ("east", "h200"): Room(1, 8),
}
CALM_S = 75.0  # longer than a response lives: by then everybody has looked once more
DEPLOYMENTS = (
    ("ml-team", "gang"),
    ("ml-team", "whole"),
    ("ml-team", "pair"),
    ("search", "single"),
    ("search", "copies"),
    ("search", "greedy"),
)


def connect(story: Story, *names: str) -> None:
    """Starts these clusters, each with a LeaderWorkerSet controller, and gives the fleet their kubeconfigs."""
    for name in names:
        cluster = story.lab.cluster(name, NODES[name])
        story.lab.connect(cluster, f"{name}-kubeconfig")
        story.apply(*leader_worker_set(name))


def await_ready(story: Story, *names: str) -> None:
    """Waits for the InferenceClusters and for their LeaderWorkerSet charts."""

    def ready() -> bool:
        clusters = [story.get("InferenceCluster", name) for name in names]
        return all(is_true(each, "Ready") for each in (*clusters, *(release(story, name) for name in names)))

    story.until(f"{', '.join(names)} ready, with a LeaderWorkerSet controller each", ready, 240)


def release(story: Story, name: str) -> Manifest | None:
    """The LeaderWorkerSet chart of a cluster."""
    metadata = {"namespace": "modelplane-system", "name": f"{name}-lws"}
    return story.api.find({"apiVersion": HELM, "kind": "Release", "metadata": metadata})


def placements(story: Story) -> dict[str, dict[str, str]]:
    """For each deployment, the cluster of each replica by its uid."""
    found: dict[str, dict[str, str]] = {f"{namespace}/{name}": {} for namespace, name in DEPLOYMENTS}
    for each in story.replicas():
        meta = each["metadata"]
        owner = f"{meta['namespace']}/{meta['labels']['modelplane.ai/deployment']}"
        if "deletionTimestamp" not in meta and owner in found:
            found[owner][meta["uid"]] = each["spec"]["clusterName"]
    return found


def settled(story: Story) -> bool:
    """Whether every deployment has decided, and every replica that was placed is Ready."""
    found = [story.get("ModelDeployment", name, namespace) for namespace, name in DEPLOYMENTS]
    decided = all(condition(each, "ReplicasScheduled")[1] not in {"", "Scheduling"} for each in found)
    return decided and all(
        is_true(each, "Ready") and "deletionTimestamp" not in each["metadata"] for each in story.replicas()
    )


def settle(story: Story, what: str, timeout_s: float) -> dict[str, dict[str, str]]:
    """Waits until nothing is undecided and no placement changes for a while; the placements then."""
    last: dict[str, dict[str, str]] = {}
    since = time.monotonic()

    def calm() -> bool:
        nonlocal last, since
        now = placements(story)
        if now != last or not settled(story):
            last, since = now, time.monotonic()
        return time.monotonic() - since > CALM_S

    story.until(what, calm, timeout_s)
    return last
