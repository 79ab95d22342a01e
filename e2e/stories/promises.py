"""What the fleet was promised at every observed moment, and whether a serving replica was ever lost."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from e2e.lab.api import Api
from e2e.lab.objects import Manifest, is_true
from e2e.lab.watch import Watch
from e2e.stories.story import GROUP

Place = tuple[str, str]  # cluster and pool


@dataclass(frozen=True, slots=True)
class Room:
    """What a pool has; `devices` is 0 where whole nodes are charged."""

    nodes: int
    devices: int = 0


def charges(replica: Manifest, rooms: Mapping[Place, Room]) -> Iterator[tuple[Place, int]]:
    """What one replica takes of each pool: nodes, or devices where the pool is charged by them."""
    cluster = replica["spec"]["clusterName"]
    for engine in replica["spec"]["engines"]:
        for member in engine["members"]:
            place = (cluster, member["nodePoolName"])
            pods = engine.get("copies", 1) * member.get("worker", {}).get("nodes", 1)
            per_pod = sum(each.get("count", 1) for each in member.get("deviceRequests", ()))
            by_device = place in rooms and rooms[place].devices
            yield place, pods * (per_pod if by_device else 1)


@dataclass
class Promises:
    """Follows the replicas of the whole fleet; what it found wrong stands in `broken` and in `lost`."""

    rooms: Mapping[Place, Room]
    allowed: set[str] = field(default_factory=set)  # uids that may be lost, and clusters whose replicas may
    broken: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    longest_s: float = 0.0  # how long two replicas were promised the same room, at most

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._replicas: dict[str, Manifest] = {}
        self._ready: set[str] = set()
        self._over_since: dict[Place, float] = {}

    def follow(self, api: Api) -> Watch:
        """Begins to watch."""
        return Watch(api, GROUP, "ModelReplica", self.seen)

    def seen(self, replica: Manifest, gone: bool) -> None:  # noqa: FBT001 - the shape that Watch calls
        """One change."""
        meta = replica["metadata"]
        with self._lock:
            going = gone or "deletionTimestamp" in meta
            if going and meta["uid"] in self._ready:
                self._ready.discard(meta["uid"])
                if not self.allowed & {meta["uid"], replica["spec"]["clusterName"], meta["namespace"]}:
                    self.lost.append(f"{meta['namespace']}/{meta['name']} on {replica['spec']['clusterName']}")
            if gone:
                self._replicas.pop(meta["uid"], None)
            else:
                self._replicas[meta["uid"]] = replica
                if not going and is_true(replica, "Ready"):
                    self._ready.add(meta["uid"])
            self._weigh()

    def _weigh(self) -> None:
        taken: Counter[Place] = Counter()
        served: Counter[Place] = Counter()
        for uid, replica in self._replicas.items():
            for place, amount in charges(replica, self.rooms):
                taken[place] += amount
                served[place] += amount if uid in self._ready else 0
        now = time.monotonic()
        for place, room in self.rooms.items():
            most = room.nodes * (room.devices or 1)
            if served[place] > most:
                self.broken.append(f"{'/'.join(place)}: {served[place]} serve where {most} fit")
            if taken[place] > most:
                self._over_since.setdefault(place, now)
            elif place in self._over_since:
                self.longest_s = max(self.longest_s, now - self._over_since.pop(place))

    def over(self) -> list[str]:
        """The pools that are promised twice now."""
        with self._lock:
            return ["/".join(place) for place in sorted(self._over_since)]
