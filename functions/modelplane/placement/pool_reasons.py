"""Why a pool does not take an engine, or a kept replica's new shape: refusals about its devices and about its room."""

from __future__ import annotations

from dataclasses import dataclass

from modelplane.placement.facts import Unmet
from modelplane.placement.reasons import Refusal, Severity

# --- The devices of a pool


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRefusal(Refusal):
    """A pool's devices do not meet a member's requests, however free the pool is."""

    severity = Severity.DEVICES
    condition = "NoMatchingDevices"
    engine: str = ""
    role: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoMatchingDevice(DeviceRefusal):
    """No kind of device meets a request; `device` came nearest and fails at `unmet`. Empty: the pool has no kinds."""

    request: str
    device: str = ""
    unmet: Unmet | None = None

    def _clause(self) -> str:
        if self.unmet is None:
            return f"pool {self.pool} publishes no devices for request {self.request}"
        seen = self.unmet.error or self.unmet.found
        return (
            f"pool {self.pool}: device {self.device} does not meet request {self.request}: "
            f"{self.unmet.clause}{f' ({seen})' if seen else ''}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TooFewDevicesPerNode(DeviceRefusal):
    """A kind meets the request's selectors, but a node has fewer than `need` of it."""

    request: str
    device: str
    need: int
    have: int

    def _clause(self) -> str:
        return (
            f"pool {self.pool}: request {self.request} needs {self.need} {self.device} on a node, which has {self.have}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestsCompete(DeviceRefusal):
    """Each request could be met alone, but a node's devices do not meet all at once."""

    requests: tuple[str, ...]
    need: int
    have: int

    def _clause(self) -> str:
        return (
            f"pool {self.pool}: a node's {self.have} devices do not meet requests {' and '.join(self.requests)} "
            f"({self.need} devices) at once"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingClaimable(DeviceRefusal):
    """The requests match Synthetic kinds alone, so no pod would claim a device."""

    def _clause(self) -> str:
        return f"pool {self.pool}: engine {self.engine} matches only Synthetic devices, which no pod can claim"


# --- The room in a pool


@dataclass(frozen=True, slots=True, kw_only=True)
class TooFewNodes(Refusal):
    """A Node pool has fewer free nodes than the engines need; `engines` is empty when the demand has one."""

    severity = Severity.CAPACITY
    condition = "InsufficientCapacity"
    need: int
    free: int
    nodes: int
    engines: tuple[str, ...] = ()

    @property
    def helps_if_freed(self) -> bool:
        """Whether the pool has that many nodes at all."""
        return self.need <= self.nodes

    def _clause(self) -> str:
        of = "" if self.helps_if_freed else f" of {self.nodes}"
        nodes = "node" if self.need == 1 else "nodes"
        return f"pool {self.pool} needs {self.need} {nodes}{listed(self.engines)}, {self.free}{of} free"


@dataclass(frozen=True, slots=True, kw_only=True)
class TooFewDevices(Refusal):
    """A Device pool cannot promise the devices however its scheduler packs; the figures are of one device class.

    `need` devices for all pods together, `per_pod` for the largest, `promised` of `total` already promised.
    `fits_empty` says whether the empty pool would take them.
    """

    severity = Severity.CAPACITY
    condition = "InsufficientCapacity"
    device_class: str
    need: int
    per_pod: int
    promised: int
    total: int
    fits_empty: bool
    engines: tuple[str, ...] = ()

    @property
    def helps_if_freed(self) -> bool:
        """Whether the empty pool would take them."""
        return self.fits_empty

    def _clause(self) -> str:
        return (
            f"pool {self.pool} needs {self.need} {self.device_class}{listed(self.engines)}, {self.per_pod} on a node; "
            f"{self.promised} of {self.total} are promised"
        )


# --- Why a kept replica is not reshaped


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowthBlocked(Refusal):
    """The wanted shape of a kept replica needs `need` more of `unit` in its pool than the present one, of `free`."""

    severity = Severity.CAPACITY
    condition = "GrowthBlocked"
    need: int
    free: int
    unit: str = "nodes"

    @property
    def helps_if_freed(self) -> bool:
        """What is lacking is room alone."""
        return True

    def _clause(self) -> str:
        return f"growing in pool {self.pool} needs {self.need} more {self.unit}, {self.free} free"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpublished(Refusal):
    """The cluster publishes nothing at present, so a changed shape cannot be checked against it."""

    severity = Severity.UNAVAILABLE
    condition = "GrowthBlocked"

    def _clause(self) -> str:
        return "the cluster publishes no pool to check the changed shape against"


def listed(engines: tuple[str, ...]) -> str:
    """The engines as a phrase; empty for none."""
    return f" for {' and '.join(engines)}" if engines else ""
