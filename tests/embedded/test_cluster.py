"""The workload cluster that pretends: it starts pods where Kubernetes would, refuses what does not fit, and rolls."""

from __future__ import annotations

from typing import Any

import pytest

from modelplane.embedded import hardware
from modelplane.embedded.allocation import Allocation
from modelplane.embedded.clock import Clock
from modelplane.embedded.cluster import WorkloadCluster
from modelplane.embedded.hardware import Devices
from modelplane.embedded.stage import claim_of, pods
from modelplane.embedded.things import Key, Plain
from modelplane.value.device import Facts
from tests.embedded.world import conditions

BIG = Devices(Facts("gpu.example.com", (("kind", ("string", "big")),), (("memory", "80Gi"),)), 2, "gpu.example.com")
SMALL = Devices(Facts("gpu.example.com", (), (("memory", "24Gi"),)), 1, "gpu.example.com")
AT_LEAST = 'device.capacity["gpu.example.com"].memory.compareTo(quantity("{}")) >= 0'
DEPLOYMENT = Key("apps", "Deployment", "default", "d")


def cluster(nodes: int = 2, *devices: Devices, spread: bool = True) -> WorkloadCluster:
    return WorkloadCluster(
        "west", hardware.pool("gpu", nodes, devices or (BIG,)), address="10.0.0.1", clock=Clock(), spread=spread
    )


def settle(made: WorkloadCluster) -> None:
    for _ in range(200):
        made.pods.store.clock.advance(1)
        if not made.step() and not made.starting:
            return
    pytest.fail("the cluster does not settle")


def template(count: int = 1, memory: str = "20Gi", **spec: Any) -> Plain:
    container = {"name": "engine", "image": "engine:1"}
    return {
        "metadata": {"labels": {"app": "d"}},
        "spec": {
            "containers": [container],
            "nodeSelector": {"modelplane.ai/pool": "gpu"},
            "resourceClaims": [{"name": "devices", "resourceClaimTemplateName": f"claim-{count}-{memory}"}],
            **spec,
        },
    }


def give(made: WorkloadCluster, *manifests: Plain) -> None:
    for manifest in manifests:
        made.store.apply(manifest, "test")


def claim(count: int = 1, memory: str = "20Gi") -> Plain:
    exactly = {
        "deviceClassName": "gpu.example.com",
        "count": count,
        "selectors": [{"cel": {"expression": AT_LEAST.format(memory)}}],
    }
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": f"claim-{count}-{memory}", "namespace": "default"},
        "spec": {"spec": {"devices": {"requests": [{"name": "gpu", "exactly": exactly}]}}},
    }


def deployment(replicas: int, pod: Plain | None = None, **spec: Any) -> Plain:
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "d", "namespace": "default"},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": "d"}},
            "template": pod or template(),
            **spec,
        },
    }


def phases(made: WorkloadCluster) -> list[tuple[str, list[str]]]:
    return [(pod["status"]["phase"], claim_of(made, pod)) for pod in pods(made)]


FITS: list[tuple[str, int, tuple[Devices, ...], tuple[int, str], int, list[int]]] = [
    ("a device each, four devices", 2, (BIG,), (1, "20Gi"), 4, [1, 1, 1, 1]),
    ("a fifth waits", 2, (BIG,), (1, "20Gi"), 5, [0, 1, 1, 1, 1]),
    ("two devices a pod, on one node", 2, (BIG,), (2, "20Gi"), 3, [0, 2, 2]),
    ("a selector that only one kind meets", 1, (BIG, SMALL), (1, "40Gi"), 3, [0, 1, 1]),
    ("kinds are mixed where both meet it", 1, (BIG, SMALL), (3, "20Gi"), 1, [3]),
    ("more than a node has never fits", 2, (BIG,), (3, "20Gi"), 1, [0]),
]


@pytest.mark.parametrize(("reason", "nodes", "devices", "want", "replicas", "given"), FITS, ids=[c[0] for c in FITS])
def test_pods_get_devices_or_wait(  # noqa: PLR0917  # the columns of the table
    reason: str, nodes: int, devices: tuple[Devices, ...], want: tuple[int, str], replicas: int, given: list[int]
) -> None:
    made = cluster(nodes, *devices)
    give(made, claim(*want), deployment(replicas, template(*want)))
    settle(made)
    found = phases(made)
    assert sorted(len(devices) for _, devices in found) == given, reason
    assert sorted(phase == "Running" for phase, _ in found) == [bool(count) for count in given]
    taken = [device for _, devices in found for device in devices]
    assert len(taken) == len(set(taken)), "no device twice"


