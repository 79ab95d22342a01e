"""A state machine drives joins, taints, losses and edits at any moment; whatever comes, the fleet settles soundly."""

from __future__ import annotations

import copy
import functools
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from modelplane.embedded import conditions
from modelplane.embedded.loop import Loop
from modelplane.embedded.pods import is_ready
from modelplane.embedded.promises import over_promised, routed_to_nothing
from modelplane.embedded.stage import pods
from modelplane.embedded.things import Key, Plain
from tests.embedded.stories import Story

TEAM = "team"
CLUSTERS = ("one", "two", "late")
DEPLOYMENTS = ("small", "gang", "shared")
DRIVER = "gpu.example.com"


def inference_class(name: str, memory: str, count: int) -> Plain:
    device = {"name": "gpu", "driver": DRIVER, "deviceClassName": DRIVER, "count": count}
    return {
        "apiVersion": "modelplane.ai/v1alpha1",
        "kind": "InferenceClass",
        "metadata": {"name": name},
        "spec": {"devices": [{**device, "capacity": {"memory": {"value": memory}}}]},
    }


def cluster(name: str, *pools: tuple[str, int, str]) -> Plain:
    secret = {"secretRef": {"name": f"{name}-kubeconfig"}}
    return {
        "apiVersion": "modelplane.ai/v1alpha1",
        "kind": "InferenceCluster",
        "metadata": {"name": name},
        "spec": {
            "cluster": {"source": "Existing", "existing": secret},
            "nodePools": [
                {"name": of, "className": of, "nodeCount": nodes, "allocation": allocation}
                for of, nodes, allocation in pools
            ],
        },
    }


def member(role: str, memory: str, count: int = 1, **more: Any) -> Plain:
    cel = f'device.capacity["{DRIVER}"].memory.compareTo(quantity("{memory}")) >= 0'
    return {
        "role": role,
        "nodeSelector": {"devices": [{"name": "gpu", "count": count, "selectors": [{"cel": cel}]}]},
        "template": {"spec": {"containers": [{"name": "engine", "image": "engine:1"}]}},
        **more,
    }


def deployment(name: str, replicas: int, *members: Plain) -> Plain:
    return {
        "apiVersion": "modelplane.ai/v1alpha1",
        "kind": "ModelDeployment",
        "metadata": {"name": name, "namespace": TEAM},
        "spec": {
            "replicas": replicas,
            "template": {"spec": {"engines": [{"name": "main", "members": list(members)}]}},
        },
    }


PLATFORM = [
    inference_class("little", "24Gi", 1),
    inference_class("large", "80Gi", 4),
    cluster("one", ("little", 3, "Node")),
    cluster("two", ("little", 2, "Node"), ("large", 1, "Device")),
]
LATE = cluster("late", ("little", 2, "Node"))
WORK = {
    "small": deployment("small", 2, member("Standalone", "20Gi")),
    "gang": deployment("gang", 1, member("Leader", "20Gi"), member("Worker", "20Gi", worker={"nodes": 1})),
    "shared": deployment("shared", 1, member("Standalone", "40Gi", 2)),
}


@functools.cache
def base() -> Story:
    """The fleet at the start of every run, settled."""
    made = Story(Loop(twice=False))
    made.loop.watchers.append(made.watch)
    made.loop.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": TEAM}})
    made.bring_up(PLATFORM)
    made.loop.apply(*PLATFORM, *WORK.values())
    made.settle()
    return made


