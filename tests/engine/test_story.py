"""Story S1 on the real Crossplane with our functions over mutual TLS: obliging providers, no traffic."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from e2e.lab.api import Api
from e2e.lab.crossplane import Crossplane
from e2e.lab.functions import serve_all
from e2e.lab.objects import Manifest, condition, is_true, label, read_manifests
from e2e.lab.process import NotReadyError, Processes
from tests.engine.obliging import obliging

ROOT = Path(__file__).parents[2]
STORY = ROOT / "examples" / "s1-two-regions"
OURS = "modelplane.ai/v1alpha1"
WAIT_S = 60
SYSTEM = "modelplane-system"


class Stage:
    """The control plane as the two teams use it."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.kicks = 0
        self.deployment = named("ModelDeployment", "mock-demo", "ml-team")

    def apply(self, file: str) -> None:
        for each in read_manifests(STORY / file):
            self.api.apply(each)

    def set(self, spec: Manifest, obj: Manifest | None = None) -> None:
        """Changes the spec of the deployment, or of another object."""
        self.api.merge(obj or self.deployment, {"spec": spec})

    def placed(self) -> dict[str, bool]:
        """The clusters of the living replicas, and whether each replica is Ready."""
        return {
            each["spec"]["clusterName"]: is_true(each, "Ready")
            for each in self.api.list(OURS, "ModelReplica", "ml-team")
            if "deletionTimestamp" not in each["metadata"]
        }

    def endpoints(self) -> int:
        """How many endpoints stand behind the service."""
        return len(self.api.list(OURS, "ModelEndpoint", "ml-team"))

    def scheduled(self) -> tuple[str, str]:
        """Status and reason of ReplicasScheduled."""
        return condition(self.api.get(self.deployment), "ReplicasScheduled")

    def until(self, so: Callable[[], bool], what: str) -> None:
        """Waits. The deployment is touched now and then: Crossplane does not watch what a function requires."""
        started = time.monotonic()
        end = started + WAIT_S
        while not so():
            if time.monotonic() > end:
                status = self.api.get(self.deployment).get("status")
                msg = f"{what}: not within {WAIT_S} s; placed {self.placed()}, status {status}"
                raise NotReadyError(msg)
            self.kicks += 1
            self.api.merge(self.deployment, {"metadata": {"annotations": {"example.org/kick": str(self.kicks)}}})
            time.sleep(1)
        print(f"{time.monotonic() - started:6.1f} s  {what}")  # noqa: T201 - the story's timeline, shown by pytest -s


def named(kind: str, name: str, namespace: str = "", api_version: str = OURS) -> Manifest:
    meta = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": meta}


@pytest.fixture(scope="module")
def stage(api: Api, installed: list[str], crossplane: Crossplane, processes: Processes) -> Iterator[Stage]:
    del installed
    for each in read_manifests(ROOT / "examples" / "install"):
        api.apply(each)
    _, port = serve_all(processes, "functions", crossplane.certificates("modelplane"))
    for path in sorted((ROOT / "apis").glob("*/composition.yaml")):
        for step in read_manifests(path)[0]["spec"]["pipeline"]:
            crossplane.register(step["functionRef"]["name"], port)
    for region in ("eu-west", "us-east"):
        secret = named("Secret", f"{region}-kubeconfig", SYSTEM, "v1")
        api.apply({**secret, "stringData": {"kubeconfig": "{}"}})
    with obliging(api):
        yield Stage(api)


@pytest.fixture(scope="module")
def platform(stage: Stage) -> Stage:
    stage.apply("platform.yaml")
    for name in ("gpu-eu-west", "gpu-us-east"):
        stage.api.wait(named("InferenceCluster", name), "Ready", WAIT_S)
    return stage


def test_both_clusters_become_ready_and_show_their_gateway(platform: Stage) -> None:
    clusters = platform.api.list(OURS, "InferenceCluster")

    assert {each["metadata"]["name"]: bool(each["status"]["gateway"]["address"]) for each in clusters} == {
        "gpu-eu-west": True,
        "gpu-us-east": True,
    }
    for each in clusters:
        ready = next(c for c in each["status"]["conditions"] if c["type"] == "Ready")
        assert ready["observedGeneration"] == each["metadata"]["generation"], "Crossplane says for which spec"


def test_story(platform: Stage) -> None:
    stage = platform
    eu, us = "gpu-eu-west", "gpu-us-east"

    stage.apply("team.yaml")
    stage.until(lambda: stage.placed() == {eu: True, us: True}, "a Ready replica in each region")
    stage.until(lambda: stage.endpoints() == 2, "an endpoint behind each replica")
    assert stage.scheduled() == ("True", "ReplicasCreated")

    stage.set({"replicas": 1})
    stage.until(lambda: len(stage.placed()) == 1 and stage.endpoints() == 1, "one replica and its endpoint")
    stage.set({"replicas": 2})
    stage.until(lambda: stage.placed() == {eu: True, us: True}, "two again")
    stage.set({"replicas": 1})
    stage.until(lambda: len(stage.placed()) == 1, "one again")

    (drained,) = stage.placed()
    (other,) = {eu, us} - {drained}
    taint = {"key": "maintenance", "effect": "NoExecute"}
    stage.set({"taints": [taint]}, named("InferenceCluster", drained))
    stage.until(lambda: stage.placed() == {other: True}, "the replica moved off the drained cluster")
    kept = stage.api.list(OURS, "ModelReplica", "ml-team")

    stage.set({"replicas": 2})
    stage.until(lambda: stage.scheduled() == ("False", "PartiallyScheduled"), "the shortfall is told")
    status = stage.api.get(stage.deployment)["status"]
    (refusal,) = (each for each in status["refusals"] if each["cluster"] == drained)
    assert stage.placed() == {other: True}
    assert "maintenance" in refusal["message"]

    stage.set({"taints": None}, named("InferenceCluster", drained))
    stage.until(lambda: stage.placed() == {drained: True, other: True}, "the missing replica is placed")
    assert kept[0]["metadata"]["uid"] in {
        each["metadata"]["uid"] for each in stage.api.list(OURS, "ModelReplica", "ml-team")
    }, "the replica that served went on"


def test_everything_deleted_leaves_nothing(platform: Stage) -> None:
    """Runs after the story: what is left of ours would hang a cluster's deletion."""
    stage = platform
    everything = [*read_manifests(STORY / "team.yaml")[::-1], *read_manifests(STORY / "platform.yaml")[::-1]]
    ours = [each for each in everything if each["apiVersion"] == OURS]

    for each in ours:
        stage.api.delete(each, "Foreground")
    for each in ours:
        stage.api.wait(each, lambda seen: seen is None, WAIT_S)

    left = [
        label(each)
        for api_version, kind in (
            (OURS, "ModelReplica"),
            (OURS, "ModelEndpoint"),
            ("infrastructure.modelplane.ai/v1alpha1", "ServingStack"),
            ("kubernetes.m.crossplane.io/v1alpha1", "Object"),
            ("kubernetes.m.crossplane.io/v1alpha1", "ClusterProviderConfig"),
            ("helm.m.crossplane.io/v1beta1", "Release"),
            ("protection.crossplane.io/v1beta1", "Usage"),
            ("protection.crossplane.io/v1beta1", "ClusterUsage"),
        )
        for each in stage.api.list(api_version, kind)
    ]
    assert left == []