@pytest.mark.parametrize(("spread", "nodes"), [(True, ["gpu-0", "gpu-1"]), (False, ["gpu-0", "gpu-0"])])
def test_the_scheduler_packs_as_told(spread: bool, nodes: list[str]) -> None:
    made = cluster(spread=spread)
    give(made, claim(), deployment(2))
    settle(made)
    assert sorted(pod["spec"]["nodeName"] for pod in pods(made)) == nodes


def test_a_request_of_two_kinds_moves_what_blocks_it() -> None:
    """The first request may take either kind, the second only one: the allocator must find the way that fits both."""
    any_kind = {"deviceClassName": "c", "count": 1, "selectors": []}
    only_a = {"deviceClassName": "c", "count": 1, "selectors": [{"cel": {"expression": "a"}}]}
    kinds = tuple(Devices(Facts(name), 1, "c") for name in ("a", "b"))
    node = hardware.Node("n", {}, kinds)
    made = Allocation(lambda expression, devices: devices.facts.driver == expression)
    spec = {"devices": {"requests": [{"name": "x", "exactly": any_kind}, {"name": "y", "exactly": only_a}]}}
    assert made.place("pod", {}, [spec], [node]) == "n"
    assert {given.request: given.kind for given in made.taken["pod"]} == {"x": 1, "y": 0}
    assert made.place("other", {}, [spec], [node]) == ""
    made.release("pod")
    assert made.place("other", {}, [spec], [node]) == "n"


def test_a_pod_starts_after_it_was_scheduled_and_not_with_a_broken_image() -> None:
    made = cluster()
    give(made, claim(), deployment(1))
    made.step()
    assert [phase for phase, _ in phases(made)] == ["Pending"]
    made.pods.broken.add("engine:1")
    made.step()
    made.step()
    assert [phase for phase, _ in phases(made)] == ["Pending"]
    made.pods.broken.clear()
    settle(made)
    assert [phase for phase, _ in phases(made)] == ["Running"]


def test_a_lost_node_takes_its_pods_and_they_start_elsewhere() -> None:
    made = cluster()
    give(made, claim(2), deployment(2, template(2)))
    settle(made)
    made.lose("gpu-0")
    settle(made)
    assert sorted(phases(made)) == [("Pending", []), ("Running", ["gpu-1/gpu-0", "gpu-1/gpu-1"])]
    made.add(hardware.pool("gpu", 1, (BIG,))[0])
    settle(made)
    assert [phase for phase, _ in phases(made)] == ["Running", "Running"]


def rolled(strategy: Plain, replicas: int, nodes: int) -> tuple[list[int], list[int]]:
    """The pods, and the ready ones, at every step of a rolling update on nodes of two devices."""
    made = cluster(nodes)
    give(made, claim(2), deployment(replicas, template(2), strategy=strategy))
    settle(made)
    give(made, deployment(replicas, template(2, terminationGracePeriodSeconds=5), strategy=strategy))
    counts: list[int] = []
    ready: list[int] = []
    for _ in range(20):
        made.step()
        found = pods(made)
        counts.append(len(found))
        ready.append(sum(pod["status"]["phase"] == "Running" for pod in found))
    assert {pod["spec"].get("terminationGracePeriodSeconds") for pod in pods(made)} == {5} or ready[-1] == replicas
    return counts, ready


