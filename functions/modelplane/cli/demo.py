"""Story S1 on the embedded loop, told as it happens; each step says what it expects and whether that came true."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from rich.console import Console

import modelplane
from modelplane.cli import tables
from modelplane.embedded.cluster import WorkloadCluster
from modelplane.embedded.loop import Loop, NotSettled
from modelplane.embedded.promises import over_promised, routed_to_nothing, stranded
from modelplane.embedded.stage import Placed, Stage, claim_of, pods, read
from modelplane.embedded.things import Plain

_STORY: Final = "s1-two-regions"
_TEAM: Final = "ml-team"
_MODEL: Final = "mock-demo"
_EU: Final = "gpu-eu-west"
_US: Final = "gpu-us-east"


def folder() -> Path:
    """The story's manifests: examples/ beside the checkout that this runs from, or in the current folder."""
    beside = Path(modelplane.__file__).parent.parent.parent / "examples" / _STORY
    return beside if beside.is_dir() else Path("examples") / _STORY


def play(examples: Path, width: int) -> bool:
    """Play the story and print it. Whether every expectation came true."""
    console = Console(width=None if Console().is_terminal else width, highlight=False, soft_wrap=False)
    if not examples.is_dir():
        console.print(f"no manifests in {examples}; name their folder with --examples")
        return False
    demo = Demo(console, Stage(Loop(twice=False)), read(examples))
    try:
        for chapter in demo.chapters():
            chapter()
    except NotSettled as error:
        demo.expect(str(error), holds=False)
    return demo.conclude()


