"""Why a replica is not somewhere: one dataclass for each refusal, with the numbers in it; `words` makes the text.

A refusal names its cluster, and its pool when the pool is what refuses. `words` leaves the cluster out, because the
reader of the text has it at hand. Adding a refusal: one class here, with a severity and the condition reason that it
stands for when nothing at all is placed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar


class Severity(IntEnum):
    """How far a refusal is from a placement: CAPACITY < SEARCH < UNAVAILABLE < DEVICES < LABELS < DEMAND."""

    CAPACITY = 1
    SEARCH = 2
    UNAVAILABLE = 3
    DEVICES = 4
    LABELS = 5
    DEMAND = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why `cluster` or its `pool` does not take a replica; both are empty when the demand itself is the reason."""

    severity: ClassVar[Severity]
    #: The reason of ReplicasScheduled (of ReplicasCurrent, for a blocked shape) when this is the headline.
    condition: ClassVar[str]

    cluster: str = ""
    pool: str = ""

    @property
    def reason(self) -> str:
        """The CamelCase name for `status.refusals[].reason`."""
        return type(self).__name__

    @property
    def helps_if_freed(self) -> bool:
        """Whether this refusal would go away if other replicas left."""
        return False

    def words(self) -> str:
        """One clause with the numbers, without the cluster's name."""
        return self._clause()

    def _clause(self) -> str:
        raise NotImplementedError


# --- The demand itself


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictingLabels(Refusal):
    """Two selectors want different values of one label; `values` and `sources` are in the order of the rules."""

    severity = Severity.DEMAND
    condition = "ConflictingSelectors"
    key: str
    values: tuple[str, ...]
    sources: tuple[str, ...]

    def _clause(self) -> str:
        wants = " and ".join(
            f"{source} wants {value!r}" for value, source in zip(self.values, self.sources, strict=True)
        )
        return f"label {self.key}: {wants}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoClusters(Refusal):
    """The fleet is empty."""

    severity = Severity.DEMAND
    condition = "NoClusters"

    def _clause(self) -> str:
        return "the fleet has no InferenceCluster"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacementHeld(Refusal):
    """Nothing new is placed until the input that `why` names is there."""

    severity = Severity.DEMAND
    condition = "PlacementHeld"
    why: str

    def _clause(self) -> str:
        return self.why


@dataclass(frozen=True, slots=True, kw_only=True)
class Paused(Refusal):
    """The deployment is paused."""

    severity = Severity.DEMAND
    condition = "Paused"

    def _clause(self) -> str:
        return "the deployment is paused"


# --- The cluster


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelMismatch(Refusal):
    """The cluster lacks a wanted label, or has another value; `found` is None where it lacks it."""

    severity = Severity.LABELS
    condition = "NoMatchingClusters"
    key: str
    wanted: str
    found: str | None
    source: str = "clusterSelector"

    def _clause(self) -> str:
        has = "has no such label" if self.found is None else f"has {self.found!r}"
        return f"{self.source} wants label {self.key}={self.wanted!r}, the cluster {has}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterTerminating(Refusal):
    """The cluster is being deleted."""

    severity = Severity.UNAVAILABLE
    condition = "ClustersUnavailable"

    def _clause(self) -> str:
        return "being deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterNotReady(Refusal):
    """The cluster is not Ready; `why` is its condition's reason and message."""

    severity = Severity.UNAVAILABLE
    condition = "ClustersUnavailable"
    why: str

    def _clause(self) -> str:
        return f"not Ready: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoGateway(Refusal):
    """The cluster's gateway has no address, so nothing could reach a replica there."""

    severity = Severity.UNAVAILABLE
    condition = "ClustersUnavailable"

    def _clause(self) -> str:
        return "its gateway has no address"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tainted(Refusal):
    """A taint that no toleration matches."""

    severity = Severity.UNAVAILABLE
    condition = "ClustersUnavailable"
    key: str
    value: str
    effect: str

    def _clause(self) -> str:
        return f"tainted {spelled(self.key, self.value, self.effect)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoPools(Refusal):
    """The cluster publishes no pool."""

    severity = Severity.DEVICES
    condition = "NoMatchingDevices"

    def _clause(self) -> str:
        return "publishes no pool"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchCutShort(Refusal):
    """The search for an arrangement was given up after `steps` steps; one may exist."""

    severity = Severity.SEARCH
    condition = "InsufficientCapacity"
    steps: int

    @property
    def helps_if_freed(self) -> bool:
        """Fewer promises leave fewer arrangements to search."""
        return True

    def _clause(self) -> str:
        where = f"pool {self.pool}: " if self.pool else ""
        return f"{where}the search was cut short after {self.steps} steps"


def spelled(key: str, value: str, effect: str) -> str:
    """A taint as kubectl writes it."""
    return f"{key}={value}:{effect}" if value else f"{key}:{effect}"