class Fleet(RuleBasedStateMachine):
    """Steps that people and hardware take; after some of them everything may settle, after others not yet."""

    def __init__(self) -> None:
        super().__init__()
        self.story = copy.deepcopy(base())
        self.joined = False
        self.lost: list[tuple[str, str]] = []
        #: Deployments whose selectors do not compile: all that they had stays as it is, routes included.
        self.broken: set[str] = set()

    @initialize(seed=st.none() | st.integers(0, 3))
    def shuffle(self, seed: int | None) -> None:
        self.story.loop.reseed(seed)

    # --- People

    @rule(name=st.sampled_from(DEPLOYMENTS), replicas=st.integers(0, 3))
    def scale(self, name: str, replicas: int) -> None:
        now = self.story.loop.get(self.story.loop.key("ModelDeployment", name, TEAM))["spec"]["replicas"]
        if replicas < now:
            self.story.leaving.add((TEAM, name))
        self.story.scale(TEAM, name, replicas)

    @rule(at=st.sampled_from(CLUSTERS), effect=st.sampled_from(["NoSchedule", "NoExecute"]))
    def taint(self, at: str, effect: str) -> None:
        if self._there(at) and not self._inference(at)["spec"].get("taints"):
            if effect == "NoExecute":
                self.story.leaving |= {(TEAM, name) for name in DEPLOYMENTS}
            self.story.taint(at, "maint", effect)

    @rule(at=st.sampled_from(CLUSTERS))
    def untaint(self, at: str) -> None:
        if self._there(at):
            self.story.untaint(at)

    @precondition(lambda self: not self.joined)
    @rule()
    def join(self) -> None:
        self.joined = True
        self.story.bring_up([LATE])
        self.story.loop.apply(LATE)

    @rule(name=st.sampled_from(DEPLOYMENTS), image=st.sampled_from(["engine:1", "engine:2"]))
    def edit(self, name: str, image: str) -> None:
        def change(thing: Plain) -> None:
            for found in thing["spec"]["template"]["spec"]["engines"][0]["members"]:
                found["template"]["spec"]["containers"][0]["image"] = image

        self.story.faulty = True  # pods restart one after the other
        self.story.loop.edit(self.story.loop.key("ModelDeployment", name, TEAM), change)

    @rule(name=st.sampled_from(DEPLOYMENTS), cel=st.sampled_from(["device.", None]))
    def mistype(self, name: str, cel: str | None) -> None:
        """Break every selector of a deployment, or mend it."""
        (self.broken.add if cel else self.broken.discard)(name)
        self.story.faulty = True
        whole = copy.deepcopy(WORK[name])
        found = self.story.loop.get(self.story.loop.key("ModelDeployment", name, TEAM))
        members = found["spec"]["template"]["spec"]["engines"][0]["members"]
        for at, sound in enumerate(whole["spec"]["template"]["spec"]["engines"][0]["members"]):
            selector = sound["nodeSelector"]["devices"][0]["selectors"][0]
            members[at]["nodeSelector"]["devices"][0]["selectors"] = [{"cel": cel}] if cel else [selector]
        self.story.loop.edit(
            self.story.loop.key("ModelDeployment", name, TEAM), lambda thing: thing.update(spec=found["spec"])
        )

    # --- Hardware and programs

    @rule(at=st.sampled_from(CLUSTERS))
    def lose_a_node(self, at: str) -> None:
        if at in self.story.loop.clusters:
            there = self.story.loop.clusters[at]
            nodes = sorted(set(there.pods.nodes) - there.pods.lost)
            if nodes:
                self.story.faulty = True
                there.lose(nodes[0])
                self.lost.append((at, nodes[0]))

    @precondition(lambda self: self.lost)
    @rule()
    def mend_a_node(self) -> None:
        at, node = self.lost.pop()
        there = self.story.loop.clusters[at]
        there.add(there.pods.nodes[node])

    @rule(at=st.sampled_from(CLUSTERS), what=st.sampled_from(["reachable", "balanced"]), value=st.booleans())
    def fault(self, at: str, what: str, value: bool) -> None:
        if at in self.story.loop.clusters:
            self.story.faulty = True
            setattr(self.story.loop.clusters[at], what, value)

    @rule()
    def restart(self) -> None:
        self.story.loop.restart()

    # --- Time

    @rule(count=st.integers(1, 4))
    def go_on(self, count: int) -> None:
        for _ in range(count):
            self.story.loop.round()

    @rule()
    def settle(self) -> None:
        self.story.loop.settle()
        self._sound()

    def teardown(self) -> None:
        """Everything is mended: then everything that fits is placed, serves, and is routed to."""
        for there in self.story.loop.clusters.values():
            there.reachable = there.balanced = True
        while self.lost:
            self.mend_a_node()
        for at in CLUSTERS:
            self.untaint(at)
        for name in DEPLOYMENTS:
            self.mistype(name, None)
        self.story.loop.settle()
        self._sound()
        for name in DEPLOYMENTS:
            wanted = self.story.loop.get(self.story.loop.key("ModelDeployment", name, TEAM))["spec"]["replicas"]
            placed = self.story.placed(TEAM, name)
            assert all(replica.ready and replica.routed for replica in placed), placed
            status, _, _ = self.story.scheduled(name, TEAM)
            assert (status == "True") is (len(placed) == wanted)

    # --- Judging

    def _sound(self) -> None:
        loop = self.story.loop
        assert over_promised(loop) == []
        assert [name for name in routed_to_nothing(loop) if not self._held(name.partition("/")[2])] == []
        assert [name for name in self._dead_routes() if not self._held(name)] == []
        version = loop.control.version
        assert loop.settle() == 0, "a settled fleet does not flap"
        assert loop.control.version == version
        # What was allowed to go has gone; from here on, serving replicas stay again, but on drained clusters.
        drained = any(
            taint["effect"] == "NoExecute"
            for thing in loop.every("InferenceCluster")
            for taint in thing["spec"].get("taints", ())
        )
        # What a broken selector has put off may still come.
        put_off = {(TEAM, name) for name in self.broken} & self.story.leaving
        self.story.leaving = {(TEAM, name) for name in DEPLOYMENTS} if drained else put_off
        self.story.faulty = bool(self.lost or self.broken) or any(
            not (c.reachable and c.balanced) for c in loop.clusters.values()
        )

    def _held(self, replica: str) -> bool:
        key = self.story.loop.key("ModelReplica", replica, TEAM)
        return self.story.loop.get(key)["metadata"]["labels"]["modelplane.ai/deployment"] in self.broken

    def _dead_routes(self) -> list[str]:
        """Endpoints whose pods on a reachable cluster do not all serve."""
        dead = []
        for endpoint in self.story.loop.every("ModelEndpoint"):
            key = self.story.loop.key("ModelReplica", endpoint["metadata"]["name"], TEAM)
            there = self.story.cluster_of(self.story.loop.get(key)["spec"]["clusterName"])
            own = [pod for pod in pods(there) if pod["metadata"]["name"].startswith(endpoint["metadata"]["name"])]
            if there.reachable and not (own and all(map(is_ready, own))):
                dead.append(endpoint["metadata"]["name"])
        return dead

    def _there(self, at: str) -> bool:
        return self.story.loop.control.find(Key("modelplane.ai", "InferenceCluster", "", at)) is not None

    def _inference(self, at: str) -> Plain:
        return self.story.loop.get(self.story.loop.key("InferenceCluster", at))


Fleet.TestCase.settings = settings(
    max_examples=10,
    stateful_step_count=10,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
TestFleet = Fleet.TestCase


def test_the_start_is_sound() -> None:
    made = base()
    assert made.where() == {"gang": [("one", 0)], "shared": [("two", 0)], "small": made.where()["small"]}
    assert all(conditions.is_true(thing, "Ready") for thing in made.loop.every("ModelDeployment"))
