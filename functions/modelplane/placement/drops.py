"""Why an own replica is not kept: one dataclass for each explicit decision that removes it."""

from __future__ import annotations

from dataclasses import dataclass

from modelplane.placement.pool_reasons import DeviceRefusal
from modelplane.placement.reasons import spelled


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a replica is dropped; the base of the closed list below."""

    @property
    def reason(self) -> str:
        """The CamelCase name, for events and tables."""
        return type(self).__name__

    def words(self) -> str:
        """One clause that goes on after "the replica is removed because"."""
        return self._clause()

    def _clause(self) -> str:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Terminating(Cause):
    """It is being deleted already; it is charged until it is gone."""

    def _clause(self) -> str:
        return "it is being deleted"


@dataclass(frozen=True, slots=True)
class ClusterGone(Cause):
    """Its cluster is not in the fleet, which is not empty."""

    cluster: str

    def _clause(self) -> str:
        return f"cluster {self.cluster} is gone"


@dataclass(frozen=True, slots=True)
class ClusterTerminating(Cause):
    """Its cluster is being deleted."""

    cluster: str

    def _clause(self) -> str:
        return f"cluster {self.cluster} is being deleted"


@dataclass(frozen=True, slots=True)
class Evicted(Cause):
    """An untolerated NoExecute taint drains its cluster."""

    cluster: str
    key: str
    value: str

    def _clause(self) -> str:
        return f"cluster {self.cluster} is tainted {spelled(self.key, self.value, 'NoExecute')}"


@dataclass(frozen=True, slots=True)
class Duplicate(Cause):
    """Another replica, first by key, has the same cluster and index."""

    of: str

    def _clause(self) -> str:
        return f"{self.of} has the same cluster and index"


@dataclass(frozen=True, slots=True)
class ShapeChanged(Cause):
    """The engines or their members' roles were edited; both sides are (engine, roles) in the order of the objects."""

    was: tuple[tuple[str, tuple[str, ...]], ...]
    wanted: tuple[tuple[str, tuple[str, ...]], ...]

    def _clause(self) -> str:
        return f"its engines were edited: {_shape(self.was)} became {_shape(self.wanted)}"


@dataclass(frozen=True, slots=True)
class PoolGone(Cause):
    """Its cluster publishes pools, and this one no longer."""

    cluster: str
    pool: str

    def _clause(self) -> str:
        return f"cluster {self.cluster} no longer has pool {self.pool!r}"


@dataclass(frozen=True, slots=True)
class DevicesChanged(Cause):
    """The device requests were edited, and the pool that it is on does not meet them."""

    refusal: DeviceRefusal

    def _clause(self) -> str:
        return f"its device requests were edited: {self.refusal.words()}"


@dataclass(frozen=True, slots=True)
class Yielded(Cause):
    """Its pool was promised more than it has, it never served, and earlier replicas fill the pool."""

    cluster: str
    pool: str

    def _clause(self) -> str:
        return f"pool {self.pool} of cluster {self.cluster} was promised to an earlier replica at the same moment"


@dataclass(frozen=True, slots=True)
class ScaledDown(Cause):
    """Fewer replicas are wanted."""

    wanted: int

    def _clause(self) -> str:
        return f"{self.wanted} replicas are wanted"


def _shape(engines: tuple[tuple[str, tuple[str, ...]], ...]) -> str:
    return ", ".join(f"{name} ({'+'.join(roles)})" for name, roles in engines) or "none"