def test_without_surge_a_full_pool_rolls_one_by_one() -> None:
    counts, ready = rolled({"rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}}, 3, 3)
    assert (max(counts), min(ready), ready[-1]) == (3, 2, 3)


def test_with_surge_a_full_pool_never_rolls() -> None:
    counts, ready = rolled({"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}, 2, 2)
    assert (max(counts), min(ready), ready[-1]) == (3, 2, 2), "the new pod waits for ever beside the old ones"


def test_recreate_stops_the_old_before_it_starts_the_new() -> None:
    counts, ready = rolled({"type": "Recreate"}, 2, 2)
    assert (max(counts), min(ready), ready[-1]) == (2, 0, 2)


@pytest.mark.parametrize(
    ("reason", "strategy", "available"),
    [
        ("with a budget of one, a Deployment of one is Available without any pod", {"maxUnavailable": 1}, "True"),
        ("without a budget it is not", {"maxUnavailable": 0, "maxSurge": 1}, "False"),
    ],
)
def test_available_is_kubernetes_own_notion(reason: str, strategy: Plain, available: str) -> None:
    made = cluster()
    give(made, deployment(1, template(), strategy={"rollingUpdate": {"maxSurge": 0, **strategy}}))
    settle(made)
    found = made.store.get(DEPLOYMENT)
    assert conditions(found)["Available"][0] == available, reason
    assert found["status"]["observedGeneration"] == found["metadata"]["generation"]
    assert "readyReplicas" not in found["status"], "a count of 0 is left out, as Kubernetes does"


def gang(copies: int, size: int, image: str = "engine:1", devices: int = 1) -> Plain:
    pod = template(devices)
    pod["spec"]["containers"] = [{"name": "engine", "image": image, "env": [{"name": "USER", "value": "1"}]}]
    return {
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": "g", "namespace": "default"},
        "spec": {
            "replicas": copies,
            "leaderWorkerTemplate": {"size": size, "leaderTemplate": pod, "workerTemplate": pod},
        },
    }


LWS = Key("leaderworkerset.x-k8s.io", "LeaderWorkerSet", "default", "g")


def test_a_gang_has_a_leader_and_workers_that_know_it() -> None:
    made = cluster(3)
    give(made, claim(), gang(2, 3))
    settle(made)
    found = {}
    for pod in pods(made):
        env = {entry["name"]: entry["value"] for entry in pod["spec"]["containers"][0]["env"]}
        found[pod["metadata"]["name"]] = (env["LWS_LEADER_ADDRESS"], env["LWS_WORKER_INDEX"], env["USER"])
    assert found == {
        "g-0": ("g-0.g.default", "0", "1"),
        "g-0-1": ("g-0.g.default", "1", "1"),
        "g-0-2": ("g-0.g.default", "2", "1"),
        "g-1": ("g-1.g.default", "0", "1"),
        "g-1-1": ("g-1.g.default", "1", "1"),
        "g-1-2": ("g-1.g.default", "2", "1"),
    }
    assert conditions(made.store.get(LWS))["Available"][0] == "True"
    assert "observedGeneration" not in made.store.get(LWS)["status"]


def test_a_gang_that_loses_a_pod_is_restarted_whole_and_the_other_goes_on() -> None:
    made = cluster(4)
    give(made, claim(2), gang(2, 2, devices=2))
    settle(made)
    before = {pod["metadata"]["name"]: pod["metadata"]["uid"] for pod in pods(made)}
    victim = made.store.get(Key("", "Pod", "default", "g-0-1"))["spec"]["nodeName"]
    made.lose(victim)
    settle(made)
    after = {pod["metadata"]["name"]: pod["metadata"]["uid"] for pod in pods(made)}
    assert {name: after[name] == before[name] for name in before} == {
        "g-0": False,
        "g-0-1": False,
        "g-1": True,
        "g-1-1": True,
    }
    assert conditions(made.store.get(LWS))["Available"][0] == "False", "its node is gone, so the gang waits"


def test_gangs_roll_one_at_a_time() -> None:
    made = cluster(3)
    give(made, claim(), gang(2, 2))
    settle(made)
    give(made, gang(2, 2, "engine:2"))
    ready: list[int] = []
    for _ in range(10):
        made.step()
        ready.append(sum(pod["status"]["phase"] == "Running" for pod in pods(made)))
    assert (min(ready), ready[-1]) == (2, 4)
    assert {pod["spec"]["containers"][0]["image"] for pod in pods(made)} == {"engine:2"}


def test_scaling_down_takes_what_does_not_serve_first() -> None:
    made = cluster(1)
    give(made, claim(2), deployment(2, template(2)))
    settle(made)
    (serving,) = [pod["metadata"]["name"] for pod in pods(made) if pod["status"]["phase"] == "Running"]
    give(made, deployment(1, template(2)))
    settle(made)
    assert [pod["metadata"]["name"] for pod in pods(made)] == [serving]


def test_deleting_a_workload_frees_its_devices_and_deleting_a_namespace_empties_it() -> None:
    made = cluster()
    give(made, claim(2), deployment(2, template(2)))
    settle(made)
    made.store.delete(DEPLOYMENT)
    settle(made)
    assert (pods(made), made.pods.allocation.taken) == ([], {})
    give(made, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "tenant"}})
    give(made, {**deployment(1), "metadata": {"name": "d", "namespace": "tenant"}})
    settle(made)
    made.store.delete(Key("", "Namespace", "", "tenant"))
    settle(made)
    assert [str(key) for key, _ in made.store.everything() if key.namespace == "tenant"] == []


def test_a_gateway_of_a_known_class_gets_the_address_and_loses_it() -> None:
    made = cluster()
    head = {"apiVersion": "gateway.networking.k8s.io/v1"}
    where = Key("gateway.networking.k8s.io", "Gateway", "default", "g")
    give(made, {**head, "kind": "Gateway", "metadata": {"name": "g"}, "spec": {"gatewayClassName": "envoy"}})
    settle(made)
    assert "addresses" not in made.store.get(where)["status"]
    give(made, {**head, "kind": "GatewayClass", "metadata": {"name": "envoy"}, "spec": {}})
    settle(made)
    assert made.store.get(where)["status"]["addresses"] == [{"type": "IPAddress", "value": "10.0.0.1"}]
    made.balanced = False
    settle(made)
    assert "addresses" not in made.store.get(where)["status"]
