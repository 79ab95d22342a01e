"""The words of every refusal and cause, what they mean for conditions, and which of many is shown."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Final

import pytest

from modelplane.contract.conditions import REPLICAS_CURRENT, REPLICAS_SCHEDULED
from modelplane.placement import drops, pool_reasons
from modelplane.placement import reasons as reasons_module
from modelplane.placement.drops import Cause
from modelplane.placement.facts import Demand, LabelRule, Unmet, World
from modelplane.placement.plan import plan
from modelplane.placement.pool_reasons import (
    DeviceRefusal,
    GrowthBlocked,
    NoMatchingDevice,
    NothingClaimable,
    RequestsCompete,
    TooFewDevices,
    TooFewDevicesPerNode,
    TooFewNodes,
    Unpublished,
)
from modelplane.placement.reasons import (
    ClusterNotReady,
    ClusterTerminating,
    ConflictingLabels,
    LabelMismatch,
    NoClusters,
    NoGateway,
    NoPools,
    Paused,
    PlacementHeld,
    Refusal,
    SearchCutShort,
    Severity,
    Tainted,
)
from modelplane.placement.severity import by_cluster, headline
from tests.placement.worlds import (
    HAIKU,
    alone,
    ask,
    cluster,
    demand,
    held,
    kind,
    no_execute,
    no_schedule,
    pool,
    reasons,
    world,
)

LOW = Unmet(0, "memory >= 80", found="memory = 24")
LOST = Unmet(1, "rail == ib", error="no such key: rail")

WORDS: Final[list[tuple[Refusal, str, bool]]] = [
    (ConflictingLabels(key="region", values=("us", "eu"), sources=("clusterSelector", "ModelCache weights")),
     "label region: clusterSelector wants 'us' and ModelCache weights wants 'eu'", False),
    (NoClusters(), "the fleet has no InferenceCluster", False),
    (PlacementHeld(why="ModelCache weights does not exist"), "ModelCache weights does not exist", False),
    (Paused(), "the deployment is paused", False),
    (LabelMismatch(key="region", wanted="eu", found="us"),
     "clusterSelector wants label region='eu', the cluster has 'us'", False),
    (LabelMismatch(key="region", wanted="eu", found=None, source="ModelCache weights"),
     "ModelCache weights wants label region='eu', the cluster has no such label", False),
    (ClusterTerminating(), "being deleted", False),
    (ClusterNotReady(why="ConnectionLost: no answer"), "not Ready: ConnectionLost: no answer", False),
    (NoGateway(), "its gateway has no address", False),
    (Tainted(key="maint", value="", effect="NoSchedule"), "tainted maint:NoSchedule", False),
    (Tainted(key="maint", value="disk", effect="NoExecute"), "tainted maint=disk:NoExecute", False),
    (NoPools(), "publishes no pool", False),
    (SearchCutShort(steps=20_000), "the search was cut short after 20000 steps", True),
    (SearchCutShort(pool="p", steps=9), "pool p: the search was cut short after 9 steps", True),
    (NoMatchingDevice(pool="l4", request="gpu", device="acc", unmet=LOW),
     "pool l4: device acc does not meet request gpu: memory >= 80 (memory = 24)", False),
    (NoMatchingDevice(pool="l4", request="nic", device="acc", unmet=LOST),
     "pool l4: device acc does not meet request nic: rail == ib (no such key: rail)", False),
    (NoMatchingDevice(pool="l4", request="nic", device="acc", unmet=Unmet(0, "false")),
     "pool l4: device acc does not meet request nic: false", False),
    (NoMatchingDevice(pool="l4", request="gpu"), "pool l4 publishes no devices for request gpu", False),
    (TooFewDevicesPerNode(pool="l4", request="gpu", device="acc", need=8, have=4),
     "pool l4: request gpu needs 8 acc on a node, which has 4", False),
    (RequestsCompete(pool="l4", requests=("a", "b"), need=10, have=8),
     "pool l4: a node's 8 devices do not meet requests a and b (10 devices) at once", False),
    (NothingClaimable(pool="l4", engine="main"),
     "pool l4: engine main matches only Synthetic devices, which no pod can claim", False),
    (TooFewNodes(pool="h100", need=4, free=1, nodes=8), "pool h100 needs 4 nodes, 1 free", True),
    (TooFewNodes(pool="h100", need=4, free=1, nodes=2), "pool h100 needs 4 nodes, 1 of 2 free", False),
    (TooFewNodes(pool="h100", need=4, free=1, nodes=4, engines=("a", "b")),
     "pool h100 needs 4 nodes for a and b, 1 free", True),
    (TooFewDevices(pool="h100", device_class="gpu", need=4, per_pod=2, promised=15, total=16, fits_empty=True),
     "pool h100 needs 4 gpu, 2 on a node; 15 of 16 are promised", True),
    (TooFewDevices(pool="h100", device_class="gpu", need=4, per_pod=2, promised=0, total=2, fits_empty=False,
                   engines=("a",)),
     "pool h100 needs 4 gpu for a, 2 on a node; 0 of 2 are promised", False),
    (GrowthBlocked(pool="h100", need=2, free=1), "growing in pool h100 needs 2 more nodes, 1 free", True),
    (GrowthBlocked(pool="h100", need=2, free=1, unit="gpu"), "growing in pool h100 needs 2 more gpu, 1 free", True),
    (Unpublished(), "the cluster publishes no pool to check the changed shape against", False),
]  # fmt: skip


@pytest.mark.parametrize(
    ("refusal", "words", "helps"), WORDS, ids=[f"{r.reason}-{i}" for i, (r, _, _) in enumerate(WORDS)]
)
def test_a_refusal_has_words_with_its_numbers(refusal: Refusal, words: str, helps: bool) -> None:
    assert (refusal.words(), refusal.helps_if_freed) == (words, helps)
    assert refusal.reason == type(refusal).__name__


CAUSES: Final[list[tuple[Cause, str]]] = [
    (drops.Terminating(), "it is being deleted"),
    (drops.ClusterGone("lima"), "cluster lima is gone"),
    (drops.ClusterTerminating("lima"), "cluster lima is being deleted"),
    (drops.Evicted("lima", "maint", "disk"), "cluster lima is tainted maint=disk:NoExecute"),
    (drops.Duplicate("sonnet-a"), "sonnet-a has the same cluster and index"),
    (drops.ShapeChanged((("main", ("Standalone",)),), (("main", ("Leader", "Worker")), ("b", ("Standalone",)))),
     "its engines were edited: main (Standalone) became main (Leader+Worker), b (Standalone)"),
    (drops.ShapeChanged((), (("main", ("Standalone",)),)), "its engines were edited: none became main (Standalone)"),
    (drops.PoolGone("lima", "old"), "cluster lima no longer has pool 'old'"),
    (drops.DevicesChanged(NoMatchingDevice(pool="l4", request="gpu", device="acc", unmet=LOW)),
     "its device requests were edited: pool l4: device acc does not meet request gpu: memory >= 80 (memory = 24)"),
    (drops.Yielded("lima", "p"), "pool p of cluster lima was promised to an earlier replica at the same moment"),
    (drops.ScaledDown(2), "2 replicas are wanted"),
]  # fmt: skip


@pytest.mark.parametrize(("cause", "words"), CAUSES, ids=[f"{c.reason}-{i}" for i, (c, _) in enumerate(CAUSES)])
def test_a_cause_has_words(cause: Cause, words: str) -> None:
    assert cause.words() == words


def declared_in(base: type, *modules: ModuleType) -> set[type]:
    return {
        each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, base)
    }


def test_every_refusal_and_cause_has_its_words_tested() -> None:
    """A new one without a row here, or without words, fails."""
    assert {type(refusal) for refusal, _, _ in WORDS} == declared_in(Refusal, reasons_module, pool_reasons) - {
        Refusal,
        DeviceRefusal,
    }
    assert {type(cause) for cause, _ in CAUSES} == declared_in(Cause, drops) - {Cause}
    for bare in (Refusal().words, DeviceRefusal().words, Cause().words):
        with pytest.raises(NotImplementedError):
            bare()


def test_every_refusal_maps_to_a_declared_reason() -> None:
    declared = {reason.name for kind_of in (REPLICAS_SCHEDULED, REPLICAS_CURRENT) for reason in kind_of.reasons}

    assert {refusal.condition for refusal, _, _ in WORDS} <= declared


@dataclass(frozen=True)
class Explained:
    reason: str
    demand: Demand
    world: World
    want: str
    #: The condition reason of the headline, and its cluster.
    head: tuple[str, str]


def region(value: str, source: str = "clusterSelector") -> LabelRule:
    return LabelRule("region", value, source)


LIMA, WEAK = cluster("lima", pool("p", 1)), pool("weak", 9, kind(memory=24))
TWO = (alone(name="a"), alone(name="b"))

EXPLAINED: Final = [
    Explained("an empty fleet", demand(1), world(), "- NoClusters", ("NoClusters", "")),
    Explained("contradicting labels come before everything of the clusters",
              demand(1, selector=(region("us"), region("eu", "ModelCache weights"))), world(LIMA),
              "- ConflictingLabels", ("ConflictingSelectors", "")),
    Explained("the same rule from two sources is no contradiction",
              demand(2, selector=(region("us"), region("us", "ModelCache weights"))),
              world(cluster("lima", pool("p", 1), region="us")), "lima/p TooFewNodes",
              ("InsufficientCapacity", "lima")),
    Explained("labels hide the rest of a cluster", demand(1, selector=(region("eu"), LabelRule("tier", "a"))),
              world(cluster("lima", WEAK, ready=False, region="us"), cluster("oslo", region="eu")),
              "lima LabelMismatch, lima LabelMismatch, oslo LabelMismatch", ("NoMatchingClusters", "lima")),
    Explained("everything that makes a cluster unavailable is told", demand(1),
              world(cluster("lima", pool("p", 9), ready=False, gateway="", terminating=True,
                            taints=(no_schedule(), no_execute("b")))),
              "lima ClusterTerminating, lima ClusterNotReady, lima NoGateway, lima Tainted, lima Tainted",
              ("ClustersUnavailable", "lima")),
    Explained("what an unavailable cluster could not do anyway is told too", demand(1),
              world(cluster("lima", WEAK, ready=False)), "lima ClusterNotReady, lima/weak NoMatchingDevice",
              ("NoMatchingDevices", "lima")),
    Explained("that it is full is not, since that may change", demand(1),
              world(cluster("lima", pool("p", 1), ready=False), held("lima/0", owner=HAIKU)), "lima ClusterNotReady",
              ("ClustersUnavailable", "lima")),
    Explained("one that is being made publishes nothing yet", demand(1), world(cluster("lima", ready=False)),
              "lima ClusterNotReady", ("ClustersUnavailable", "lima")),
    Explained("one that is Ready without pools has no devices", demand(1), world(cluster("lima")), "lima NoPools",
              ("NoMatchingDevices", "lima")),
    Explained("the nearest cluster makes the headline", demand(1),
              world(cluster("a", WEAK), cluster("b", pool("p", 1), taints=(no_schedule(),)), LIMA,
                    held("lima/0", owner=HAIKU)),
              "a/weak NoMatchingDevice, b Tainted, lima/p TooFewNodes", ("InsufficientCapacity", "lima")),
    Explained("of pools in one cluster the nearest counts", demand(1),
              world(cluster("lima", WEAK, pool("p", 0)), cluster("oslo", WEAK)),
              "lima/weak NoMatchingDevice, lima/p TooFewNodes, oslo/weak NoMatchingDevice",
              ("InsufficientCapacity", "lima")),
    Explained("of those that lack nodes the one that lacks fewest makes the headline", demand(1, alone(copies=4)),
              world(cluster("a", pool("p", 1)), cluster("b", pool("p", 3)), cluster("c", pool("p", 2))),
              "a/p TooFewNodes, b/p TooFewNodes, c/p TooFewNodes", ("InsufficientCapacity", "b")),
    Explained("an engine that no pool could ever host is told before one that finds no room",
              demand(1, alone(name="a", copies=2), alone(ask("x == y"), name="b")), world(LIMA),
              "lima/p NoMatchingDevice", ("NoMatchingDevices", "lima")),
    Explained("engines that find room alone and not together: one pool is short, the other of the wrong kind",
              demand(1, *TWO), world(cluster("lima", pool("p", 1), WEAK)),
              "lima/p TooFewNodes, lima/weak NoMatchingDevice", ("InsufficientCapacity", "lima")),
    Explained("a pool that would take one of them and has the room says why it does not take the other",
              demand(1, alone(name="a"), alone(ask("memory < 90"), name="b"), alone(ask("memory < 90"), name="c")),
              world(cluster("lima", pool("p", 1), pool("low", 1, kind(memory=24)))),
              "lima/p NoMatchingDevice, lima/low TooFewNodes", ("InsufficientCapacity", "lima")),
]  # fmt: skip


@pytest.mark.parametrize("case", EXPLAINED, ids=lambda case: case.reason)
def test_every_cluster_and_pool_that_refuses_says_why(case: Explained) -> None:
    found = plan(case.demand, case.world)
    head = headline(found.why)

    assert head is not None
    assert (reasons(found), (head.condition, head.cluster)) == (case.want, case.head)


def test_without_a_refusal_there_is_no_headline() -> None:
    assert headline(()) is None


def test_a_cluster_shows_the_gravest_of_its_own_and_the_nearest_of_its_pools() -> None:
    why = (
        NoClusters(),
        Tainted(cluster="a", key="k", value="", effect="NoSchedule"),
        ClusterNotReady(cluster="a", why="x"),
        NoMatchingDevice(cluster="b", pool="p", request="gpu"),
        TooFewNodes(cluster="b", pool="q", need=4, free=1, nodes=8),
        TooFewNodes(cluster="b", pool="r", need=4, free=3, nodes=8),
        Tainted(cluster="c", key="k", value="", effect="NoSchedule"),
        NoMatchingDevice(cluster="c", pool="p", request="gpu"),
    )

    assert by_cluster(why) == (why[0], why[1], why[5], why[7])


def test_severities_are_in_the_order_of_the_distance_from_a_placement() -> None:
    assert [severity.name for severity in sorted(Severity)] == [
        "CAPACITY", "SEARCH", "UNAVAILABLE", "DEVICES", "LABELS", "DEMAND",
    ]  # fmt: skip
