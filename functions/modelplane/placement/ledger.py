"""What each pool has promised: immutable accounts, one kind for each way of charging a pool.

`charge` gives the account with more promised, `take` the same or None where that promises too much: undoing is dropping
a reference. An account that is not `sound` already takes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from modelplane.placement.facts import Allocation, Claim, Cluster, Held, Pin, Pool
from modelplane.placement.kinds import Catalogue, PerNode
from modelplane.placement.pool_reasons import GrowthBlocked, TooFewDevices, TooFewNodes
from modelplane.placement.reasons import Refusal

#: What one pod claims: for each device class, sorted, the counts of its claims, sorted.
Shape = tuple[tuple[str, tuple[int, ...]], ...]


class Load(NamedTuple):
    """`pods` pods that each claim `shape`. A pod that claims nothing is no load."""

    pods: int
    shape: Shape


Loads = tuple[Load, ...]

#: So many pods with these claims, for each member that is stamped with a pool; a malformed one may have fewer than 1.
Stamped = Sequence[tuple[int, tuple[Claim, ...]]]
NOTHING: Stamped = ()

#: For each class that a pod claims of a pool: its position in the account, how many the pod claims, and how few of it
#: on a node, in others' hands, keep the pod away from that node.
Seat = tuple[tuple[int, int, int], ...]


def shape_of(claims: tuple[Claim, ...]) -> Shape:
    """The claims of one pod by device class."""
    if len(claims) == 1:
        return ((claims[0].device_class, (claims[0].count,)),)
    sizes: dict[str, list[int]] = {}
    for claim in claims:
        sizes.setdefault(claim.device_class, []).append(claim.count)
    return tuple((name, tuple(sorted(sizes[name]))) for name in sorted(sizes))


def loads_of(pins: Iterable[Pin]) -> dict[str, Loads]:
    """What the pins promise in each pool that they name."""
    found: dict[str, Loads] = {}
    for pin in pins:
        if pin.claims and pin.pods * pin.copies > 0:
            found[pin.pool] = (*found.get(pin.pool, ()), Load(pin.pods * pin.copies, shape_of(pin.claims)))
    return found


class NodeAccount(NamedTuple):
    """A pool where each claiming pod is charged a whole node. `used` may exceed `nodes` after the pool shrank."""

    nodes: int
    used: int = 0

    @classmethod
    def of(cls, pool: Pool, _: Catalogue, stamped: Stamped) -> NodeAccount:
        """The account of the pool with this promised."""
        return cls(max(0, pool.nodes), sum([pods for pods, _ in stamped if pods > 0]))

    @property
    def sound(self) -> bool:
        """Whether no more is promised than there is."""
        return self.used <= self.nodes

    @property
    def free(self) -> int:
        """Nodes that nothing is promised on."""
        return max(0, self.nodes - self.used)

    @property
    def key(self) -> tuple[int, ...]:
        """Equal for accounts that take the same."""
        return (self.nodes - self.used,)

    def charge(self, loads: Loads) -> NodeAccount:
        """The account after this is promised, sound or not."""
        return NodeAccount(self.nodes, self.used + sum(load.pods for load in loads))

    def take(self, loads: Loads) -> NodeAccount | None:
        """The account after this is promised, or None."""
        used = self.used + sum(load.pods for load in loads)
        return NodeAccount(self.nodes, used) if used <= self.nodes else None

    def regrow(self, was: Loads, wanted: Loads) -> NodeAccount:
        """The account after `was`, which is charged, is charged as the larger of `was` and `wanted`; self if it is."""
        more = _pods(wanted) - _pods(was)
        return NodeAccount(self.nodes, self.used + more) if more > 0 else self

    def shortage(self, loads: Loads, engines: tuple[str, ...]) -> Refusal:
        """Why `take` gives None; cluster and pool are for the caller to fill in."""
        return TooFewNodes(need=_pods(loads), free=self.free, nodes=self.nodes, engines=engines)

    def stunted(self, was: Loads, wanted: Loads) -> Refusal:
        """Why `regrow` is not sound."""
        return GrowthBlocked(need=_pods(wanted) - _pods(was), free=self.free)


class DeviceAccount(NamedTuple):
    """A pool where each pod is charged the devices that it claims.

    A held claim names a device class alone, so the kinds of one class are judged together, by the one that is blocked
    soonest. `used` is in the order of `kinds`. `seats` are those promised, each of which must still find a node if its
    pod is restarted last. `lost` pods claim a class that the pool does not publish: each is charged a whole node,
    because its devices are there under another name.
    """

    nodes: int
    kinds: PerNode
    used: tuple[int, ...]
    seats: frozenset[Seat] = frozenset()
    lost: int = 0

    @classmethod
    def of(cls, pool: Pool, catalogue: Catalogue, stamped: Stamped) -> DeviceAccount:
        """The account of the pool with this promised."""
        kinds = catalogue.kinds(pool.devices).per_node
        empty = cls(max(0, pool.nodes), kinds, (0,) * len(kinds))
        if not stamped:
            return empty
        return empty.charge(tuple(Load(pods, shape_of(claims)) for pods, claims in stamped if pods > 0))

    @property
    def sound(self) -> bool:
        """Whether every promised pod finds a node, however the others are packed.

        The others can block so many nodes to it, summed over the classes that it claims, and one must be left.
        """
        used, room = self.used, self.nodes - self.lost
        return room >= 0 and all(
            sum((used[position] - own) // toll for position, own, toll in seat) < room for seat in self.seats
        )

    @property
    def free(self) -> int:
        """Nodes that stay empty when the promised devices are packed as tightly as they go."""
        packed = (-(-used // sum(counts)) for used, (_, counts) in zip(self.used, self.kinds, strict=True))
        return max(0, self.nodes - self.lost - max(packed, default=0))

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for accounts that take the same."""
        return (self.nodes - self.lost, self.kinds, self.used, tuple(sorted(self.seats)))

    def charge(self, loads: Loads) -> DeviceAccount:
        """The account after this is promised, sound or not."""
        used, seats, lost = list(self.used), set(self.seats), self.lost
        for pods, shape in loads:
            seat = self._seat(shape)
            if len(seat) < len(shape):
                lost += pods
            for position, own, _ in seat:
                used[position] += pods * own
            if seat:
                seats.add(seat)
        return self._replace(used=tuple(used), seats=frozenset(seats), lost=lost)

    def take(self, loads: Loads) -> DeviceAccount | None:
        """The account after this is promised, or None."""
        after = self.charge(loads)
        return after if after.sound else None

    def regrow(self, was: Loads, wanted: Loads) -> DeviceAccount:
        """The account after `was`, which is charged, is charged as the larger of `was` and `wanted`.

        Self where nothing more is wanted of a pool that has promised too much already: a shrink is never in its way.
        """
        old, new = self._empty().charge(was), self._empty().charge(wanted)
        more = tuple(max(0, n - o) for o, n in zip(old.used, new.used, strict=True))
        lost = max(0, new.lost - old.lost)
        if not any(more) and not lost and not self.sound:
            return self
        used = tuple(u + m for u, m in zip(self.used, more, strict=True))
        return self._replace(used=used, seats=self.seats | new.seats, lost=self.lost + lost)

    def shortage(self, loads: Loads, engines: tuple[str, ...]) -> Refusal:
        """Why `take` gives None; cluster and pool are for the caller to fill in."""
        position = self._scarcest(loads)
        name, counts = self.kinds[position]
        return TooFewDevices(
            device_class=name,
            need=_devices(loads, name),
            per_pod=max(_devices((Load(1, shape),), name) for _, shape in loads),
            promised=self.used[position],
            total=self.nodes * sum(counts),
            fits_empty=self._empty().take(loads) is not None,
            engines=engines,
        )

    def stunted(self, was: Loads, wanted: Loads) -> Refusal:
        """Why `regrow` is not sound. Claims of unpublished classes alone are counted in nodes."""
        if not any(self._seat(shape) for _, shape in wanted):
            return GrowthBlocked(need=_pods(wanted) - _pods(was), free=self.free)
        position = self._scarcest(wanted)
        name, counts = self.kinds[position]
        free = max(0, self.nodes * sum(counts) - self.used[position])
        return GrowthBlocked(need=max(0, _devices(wanted, name) - _devices(was, name)), free=free, unit=name)

    def _empty(self) -> DeviceAccount:
        return self._replace(used=(0,) * len(self.used), seats=frozenset(), lost=0)

    def _seat(self, shape: Shape) -> Seat:
        """What of the shape the pool publishes."""
        return tuple(
            (position, sum(sizes), _toll(counts, sizes))
            for name, sizes in shape
            for position, (known, counts) in enumerate(self.kinds)
            if known == name
        )

    def _scarcest(self, loads: Loads) -> int:
        """The position of the class of these loads of which the largest part is promised."""
        after = self.charge(loads).used
        wanted = sorted({position for _, shape in loads for position, _, _ in self._seat(shape)})
        return max(wanted, key=lambda position: after[position] / sum(self.kinds[position][1]))


