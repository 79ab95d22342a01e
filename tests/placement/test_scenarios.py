"""The scheduler scenarios of the contract's api-developer-kinds.md, section 1.5, by their numbers.

Scenario 50, a selector that does not compile, never reaches placement: the reader ends there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import pytest

from modelplane.placement.facts import Cluster, Demand, Toleration, World
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

BIG, HUGE = ask("memory >= 80"), ask("memory >= 150")
NIC = ask("rail == ib", name="nic")
RAIL = kind("nic", 0, rail="ib", synthetic=True)


@dataclass(frozen=True)
class Case:
    number: str
    reason: str
    demand: Demand
    world: World
    want: str
    pins: str = ""
    gone: str = ""
    why: str = ""


def c(name: str, nodes: int, **fields: Any) -> Cluster:
    """A cluster with the pool p(nodes)."""
    return cluster(name, pool("p", nodes), **fields)


TOP = pool("top", 4, kind(memory=192))
MID = pool("mid", 4)

CASES: Final = [
    Case("1", "an empty fleet takes nothing", demand(1), world(), "", why="- NoClusters"),
    Case("2", "one free pool takes the replica", demand(1), world(c("a", 1)), "a/0", "S@p"),
    Case("3", "a cluster that is not Ready is not used", demand(1), world(c("a", 1, ready=False)), "",
         why="a ClusterNotReady"),
    Case("3b", "nor one without a gateway's address, and the reason is not the capacity", demand(1),
         world(c("a", 1, gateway="")), "", why="a NoGateway"),
    Case("4", "a gang needs all its nodes", demand(1, gang(3)), world(c("a", 2)), "", why="a/p TooFewNodes"),
    Case("5", "a replica stays though another cluster would do", demand(1), world(c("a", 2), c("b", 9), held("a/0")),
         "a/0"),
    Case("6", "a degraded cluster keeps its replica", demand(1),
         world(c("a", 2, ready=False, gateway=""), c("b", 2), held("a/0")), "a/0"),
    Case("7", "a cluster that is gone does not", demand(1), world(c("b", 2), held("a/0")), "b/0",
         gone="a/0 ClusterGone"),
    Case("8", "a second replica goes to the other cluster", demand(2), world(c("a", 2), c("b", 2), held("a/0")),
         "a/0 b/0"),
    Case("9", "an own replica fills its node", demand(2), world(c("a", 1), held("a/0")), "a/0", why="a/p TooFewNodes"),
    Case("10", "one cluster takes two", demand(2), world(c("a", 2)), "a/0 a/1"),
    Case("11", "two clusters take one each", demand(2), world(c("a", 2), c("b", 2)), "a/0 b/0"),
    Case("12", "the third goes back to the first by name", demand(3), world(c("a", 4), c("b", 4)), "a/0 a/1 b/0"),
    Case("13", "a full cluster is passed over", demand(3), world(c("a", 4), c("b", 1)), "a/0 a/1 b/0"),
    Case("14", "a hole in the indices is filled", demand(3), world(c("a", 4), held("a/0"), held("a/2")), "a/0 a/1 a/2"),
    Case("15", "shrinking takes from the most loaded cluster", demand(2),
         world(c("a", 4), c("b", 4), held("a/0"), held("a/1"), held("b/0")), "a/0 b/0", gone="a/1 ScaledDown"),
    Case("16", "not the highest index of all", demand(2),
         world(c("a", 4), c("b", 4), held("a/0"), held("a/1"), held("b/3")), "a/0 b/3", gone="a/1 ScaledDown"),
    Case("17", "then from the last by name", demand(1), world(c("a", 4), c("b", 4), held("a/0"), held("b/0")), "a/0",
         gone="b/0 ScaledDown"),
    Case("18", "deviation: growth is charged first, so the second is not promised nodes that the first needs",
         demand(2, gang(3)), world(c("a", 6), held("a/0", gang(1))), "a/0", "L@p W@p", why="a/p TooFewNodes"),
    Case("19", "a stranger's node is not free", demand(1), world(c("a", 1), held("a/0", owner=HAIKU)), "",
         why="a/p TooFewNodes"),
    Case("20", "an own replica is not charged against itself", demand(1), world(c("a", 1), held("a/0")), "a/0"),
    Case("21", "a stranger on a pool that is gone costs nothing", demand(1),
         world(c("a", 1), held("a/0", owner=HAIKU, pools="gone")), "a/0"),
    Case("22", "of two with one identity the first by name stays", demand(1),
         world(cluster("a", pool("p", 4), pool("q", 4)), held("a/0", pools="q", key="z"), held("a/0", key="y")), "a/0",
         "S@p", gone="a/0 Duplicate"),
    Case("23", "held placement keeps what is there", demand(3, hold="waits"), world(c("a", 9), held("a/0")), "a/0",
         why="- PlacementHeld"),
    Case("24", "too little memory", demand(1, alone(ask("memory >= 200"))),
         world(cluster("a", pool("p", 1, kind(memory=141)))), "", why="a/p NoMatchingDevice"),
    Case("25", "too few a node", demand(1, alone(ask(count=8))), world(cluster("a", pool("p", 1, kind(count=4)))), "",
         why="a/p TooFewDevicesPerNode"),
    Case("26", "a count of 0 is none", demand(1), world(cluster("a", pool("p", 1, kind(count=0)))), "",
         why="a/p TooFewDevicesPerNode"),
    Case("26b", "and so are 0 nodes", demand(1), world(c("a", 0)), "", why="a/p TooFewNodes"),
    Case("26c", "and a negative number of them", demand(1), world(c("a", -3)), "", why="a/p TooFewNodes"),
    Case("27", "GPU and NIC are both met", demand(1, alone(BIG, NIC)), world(cluster("a", pool("p", 1, kind(), RAIL))),
         "a/0", "S@p"),
    Case("28", "the NIC is missing", demand(1, alone(BIG, NIC)), world(c("a", 1)), "", why="a/p NoMatchingDevice"),
    Case("29", "two requests on one device", demand(1, alone(BIG, ask(name="b"))), world(c("a", 1)), "",
         why="a/p RequestsCompete"),
    Case("30", "4 and 4 on 8", demand(1, alone(ask(name="a", count=4), ask(name="b", count=4))),
         world(cluster("a", pool("p", 1, kind(count=8)))), "a/0", "S@p"),
    Case("31", "a Synthetic match alone", demand(1, alone(NIC)), world(cluster("a", pool("p", 1, kind(), RAIL))), "",
         why="a/p NothingClaimable"),
    Case("32", "an edited selector moves the replica to the pool that meets it", demand(1, alone(HUGE)),
         world(cluster("a", MID, TOP), held("a/0", pools="mid")), "a/1", "S@top", gone="a/0 DevicesChanged"),
    Case("33", "a pool that still fits keeps it", demand(1, alone(ask("memory >= 90"))),
         world(cluster("a", TOP, MID), held("a/0", pools="mid")), "a/0", "S@mid"),
    Case("34", "an edited selector that nothing meets ends the replica", demand(1, alone(HUGE)),
         world(cluster("a", MID), held("a/0", pools="mid")), "", gone="a/0 DevicesChanged",
         why="a/mid NoMatchingDevice"),
    Case("35", "a replica of a pool that is gone is placed again at once; deviation: under the next index", demand(2),
         world(c("a", 2), held("a/0"), held("a/1", pools="old")), "a/0 a/2", gone="a/1 PoolGone"),
    Case("36", "a gang goes where both members may", demand(1, gang(1, (BIG,), (HUGE,))), world(cluster("a", MID, TOP)),
         "a/0", "L@top W@top"),
    Case("37", "and nowhere else", demand(1, gang(1, (ask("memory < 150"),), (HUGE,))), world(cluster("a", MID, TOP)),
         "", why="a/mid NoMatchingDevice, a/top NoMatchingDevice"),
    Case("38", "a gang goes where it fits whole", demand(1, gang(1)), world(c("a", 1), c("b", 2)), "b/0", "L@p W@p"),
    Case("39", "a pool where the leader claims is better", demand(1, gang(1, (HUGE,))),
         world(cluster("a", pool("mix", 4, kind(), kind("s", 192, synthetic=True)), TOP)), "a/0", "L@top W@top"),
    Case("40", "without one, the leader goes unclaimed", demand(1, gang(1, (HUGE,))),
         world(cluster("a", pool("mix", 4, kind(), kind("s", 192, synthetic=True)))), "a/0", "L@mix~ W@mix"),
    Case("41", "a claimless leader needs no node", demand(1, gang(1, NONE)), world(c("a", 1)), "a/0", "L@p~ W@p"),
    Case("42", "nor is it charged for another", demand(1), world(c("a", 2), held("a/0", gang(1, NONE), owner=HAIKU)),
         "a/0"),
    Case("43", "another shape is another replica", demand(1, gang(1)), world(c("a", 3), held("a/0")), "a/1", "L@p W@p",
         gone="a/0 ShapeChanged"),
    Case("44", "NoSchedule keeps new ones off", demand(2),
         world(c("a", 4, taints=(no_schedule(),)), c("b", 4), held("a/0")), "a/0 b/0"),
    Case("45", "NoExecute drains", demand(1), world(c("a", 4, taints=(no_execute(),)), held("a/0")), "",
         gone="a/0 Evicted", why="a Tainted"),
    Case("46", "tolerating NoSchedule is not tolerating NoExecute",
         demand(1, tolerations=(Toleration("maint", "Exists", effect="NoSchedule"),)),
         world(c("a", 4, taints=(no_execute(),)), held("a/0")), "", gone="a/0 Evicted", why="a Tainted"),
    Case("47", "one of two taints is not all", demand(1, tolerations=(Toleration("maint", "Exists"),)),
         world(c("a", 4, taints=(no_schedule(), no_schedule("other")))), "", why="a Tainted"),
    Case("48", "Equal with the right value", demand(1, tolerations=(Toleration("maint", "Equal", "today"),)),
         world(c("a", 4, taints=(no_schedule("maint", "today"),))), "a/0"),
    Case("48b", "Equal with a wrong one", demand(1, tolerations=(Toleration("maint", "Equal", "never"),)),
         world(c("a", 4, taints=(no_schedule("maint", "today"),))), "", why="a Tainted"),
    Case("48c", "a missing value is an empty one", demand(1, tolerations=(Toleration("maint"),)),
         world(c("a", 4, taints=(no_schedule(),))), "a/0"),
    Case("48d", "an empty toleration matches nothing", demand(1, tolerations=(Toleration(),)),
         world(c("a", 4, taints=(no_schedule(),))), "", why="a Tainted"),
    Case("49", "Exists without a key tolerates everything", demand(1, tolerations=(Toleration("", "Exists"),)),
         world(c("a", 4, taints=(no_schedule(), no_execute("other", "v")))), "a/0"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.number)
def test_scenario(case: Case) -> None:
    found = plan(case.demand, case.world)

    assert (spots(found), dropped(found), reasons(found)) == (case.want, case.gone, case.why), case.reason
    if case.pins:
        assert pinned(found.placements[0]) == case.pins, case.reason
