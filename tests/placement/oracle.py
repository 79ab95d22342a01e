"""A second opinion, written apart from the code that it judges: slow, plain, for small fleets alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product

from modelplane.placement.facts import Claim, Cluster, Demand, Engine, Held, Member, Pin, Pool, World
from modelplane.placement.outcome import Placement

#: One pod's claims as (device class, count).
Pod = tuple[tuple[str, int], ...]


# --- The rules of charging


def pods_by_pool(held: tuple[Held, ...], cluster: str) -> dict[str, list[Pod]]:
    """Every claiming pod promised on the cluster, one by one."""
    pods: dict[str, list[Pod]] = defaultdict(list)
    for replica in held:
        if replica.cluster == cluster:
            for pin in replica.pins:
                if pin.claims:
                    pods[pin.pool] += [pod_of(pin.claims)] * (pin.pods * pin.copies)
    return pods


def pod_of(claims: tuple[Claim, ...]) -> Pod:
    return tuple((claim.device_class, claim.count) for claim in claims)


def holds(pool: Pool, pods: list[Pod]) -> bool:
    """Whether the pool may promise all these pods: house.md's rule for Node and for Device pools."""
    nodes = max(0, pool.nodes)
    if pool.allocation == "Node":
        return len(pods) <= nodes
    counts: dict[str, list[int]] = defaultdict(list)
    for device in pool.devices:
        if device.claimable and device.count_per_node > 0:
            counts[device.device_class].append(device.count_per_node)
    strange = [pod for pod in pods if any(name not in counts for name, _ in pod)]
    if len(strange) > nodes:
        return False
    return all(blocked(pods, i, counts) < nodes - len(strange) for i in range(len(pods)) if known(pods[i], counts))


def known(pod: Pod, counts: dict[str, list[int]]) -> Pod:
    return tuple(claim for claim in pod if claim[0] in counts)


def blocked(pods: list[Pod], i: int, counts: dict[str, list[int]]) -> int:
    """On how many nodes the other pods could keep the i-th away: per class, U of the others over c - d + 1."""
    total = 0
    for name in {name for name, _ in known(pods[i], counts)}:
        others = sum(count for j, pod in enumerate(pods) if j != i for n, count in pod if n == name)
        sizes = [count for n, count in pods[i] if n == name]
        tolls = [c - min(sum(sizes), c) + 1 for c in counts[name] if c >= min(sizes)]
        total += others // min(tolls, default=1)
    return total


def overpromised(world: World) -> list[str]:
    """The pools that promise more than they have, as "cluster/pool"."""
    found = []
    for cluster in world.clusters:
        pods = pods_by_pool(world.held, cluster.name)
        found += [f"{cluster.name}/{p.name}" for p in cluster.pools if not holds(p, pods.get(p.name, []))]
    return found


# --- Brute force over every arrangement


def takers(demand: Demand, world: World) -> list[str]:
    """The clusters that could take one more replica, by trying every pool and kind for everything."""
    return [
        cluster.name
        for cluster in world.clusters
        if open_to(demand, cluster) and any(True for _ in arrangements(demand, cluster, world.held))
    ]


def open_to(demand: Demand, cluster: Cluster) -> bool:
    labels = dict(cluster.labels)
    fits_labels = all(labels.get(rule.key) == rule.value for rule in demand.selector)
    return (
        fits_labels and bool(cluster.gateway) and not cluster.unready and not cluster.terminating and not cluster.taints
    )


def arrangements(demand: Demand, cluster: Cluster, held: tuple[Held, ...]) -> Iterator[tuple[Pin, ...]]:
    pods = pods_by_pool(held, cluster.name)
    ways = [[way for pool in cluster.pools for way in hosted(engine, pool)] for engine in demand.engines]
    for choice in product(*ways):
        pins = tuple(pin for way in choice for pin in way)
        taken = [pool for pool in cluster.pools if mine(pins, pool.name)]
        if all(holds(pool, pods.get(pool.name, []) + mine(pins, pool.name)) for pool in taken):
            yield pins


