"""A stage whose fleet is watched: what must hold is asserted after every round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from modelplane.embedded.loop import Loop
from modelplane.embedded.promises import over_promised, routed_to_nothing, serving, stranded
from modelplane.embedded.stage import Placed, Stage, read
from modelplane.embedded.things import Plain
from tests.embedded.world import EXAMPLES

Where = dict[str, list[tuple[str, int]]]


@dataclass
class Story(Stage):
    """A stage whose fleet is watched: see `watch`."""

    #: Replicas that the story may take away while they serve, by namespace and deployment.
    leaving: set[tuple[str, str]] = field(default_factory=set)
    #: A node or a cluster died: for some rounds an endpoint may still name a replica that is not ready.
    faulty: bool = False
    _serving: Mapping[tuple[str, str], Plain] = field(default_factory=dict)

    def watch(self, loop: Loop) -> None:
        """What holds after each round."""
        assert over_promised(loop, serving_only=True) == [], "nodes of serving replicas are promised once"
        assert loop.lag or over_promised(loop) == [], "who sees the fleet as it is promises nothing twice"
        assert self.faulty or routed_to_nothing(loop) == [], "no endpoint without a ready replica"
        now = serving(loop)
        lost = [
            identity
            for identity, replica in self._serving.items()
            if identity not in now
            and self._gone(identity)
            and (identity[0], replica["metadata"]["labels"]["modelplane.ai/deployment"]) not in self.leaving
        ]
        assert lost == [], "a serving replica goes by an explicit decision alone"
        self._serving = now

    def _gone(self, identity: tuple[str, str]) -> bool:
        found = self.loop.control.find(self.loop.key("ModelReplica", identity[1], identity[0]))
        return found is None or "deletionTimestamp" in found["metadata"]

    def settle(self) -> None:
        """Settle; then nothing is promised twice, no pod waits, and no route leads to a replica that is not ready."""
        self.loop.settle()
        assert over_promised(self.loop) == []
        assert routed_to_nothing(self.loop) == []
        assert stranded(self.loop) == []

    def play(self, *files: str) -> list[Plain]:
        """Bring up the clusters of example files, apply the files, and settle. The manifests."""
        manifests = [manifest for file in files for manifest in read(EXAMPLES / file)]
        self.bring_up(manifests)
        self.loop.apply(*manifests)
        self.settle()
        return manifests

    def where(self) -> Where:
        """Every deployment's replicas: cluster and index."""
        return {
            thing["metadata"]["name"]: [
                (placed.cluster, placed.index)
                for placed in self.placed(thing["metadata"]["namespace"], thing["metadata"]["name"])
            ]
            for thing in self.loop.every("ModelDeployment")
        }

    def uids(self) -> set[str]:
        """The uids of all replicas."""
        return {replica["metadata"]["uid"] for replica in self.loop.every("ModelReplica")}

    def scheduled(self, name: str, namespace: str = "ml-team") -> tuple[str, str, str]:
        """The condition ReplicasScheduled of a deployment."""
        return self.condition("ModelDeployment", name, namespace, "ReplicasScheduled")


def on(*clusters: str) -> list[Placed]:
    """Replicas of index 0 that serve and are routed to."""
    return [Placed(cluster, 0, ready=True, routed=True) for cluster in clusters]