@dataclass(slots=True)
class Demo:
    """The story in the course of being told."""

    console: Console
    stage: Stage
    manifests: list[Plain]
    failures: list[str] = field(default_factory=list)

    def chapters(self) -> list[Callable[[], None]]:
        """The story, in order."""
        return [self.fleet, self.model, self.scale, self.drain, self.undrain, self.full, self.given]

    def fleet(self) -> None:
        """The platform team brings two regions."""
        self.title("The platform team applies a class and two clusters")
        self.stage.loop.watchers.append(self._watch)
        self.stage.bring_up(self.manifests)
        self.stage.loop.apply(*(m for m in self.manifests if m["kind"].startswith("Inference")))
        self.settle()
        self.console.print(tables.fleet(self.stage))
        for cluster in (_EU, _US):
            status, _, _ = self.stage.condition("InferenceCluster", cluster, "", "Ready")
            self.expect(f"{cluster} is Ready", holds=status == "True")

    def model(self) -> None:
        """The ML team brings one model, two replicas."""
        self.title("The ML team applies a ModelDeployment of 2 replicas")
        self.stage.loop.apply(*(m for m in self.manifests if not m["kind"].startswith("Inference")))
        self.settle()
        self.show()
        self.expect("one replica serves in each region", holds=self._on(_EU, _US))
        self.expect("2 of 2 are scheduled", holds=self._scheduled("True", "ReplicasCreated", "2 of 2"))
        claimed = [claim_of(cluster, pod) for cluster in self._clusters() for pod in pods(cluster)]
        self.expect("each pod holds one allocated device", holds=[len(devices) for devices in claimed] == [1, 1])

    def scale(self) -> None:
        """One replica less, and back."""
        self.title("The ML team scales to 1")
        self.stage.scale(_TEAM, _MODEL, 1)
        self.settle()
        self.console.print(tables.placements(self.stage))
        self.expect(f"the replica of {_US} went, after its endpoint", holds=self._on(_EU))
        self.title("The ML team scales back to 2")
        self.stage.scale(_TEAM, _MODEL, 2)
        self.settle()
        self.console.print(tables.placements(self.stage))
        self.expect("it is placed again where it was", holds=self._on(_EU, _US))

    def drain(self) -> None:
        """A cluster is drained, and there is no room elsewhere."""
        self.title(f"With 1 replica in {_EU}, the platform team drains that cluster: taint maint NoExecute")
        self.stage.scale(_TEAM, _MODEL, 1)
        self.settle()
        self.stage.taint(_EU, "maint", "NoExecute")
        self.settle()
        self.console.print(tables.fleet(self.stage), tables.placements(self.stage))
        self.expect(f"the replica serves on {_US} now", holds=self._on(_US))
        self.title("The ML team scales to 2 meanwhile")
        self.stage.scale(_TEAM, _MODEL, 2)
        self.settle()
        self.show()
        partly = self._scheduled("False", "PartiallyScheduled", "1 of 2", "maint")
        self.expect("1 of 2 are scheduled, and the condition names the taint", holds=partly)
        self.expect("the replica that serves goes on serving", holds=self._on(_US))

    def undrain(self) -> None:
        """The taint goes; only what was missing is placed."""
        before = self._uids()
        self.title("The platform team takes the taint away")
        self.stage.untaint(_EU)
        self.settle()
        self.console.print(tables.placements(self.stage))
        self.expect(f"the missing replica is placed on {_EU}", holds=self._on(_EU, _US))
        self.expect("the other did not move", holds=before <= self._uids())

    def full(self) -> None:
        """A second model finds the fleet full."""
        self.title("Another team applies a second model; the fleet is full")
        second = copy.deepcopy(next(m for m in self.manifests if m["kind"] == "ModelDeployment"))
        second["metadata"]["name"] = "second-demo"
        before = self._uids()
        self.stage.loop.apply(second)
        self.settle()
        self.show()
        status = self.stage.loop.get(self.stage.loop.key("ModelDeployment", "second-demo", _TEAM)).get("status", {})
        named = {refusal["cluster"] for refusal in status.get("refusals", ())}
        self.expect("nothing of it is placed", holds=not self.stage.placed(_TEAM, "second-demo"))
        self.expect("each cluster has said why", holds=named == {_EU, _US})
        self.expect("what serves was not touched", holds=before == self._uids())

    def given(self) -> None:
        """What the workload clusters have at the end."""
        self.title("What the workload clusters were given")
        for cluster in self._clusters():
            self.console.print(tables.objects(cluster), tables.running(cluster))
        self.expect("no pod waits for a device", holds=not stranded(self.stage.loop))

    def conclude(self) -> bool:
        """The last line."""
        self.console.rule(style="")
        for failure in self.failures:
            self.console.print(f"FAILED: {failure}", markup=False)
        calls, rounds = self.stage.loop.pipeline.calls, self.stage.loop.rounds
        self.console.print(
            f"{calls} function calls in {rounds} rounds; {'failed' if self.failures else 'all as told'}."
        )
        return not self.failures

    # --- Telling

    def title(self, text: str) -> None:
        """A step begins."""
        self.console.print()
        self.console.rule(text, align="left", style="")

    def show(self) -> None:
        """The deployments, their placements and, where replicas are missing, why."""
        self.console.print(tables.deployments(self.stage), tables.placements(self.stage))
        refusals = tables.refusals(self.stage)
        if refusals.row_count:
            self.console.print(refusals)

    def settle(self) -> None:
        """Let the loop run, and say how long it took."""
        with self.console.status("settling"):
            rounds = self.stage.loop.settle()
        self.console.print(f"settled after {rounds} rounds")

    def expect(self, what: str, *, holds: bool) -> None:
        """Say what should be, and whether it is."""
        self.console.print(f"{'[x]' if holds else '[ ]'} {what}", markup=False)
        if not holds:
            self.failures.append(what)

    def _watch(self, loop: Loop) -> None:
        """What holds after each round, not only at the end of a step."""
        broken = [*(f"over-promised: {text}" for text in over_promised(loop))]
        broken += [f"routed to a replica that is not ready: {name}" for name in routed_to_nothing(loop)]
        self.failures += [text for text in broken if text not in self.failures]

    # --- Looking

    def _on(self, *clusters: str) -> bool:
        return self.stage.placed(_TEAM, _MODEL) == [Placed(cluster, 0, ready=True, routed=True) for cluster in clusters]

    def _scheduled(self, status: str, reason: str, *says: str) -> bool:
        found = self.stage.condition("ModelDeployment", _MODEL, _TEAM, "ReplicasScheduled")
        return found[:2] == (status, reason) and all(text in found[2] for text in says)

    def _uids(self) -> set[str]:
        return {replica["metadata"]["uid"] for replica in self.stage.loop.every("ModelReplica", _TEAM)}

    def _clusters(self) -> list[WorkloadCluster]:
        return [self.stage.loop.clusters[name] for name in sorted(self.stage.loop.clusters)]