def mine(pins: tuple[Pin, ...], pool: str) -> list[Pod]:
    return [pod_of(pin.claims) for pin in pins if pin.pool == pool and pin.claims for _ in range(pin.pods * pin.copies)]


def hosted(engine: Engine, pool: Pool) -> Iterator[tuple[Pin, ...]]:
    """Every way to put all members of the engine on the pool with at least one claim."""
    ways = [most_claims(member, pool) for member in engine.members]
    for choice in product(*ways):
        if any(choice):
            yield tuple(
                Pin(engine.name, member.role, pool.name, member.pods, engine.copies, claims)
                for member, claims in zip(engine.members, choice, strict=True)
            )


def most_claims(member: Member, pool: Pool) -> list[tuple[Claim, ...]]:
    """The claims of every assignment of requests to kinds that has as many claims as any."""
    found: list[tuple[Claim, ...]] = []
    for choice in product(range(len(pool.devices)), repeat=len(member.requests)):
        pairs = list(zip(member.requests, (pool.devices[k] for k in choice), strict=True))
        if any(request.accepts(device.facts) is not None for request, device in pairs):
            continue
        used: dict[int, int] = defaultdict(int)
        for request, k in zip(member.requests, choice, strict=True):
            used[k] += request.count
        if all(count <= pool.devices[k].count_per_node for k, count in used.items()):
            found.append(tuple(Claim(r.name, d.device_class, r.count, r.selectors) for r, d in pairs if d.claimable))
    most = max((len(claims) for claims in found), default=0)
    return [claims for claims in found if len(claims) == most]


def allowed(demand: Demand, placement: Placement, world: World) -> bool:
    """Whether brute force knows the arrangement of a new placement."""
    cluster = next(cluster for cluster in world.clusters if cluster.name == placement.cluster)
    found = arrangements(demand, cluster, world.held)
    return any(sorted(pins, key=repr) == sorted(placement.pins, key=repr) for pins in found)


# --- The packer that wishes us ill


def seats(counts: tuple[int, ...], nodes: int, others: list[tuple[int, ...]], pod: tuple[int, ...]) -> bool:
    """Whether a pod finds a node whichever way the others lie, on nodes with kinds of one class.

    A pod is the sizes of its claims. The others may take any devices of the class; the pod may depend on any kinds that
    an empty node could give it, and must find those.
    """
    needs = needs_of(counts, pod)
    for packing in packings((counts,) * nodes, others):
        for need in needs:
            if not any(all(n <= left for n, left in zip(need, node, strict=True)) for node in packing):
                return False
    return True


def needs_of(counts: tuple[int, ...], pod: tuple[int, ...]) -> set[tuple[int, ...]]:
    """What the pod may need of each kind: each claim wholly from one kind, as much as an empty node has."""
    needs = set()
    for choice in product(range(len(counts)), repeat=len(pod)):
        need = tuple(sum(size for size, k in zip(pod, choice, strict=True) if k == kind) for kind in range(len(counts)))
        if all(n <= c for n, c in zip(need, counts, strict=True)):
            needs.add(need)
    return needs


def packings(nodes: tuple[tuple[int, ...], ...], pods: list[tuple[int, ...]]) -> set[tuple[tuple[int, ...], ...]]:
    """What may be left of each kind on each node, for every way to seat the pods; nodes are interchangeable."""
    states = {tuple(sorted(nodes))}
    for pod in pods:
        states = {
            tuple(sorted((*state[:i], left, *state[i + 1 :])))
            for state in states
            for i, node in enumerate(state)
            for left in drawn(node, pod)
        }
    return states


def drawn(node: tuple[int, ...], pod: tuple[int, ...]) -> set[tuple[int, ...]]:
    """What may be left on the node when the pod took its devices, from any kinds."""
    total = sum(pod)
    return {
        tuple(left - take for left, take in zip(node, takes, strict=True))
        for takes in product(*(range(left + 1) for left in node))
        if sum(takes) == total
    }
