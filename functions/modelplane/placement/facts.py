"""The values that placement reads and returns: frozen, hashable, tuples throughout, with the unit in the name.

Readers build them from Kubernetes objects; nothing here knows of one. A `Request` carries its selectors as a callable
(`accepts`), so that CEL never enters this room.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from modelplane.value.device import Facts

Role = Literal["Standalone", "Leader", "Worker"]
Allocation = Literal["Node", "Device"]
Effect = Literal["NoSchedule", "NoExecute"]


# --- What a deployment wants


class Owner(NamedTuple):
    """A deployment's identity."""

    namespace: str
    name: str


@dataclass(frozen=True, slots=True)
class Unmet:
    """Why a kind of device does not meet a request: the first clause that is not true, and what it found."""

    #: The index of the selector in the request.
    selector: int
    #: The clause's source text, the smallest part of the conjunction that is not true.
    clause: str
    #: What the clause's references evaluate to, such as ``device.capacity["gpu.x"].memory = 24Gi``; may be empty.
    found: str = ""
    #: The evaluation error, when the clause did not end in a boolean.
    error: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """So many devices of one kind on a pod's node. Equal requests have equal name, count and selector texts."""

    name: str
    count: int
    selectors: tuple[str, ...]
    #: None when the kind of device meets every selector, else why it does not. Pure; memoised by the maker.
    accepts: Callable[[Facts], Unmet | None] = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Member:
    """The like pods of one role in one copy of an engine."""

    role: Role
    pods: int
    requests: tuple[Request, ...] = ()


@dataclass(frozen=True, slots=True)
class Engine:
    """`copies` identical groups of members, which all land on one pool."""

    name: str
    copies: int
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Toleration:
    """Kubernetes' rule: an empty key with Exists matches every taint, an empty effect every effect."""

    key: str = ""
    operator: Literal["Exists", "Equal"] = "Equal"
    value: str = ""
    effect: Effect | Literal[""] = ""


@dataclass(frozen=True, slots=True)
class LabelRule:
    """A cluster must carry this label with this value; `source` names the field that says so, for the words."""

    key: str
    value: str
    source: str = "clusterSelector"


@dataclass(frozen=True, slots=True)
class Demand:
    """What one deployment wants.

    `hold` is empty, or says why nothing new may be placed (a cache that is missing): what runs stays and shrinking goes
    on. `paused` stops everything: nothing is placed, moved, reshaped or removed.
    """

    owner: Owner
    replicas: int
    engines: tuple[Engine, ...]
    tolerations: tuple[Toleration, ...] = ()
    selector: tuple[LabelRule, ...] = ()
    hold: str = ""
    paused: bool = False


# --- What there is


@dataclass(frozen=True, slots=True)
class Device:
    """One kind of device on every node of a pool. `claimable` is False for Synthetic kinds: matched, never claimed."""

    name: str
    facts: Facts
    count_per_node: int
    device_class: str = ""
    claimable: bool = True


@dataclass(frozen=True, slots=True)
class Pool:
    """`nodes` like nodes; `allocation` says whether a claiming pod is charged a whole node or its devices."""

    name: str
    nodes: int
    devices: tuple[Device, ...]
    allocation: Allocation = "Node"


@dataclass(frozen=True, slots=True)
class Taint:
    """A cluster's taint."""

    key: str
    effect: Effect
    value: str = ""


@dataclass(frozen=True, slots=True)
class Cluster:
    """One cluster as published. `unready` is empty when it is Ready, else the reason and message of its condition."""

    name: str
    labels: tuple[tuple[str, str], ...] = ()
    pools: tuple[Pool, ...] = ()
    taints: tuple[Taint, ...] = ()
    gateway: str = ""
    unready: str = ""
    terminating: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """Devices that each pod of a placed member claims, with the selectors of the request that it answers."""

    request: str
    device_class: str
    count: int
    selectors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pin:
    """One member of a placed engine: its pool, and what each of its `pods * copies` pods claims there."""

    engine: str
    role: Role
    pool: str
    pods: int
    copies: int = 1
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class Held:
    """A replica that exists, whoever owns it.

    `created` is the creation time as the API server writes it (RFC 3339 in UTC, which sorts as text). `served` says
    that it was Ready at least once. A `terminating` replica is charged until it is gone. `asked` is the `Plan.asked`
    that was current when its spec was last written, or empty where that was not recorded: it tells a user's edit of the
    device requests from a drift of the devices.
    """

    owner: Owner
    key: str
    cluster: str
    index: int
    pins: tuple[Pin, ...]
    ready: bool = False
    served: bool = False
    terminating: bool = False
    created: str = ""
    uid: str = ""
    asked: str = ""


@dataclass(frozen=True, slots=True)
class World:
    """The fleet in one moment: every cluster, and every replica of every deployment, in any order."""

    clusters: tuple[Cluster, ...] = ()
    held: tuple[Held, ...] = ()