def _pods(loads: Loads) -> int:
    return sum(load.pods for load in loads)


def _devices(loads: Loads, name: str) -> int:
    """How many devices of a class all the pods claim."""
    return sum(pods * sum(sizes) for pods, shape in loads for known, sizes in shape if known == name)


def _toll(counts: tuple[int, ...], sizes: tuple[int, ...]) -> int:
    """How few devices of a class on a node keep a pod that claims `sizes` of it away.

    With one kind of c devices and d wanted that is c - d + 1. With several, whichever kind the pod may depend on.
    """
    want = sum(sizes)
    return min((c - min(want, c) + 1 for c in counts if c >= sizes[0]), default=1)


Account = NodeAccount | DeviceAccount

#: How a pool is charged, by its `allocation`.
ACCOUNTS: Mapping[Allocation, Callable[[Pool, Catalogue, Stamped], Account]] = {
    "Node": NodeAccount.of,
    "Device": DeviceAccount.of,
}


def open_accounts(cluster: Cluster, held: Iterable[Held], catalogue: Catalogue) -> tuple[Account, ...]:
    """The accounts of the cluster's pools, in their order, with the replicas on it charged for what is stamped on them.

    Of two pools with one name, the first is charged. A pin to a pool that is not published is charged nothing.
    """
    promised: dict[str, list[tuple[int, tuple[Claim, ...]]]] = {pool.name: [] for pool in cluster.pools}
    for replica in held:
        for pin in replica.pins:
            if pin.claims and pin.pool in promised:
                promised[pin.pool].append((pin.pods * pin.copies, pin.claims))
    return tuple(ACCOUNTS[pool.allocation](pool, catalogue, promised.pop(pool.name, NOTHING)) for pool in cluster.pools)
