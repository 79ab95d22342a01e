"""What placement returns: a `Plan` of placements, of what is dropped, and of why the rest is missing."""

from __future__ import annotations

from dataclasses import dataclass, field

from modelplane.placement.drops import Cause
from modelplane.placement.facts import Claim, Held, Pin, Role
from modelplane.placement.reasons import Refusal


@dataclass(frozen=True, slots=True)
class PlacedMember:
    """One member on its pool, with what each of its pods claims there; `claims` is empty where it claims nothing."""

    role: Role
    pool: str
    pods: int
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class PlacedEngine:
    """One engine of a placed replica. Members of a new placement share one pool."""

    name: str
    copies: int
    members: tuple[PlacedMember, ...]


@dataclass(frozen=True, slots=True)
class Placement:
    """One replica: a kept one has its `held`, a new one None.

    `blocked` is None, or why the spec does not reach a kept replica: its engines are then those observed, and its
    object is to be written again as it is.
    """

    cluster: str
    index: int
    engines: tuple[PlacedEngine, ...]
    held: Held | None = None
    blocked: Refusal | None = None

    @property
    def pins(self) -> tuple[Pin, ...]:
        """The engines as the pins that a `Held` carries."""
        return tuple(
            Pin(engine.name, member.role, member.pool, member.pods, engine.copies, member.claims)
            for engine in self.engines
            for member in engine.members
        )


@dataclass(frozen=True, slots=True)
class Dropped:
    """An own replica that is not kept. It is charged, and its index is taken, until it is gone."""

    held: Held
    cause: Cause


@dataclass(slots=True)
class Steps:
    """How much work a plan took, for tests that notice a slower algorithm."""

    #: Calls of `Request.accepts`.
    evaluated: int = 0
    #: Choices tried of a kind of device for a request.
    matched: int = 0
    #: Choices tried of a pool for an engine.
    tried: int = 0
    #: Attempts to fit a whole replica into a cluster.
    fitted: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do. `kept` and `placed` are sorted by (cluster, index); every own replica is in `kept` or `dropped`.

    `short` of the wanted replicas have no cluster, and then `why` has one refusal or more for every cluster, sorted by
    cluster, and for each of its pools where the pools refuse. `asked` identifies the device requests, for `Held.asked`.
    """

    kept: tuple[Placement, ...] = ()
    placed: tuple[Placement, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    short: int = 0
    why: tuple[Refusal, ...] = ()
    asked: str = ""
    steps: Steps = field(default_factory=Steps, compare=False)

    @property
    def placements(self) -> tuple[Placement, ...]:
        """Kept and placed together, sorted by (cluster, index)."""
        return tuple(sorted((*self.kept, *self.placed), key=lambda p: (p.cluster, p.index)))
