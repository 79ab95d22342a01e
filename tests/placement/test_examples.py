"""Every worked example of the contract's placement.md, section 19, with the deviations that we decided on.

Notation as there: p(4) is a pool of four nodes with one kind `acc` of 96Gi, one a node; deployment `sonnet`, one
Standalone that asks for 80Gi, unless said otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import pytest

from modelplane.placement.facts import Claim, Cluster, Demand, Owner, Toleration, World
from modelplane.placement.outcome import Plan
from modelplane.placement.plan import plan
from tests.placement.worlds import (
    HAIKU,
    NONE,
    alone,
    ask,
    cluster,
    demand,
    dropped,
    gang,
    held,
    kind,
    no_execute,
    no_schedule,
    pinned,
    pool,
    reasons,
    spots,
    world,
)

SMALL, BIG, HUGE = ask("memory >= 20"), ask("memory >= 80"), ask("memory >= 150")
NIC = ask("rail == ib", name="nic")
X, Y = ask("memory >= 20", name="x"), ask("memory >= 80", name="y")
MIX = (kind(), kind("synth", 192, synthetic=True))
RAIL = kind("nic", 0, rail="ib", synthetic=True)
ETH = kind("nic", 0, rail="eth", synthetic=True)


@dataclass(frozen=True)
class Case:
    name: str
    reason: str
    demand: Demand
    world: World
    want: str
    short: int = 0
    gone: str = ""
    pins: str = ""
    why: str = ""


def c(name: str, nodes: int, **fields: Any) -> Cluster:
    """A cluster with the pool p(nodes)."""
    return cluster(name, pool("p", nodes), **fields)


CASES: Final = [
    Case("1", "spread over empty clusters that are alike goes by name", demand(2),
         world(c("tokyo", 2), c("oslo", 2), c("lima", 2)), "lima/0 oslo/0"),
    Case("2", "on equal load and room the name decides again", demand(3), world(c("lima", 4), c("oslo", 4)),
         "lima/0 lima/1 oslo/0"),
    Case("3", "a full cluster takes no more and the rest packs", demand(4), world(c("lima", 1), c("oslo", 9)),
         "lima/0 oslo/0 oslo/1 oslo/2"),
    Case("4", "spread first, then pack where there is room", demand(5),
         world(c("west", 1), c("east", 2), c("north", 9)), "east/0 east/1 north/0 north/1 west/0"),
    Case("5", "deviation: two of four placed is short, with the reason", demand(4, gang(3)), world(c("lima", 9)),
         "lima/0 lima/1", short=2, why="lima/p TooFewNodes"),
    Case("6", "a new replica takes the lowest index that is free", demand(3),
         world(c("lima", 4), held("lima/0"), held("lima/2")), "lima/0 lima/1 lima/2"),
    Case("7", "kept replicas count as load", demand(5),
         world(c("lima", 8), c("oslo", 8), held("lima/0"), held("lima/1"), held("lima/4")),
         "lima/0 lima/1 lima/4 oslo/0 oslo/1"),
    Case("8", "scale down from the most loaded cluster, then the last name and the highest index", demand(3),
         world(c("lima", 8), c("oslo", 8), c("tokyo", 8), held("lima/0"), held("lima/1"), held("oslo/0"),
             held("oslo/5"), held("tokyo/2")), "lima/0 oslo/0 tokyo/2", gone="lima/1 ScaledDown, oslo/5 ScaledDown"),
    Case("8b", "and further, on equal load, from the last name", demand(2),
         world(c("lima", 8), c("oslo", 8), c("tokyo", 8), held("lima/0"), held("lima/1"), held("oslo/0"),
             held("oslo/5"), held("tokyo/2")), "lima/0 oslo/0",
         gone="lima/1 ScaledDown, oslo/5 ScaledDown, tokyo/2 ScaledDown"),
    Case("8c", "deviation: scale down looks at health first, so the dead one goes and not the one that serves",
         demand(1),
         world(c("lima", 4, ready=False, gateway=""), c("oslo", 4), held("lima/0", ready=False), held("oslo/0")),
         "oslo/0", gone="lima/0 ScaledDown"),
    Case("9", "another deployment's gangs are charged", demand(3),
         world(c("lima", 10), held("lima/0", gang(3), owner=HAIKU), held("lima/1", gang(3), owner=HAIKU)),
         "lima/0 lima/1", short=1, why="lima/p TooFewNodes"),
    Case("10", "a claimless leader costs nothing", demand(2),
         world(c("lima", 4), held("lima/0", gang(2, NONE), owner=HAIKU)), "lima/0 lima/1"),
    Case("11", "a replica on a pool that is gone costs nothing", demand(1),
         world(cluster("lima", pool("new", 1)), held("lima/0", pools="old", owner=HAIKU)), "lima/0"),
    Case("12", "deviation: index 1 is taken until the dropped replica is gone, so its name is not reused on the way",
         demand(2), world(cluster("lima", pool("new", 2)), held("lima/0", pools="new"), held("lima/1", pools="old")),
         "lima/0 lima/2", gone="lima/1 PoolGone"),
    Case("13", "a gang with a claimless leader costs its workers", demand(1, gang(2, NONE)), world(c("lima", 2)),
         "lima/0", pins="L@p~ W@p"),
    Case("13b", "where the leader claims too, it is charged", demand(1, gang(2)), world(c("lima", 2)), "", short=1,
         why="lima/p TooFewNodes"),
    Case("14", "copies multiply, and the first pool with room takes the engine", demand(1, gang(1, copies=3)),
         world(cluster("lima", pool("five", 5), pool("six", 6))), "lima/0", pins="L@six W@six"),
    Case("15", "engines of one replica do not book a node twice",
         demand(1, alone(name="a", copies=2), alone(name="b", copies=2)),
         world(cluster("lima", pool("p1", 3), pool("p2", 2))), "lima/0", pins="S@p1 S@p2"),
    Case("16", "deviation: the search goes back, so the modest engine leaves the large pool to the other",
         demand(1, alone(SMALL, name="any"), alone(BIG, name="big")),
         world(cluster("lima", pool("large", 1), pool("small", 1, kind(memory=24)))), "lima/0", pins="S@small S@large"),
    Case("16b", "and the order of the pools does not matter",
         demand(1, alone(SMALL, name="any"), alone(BIG, name="big")),
         world(cluster("lima", pool("small", 1, kind(memory=24)), pool("large", 1))), "lima/0", pins="S@small S@large"),
    Case("17", "deviation: requests are matched to kinds with backtracking too", demand(1, alone(X, Y)),
         world(cluster("lima", pool("p", 1, kind("d1", 96), kind("d2", 24)))), "lima/0", pins="S@p"),
    Case("17b", "whatever their order", demand(1, alone(Y, X)),
         world(cluster("lima", pool("p", 1, kind("d1", 96), kind("d2", 24)))), "lima/0", pins="S@p"),
    Case("18", "two requests share a kind with enough devices",
         demand(1, alone(ask(name="a", count=4), ask(name="b", count=4))),
         world(cluster("lima", pool("p", 1, kind(count=8)))), "lima/0", pins="S@p"),
    Case("18b", "and not one with too few", demand(1, alone(ask(name="a", count=5), ask(name="b", count=5))),
         world(cluster("lima", pool("p", 1, kind(count=8)))), "", short=1, why="lima/p RequestsCompete"),
    Case("18c", "a count is not pooled over two kinds", demand(1, alone(ask(count=4))),
         world(cluster("lima", pool("p", 1, kind("a", count=2), kind("b", count=2)))), "", short=1,
         why="lima/p TooFewDevicesPerNode"),
    Case("19", "a Synthetic kind constrains and is not claimed", demand(1, alone(BIG, NIC)),
         world(cluster("lima", pool("eth", 2, kind(), ETH), pool("ib", 2, kind(), RAIL))), "lima/0", pins="S@ib"),
    Case("19b", "what only a Synthetic kind meets is refused, because nothing would be claimed", demand(1, alone(NIC)),
         world(cluster("lima", pool("eth", 2, kind(), ETH), pool("ib", 2, kind(), RAIL))), "", short=1,
         why="lima/eth NoMatchingDevice, lima/ib NothingClaimable"),
    Case("19c", "deviation: a Synthetic kind that is listed first does not hide the claimable one", demand(1),
         world(cluster("lima", pool("p", 1, kind("s", synthetic=True), kind()))), "lima/0", pins="S@p"),
    Case("20", "a gang goes where both members may", demand(1, gang(1, (BIG,), (HUGE,))),
         world(cluster("lima", pool("mid", 4), pool("top", 4, kind(memory=192)))), "lima/0", pins="L@top W@top"),
    Case("20b", "and is never split", demand(1, gang(1, (HUGE,), (ask("memory < 150"),))),
         world(cluster("lima", pool("mid", 4), pool("top", 4, kind(memory=192)))), "", short=1,
         why="lima/mid NoMatchingDevice, lima/top NoMatchingDevice"),
    Case("21", "a pool where the leader claims comes before one where it would not", demand(1, gang(1, (HUGE,))),
         world(cluster("lima", pool("mix", 4, *MIX), pool("top", 4, kind(memory=192)))), "lima/0", pins="L@top W@top"),
    Case("21b", "deviation: where that pool has no room, the other takes the gang", demand(1, gang(1, (HUGE,))),
         world(cluster("lima", pool("mix", 4, *MIX), pool("top", 0, kind(memory=192)))), "lima/0", pins="L@mix~ W@mix"),
    Case("21c", "a replica whose leader claims nothing stays where it is", demand(1, gang(1, (HUGE,))),
         world(cluster("lima", pool("mix", 4, *MIX), pool("top", 4, kind(memory=192))), held("lima/0", gang(1, NONE),
             pools="mix", remembers=False)), "lima/0", pins="L@mix~ W@mix"),
    Case("22", "NoSchedule keeps new ones off and touches none", demand(3),
         world(c("lima", 8, taints=(no_schedule(),)), c("oslo", 1), held("lima/0")), "lima/0 oslo/0", short=1,
         why="lima Tainted, oslo/p TooFewNodes"),
    Case("23", "NoExecute drains, as far as there is room elsewhere", demand(2),
         world(c("lima", 8, taints=(no_execute(),)), c("oslo", 1), held("lima/0"), held("lima/1")), "oslo/0", short=1,
         gone="lima/0 Evicted, lima/1 Evicted", why="lima Tainted, oslo/p TooFewNodes"),
    Case("23b", "unless it is tolerated", demand(2, tolerations=(Toleration("maint", "Exists"),)),
         world(c("lima", 8, taints=(no_execute(),)), c("oslo", 1), held("lima/0"), held("lima/1")), "lima/0 lima/1"),
    Case("24", "a cluster that is not Ready keeps what it has and gets nothing", demand(2),
         world(c("lima", 8, ready=False), c("oslo", 8), held("lima/0")), "lima/0 oslo/0"),
    Case("25", "replicas of a cluster that is gone are placed again", demand(2),
         world(c("oslo", 8), held("lima/0"), held("lima/1")), "oslo/0 oslo/1",
         gone="lima/0 ClusterGone, lima/1 ClusterGone"),
    Case("26", "deviation: growth is charged before anything is placed beside it, so 6 nodes are not promised as 8",
         demand(2, gang(3)), world(c("lima", 6), held("lima/0", gang(1))), "lima/0", short=1, pins="L@p W@p",
         why="lima/p TooFewNodes"),
    Case("27", "a pool that shrank keeps what serves", demand(2), world(c("lima", 1), held("lima/0"), held("lima/1")),
         "lima/0 lima/1"),
    Case("27b", "a negative number of replicas is none, and none is missing", demand(-1), world(c("lima", 1)), ""),
    Case("28", "deviation: a cluster that publishes nothing has lost its status, which is no decision to move",
         demand(1), world(cluster("lima"), c("oslo", 1), held("lima/0")), "lima/0"),
    Case("29", "deviation: a deployment of the same name in another namespace is a stranger, and is charged", demand(1),
         world(c("lima", 1), held("lima/0", owner=Owner("web", "sonnet"))), "", short=1, why="lima/p TooFewNodes"),
    Case("30", "of two with one identity the first by key stays", demand(1),
         world(cluster("lima", pool("p1", 4), pool("p2", 4)), held("lima/0", pools="p2", key="sonnet-zzzzz"),
             held("lima/0", pools="p1", key="sonnet-aaaaa")), "lima/0", gone="lima/0 Duplicate", pins="S@p1"),
    Case("31", "while placement is held, what runs stays and nothing is added",
         demand(3, hold="ModelCache weights does not exist"), world(c("lima", 8), held("lima/0")), "lima/0", short=2,
         why="- PlacementHeld"),
    Case("32", "an edited request that the pool no longer meets moves the replica; deviation: under a new index",
         demand(1, alone(HUGE)),
         world(cluster("lima", pool("mid", 4), pool("top", 4, kind(memory=192))), held("lima/0", pools="mid")),
         "lima/1", gone="lima/0 DevicesChanged", pins="S@top"),
    Case("33", "a gang replaces a Standalone; deviation: only when the nodes of the former are free again",
         demand(1, gang(1)), world(c("lima", 2), held("lima/0")), "", short=1, gone="lima/0 ShapeChanged",
         why="lima/p TooFewNodes"),
    Case("33b", "which the next plan finds", demand(1, gang(1)), world(c("lima", 2)), "lima/0", pins="L@p W@p"),
    Case("34", "the first pool with room takes the engine, best fit or not", demand(1),
         world(cluster("lima", pool("oct", 1, kind(count=8)), pool("uno", 1))), "lima/0", pins="S@oct"),
    Case("35", "prefill and decode together fit or not",
         demand(1, alone(name="prefill", copies=3), alone(name="decode", copies=2)), world(c("lima", 5)), "lima/0",
         pins="S@p S@p"),
    Case("35b", "as a whole", demand(1, alone(name="prefill", copies=3), alone(name="decode", copies=2)),
         world(c("lima", 4)), "", short=1, why="lima/p TooFewNodes"),
    Case("36", "deviation: a replica that is being deleted is not kept; its room and index are free when it is gone",
         demand(1), world(c("lima", 2), held("lima/0", terminating=True)), "lima/1", gone="lima/0 Terminating"),
]  # fmt: skip


def spelled(found: Plan) -> tuple[str, int, str, str]:
    return spots(found), found.short, dropped(found), reasons(found)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_example(case: Case) -> None:
    found = plan(case.demand, case.world)

    assert spelled(found) == (case.want, case.short, case.gone, case.why), case.reason
    if case.pins:
        assert pinned(found.placements[0]) == case.pins, case.reason


def test_only_the_claimable_request_is_stamped() -> None:
    """Example 19: the Synthetic match is no claim, and the claim carries its selectors."""
    found = plan(demand(1, alone(BIG, NIC)), world(cluster("lima", pool("ib", 2, kind(), RAIL))))

    assert found.placed[0].engines[0].members[0].claims == (Claim("gpu", "acc", 1, ("memory >= 80",)),)


def test_together_needs_and_free_are_counted() -> None:
    """Example 35b in words: both engines' nodes, and those free."""
    found = plan(demand(1, alone(name="prefill", copies=3), alone(name="decode", copies=2)), world(c("lima", 4)))

    assert found.why[0].words() == "pool p needs 5 nodes for prefill and decode, 4 of 4 free"
