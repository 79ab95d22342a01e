from __future__ import annotations

import random
from typing import Any

import pytest

from model_deployment import keys, read, replicas
from modelplane.contract import labels, names
from modelplane.kit.seen import Seen, Thing
from modelplane.kit.view import View, encode
from modelplane.placement.facts import (
    Claim,
    Cluster,
    Demand,
    Device,
    Engine,
    Held,
    Member,
    Owner,
    Pin,
    Pool,
    Request,
    World,
)
from modelplane.placement.plan import plan
from modelplane.value.device import Facts
from tests.functions import harness

OWNER = Owner("ml-team", "demo")


def thing(plain: dict[str, Any]) -> Thing:
    return Thing(View(encode(plain)))


GPU = Device("gpu", Facts("gpu.example.com"), 8, "gpus")


def replica(
    cluster: str, index: int, namespace: str = "ml-team", deployment: str = "demo", **more: Any
) -> dict[str, Any]:
    request = {"name": "gpu", "deviceClassName": "gpus", "count": 2, "selectors": [{"cel": "true"}, {}]}
    return {
        "metadata": {
            "name": more.get("name", names.replica(namespace, deployment, cluster, index)),
            "namespace": namespace,
            "uid": more.get("uid", "u1"),
            "creationTimestamp": more.get("created", "2026-01-01T00:00:00Z"),
            "labels": {labels.DEPLOYMENT: deployment, labels.REPLICA_INDEX: more.get("label", str(index))},
            "annotations": {labels.ASKED: "a1"},
        },
        "spec": {
            "clusterName": cluster,
            "engines": [
                {
                    "name": "main",
                    "copies": 2,
                    "members": [
                        {"role": "Leader", "nodePoolName": "p"},
                        {"role": "Worker", "nodePoolName": "p", "worker": {"nodes": 3}, "deviceRequests": [request]},
                    ],
                }
            ],
        },
        "status": {"conditions": more.get("conditions", [])},
    }


PINS = (
    Pin("main", "Leader", "p", 1, 2),
    Pin("main", "Worker", "p", 3, 2, (Claim("gpu", "gpus", 2, ("true",)),)),
)


def one(cluster: str, index: int, name: str = "", owner: Owner = OWNER, **more: Any) -> Held:
    named = name or names.replica(*owner, cluster, index)
    facts = {"created": "2026-01-01T00:00:00Z", "uid": "u1", "asked": "a1", **more}
    return Held(owner, f"{owner.namespace}/{named}", cluster, index, PINS, **facts)


def nobody(cluster: str) -> Held:
    claiming = tuple(Pin("", "Standalone", "p", pin.pods, pin.copies, pin.claims) for pin in PINS)
    return Held(Owner("", ""), "", cluster, 0, claiming)


READY = [{"type": "Ready", "status": "True"}]
SERVED = [{"type": "Ready", "status": "False"}, {"type": "Served", "status": "True"}]
GONE = {"metadata": {"deletionTimestamp": "2026-01-02T00:00:00Z"}}

FLEETS: list[tuple[dict[str, Any], list[dict[str, Any]], tuple[Held, ...], str]] = [
    (
        {"replica-eu-0": replica("eu", 0, conditions=SERVED)},
        [replica("eu", 0, conditions=READY)],
        (one("eu", 0, served=True),),
        "a replica that is a child and listed counts once, as the child says",
    ),
    (
        {"replica-eu-0": replica("eu", 0, conditions=READY)},
        [],
        (one("eu", 0, ready=True, served=True),),
        "a child that a stale list lacks counts all the same",
    ),
    (
        {"replica-eu-1-3": replica("us", 0, name="x", label="7", conditions=READY)},
        [],
        (one("eu-1", 3, "x", ready=True, served=True),),
        "a child is what its key says, whatever somebody wrote into its labels and spec",
    ),
    (
        {"endpoint-eu-0": {"metadata": {"name": "e"}}, "replica-": {}, "replica-eu-x": {}, "else": {}},
        [],
        (),
        "what is no replica by its key is none",
    ),
    (
        {},
        [harness.merge(replica("eu", 0), GONE)],
        (one("eu", 0, terminating=True),),
        "a replica that left the children and is not gone yet is still the deployment's",
    ),
    (
        {},
        [replica("eu", 0, name="by-hand"), replica("eu", 0, namespace="other"), replica("eu", 0, deployment="else")],
        (nobody("eu"), nobody("eu"), nobody("eu")),
        "what was made by hand under the label, or belongs to a namesake elsewhere or to a neighbour, is charged alone",
    ),
    (
        {"replica-eu-0": replica("eu", 0)},
        [
            replica("eu", 5, name="by-hand"),
            replica("eu", 1, namespace="other", label="x", uid="u2", conditions=SERVED),
            replica("us", 0, namespace="other"),
        ],
        (
            one("eu", 0),
            one("eu", 5, "by-hand", Owner("ml-team", "")),
            one("eu", 0, names.replica("other", "demo", "eu", 1), Owner("other", "demo"), uid="u2", served=True),
            nobody("us"),
        ),
        "where a replica of ours never served, the age and health of strangers count; elsewhere they do not",
    ),
    (
        {"replica-eu-0": replica("eu", 0, conditions=SERVED), "replica-us-0": replica("us", 0, conditions=READY)},
        [replica("eu", 0, namespace="other"), replica("us", 0, namespace="other")],
        (one("eu", 0, served=True), one("us", 0, ready=True, served=True), nobody("eu"), nobody("us")),
        "a replica that served never yields, so nobody's age counts there",
    ),
]


@pytest.mark.parametrize(("children", "listed", "expected", "reason"), FLEETS)
def test_whose_a_replica_is(
    children: dict[str, Any], listed: list[dict[str, Any]], expected: tuple[Held, ...], reason: str
) -> None:
    fleet = read.fleet(seen(children), (), map(thing, listed))

    assert fleet.world == World((), expected), reason
    assert fleet.existing == sum(held.owner == OWNER for held in expected), reason


def seen(children: dict[str, Any]) -> Seen[Any]:
    composite = {"kind": "ModelDeployment", "metadata": {"name": "demo", "namespace": "ml-team"}, "spec": {}}
    return Seen(harness.request(harness.Facts(composite, children)), lambda plain: plain)


def test_a_long_name_is_recognised_by_its_label() -> None:
    owner = Owner("ml-team", "d" * 70)
    composite = {"metadata": {"name": owner.name, "namespace": owner.namespace}}
    plain = replica("eu", 0, name=names.replica(*owner, "eu", 0), deployment=names.label(owner.name))
    asked = Seen(harness.request(harness.Facts(composite)), lambda x: x)

    fleet = read.fleet(asked, (), [thing(plain)])

    assert fleet.world.held == (one("eu", 0, owner=owner),)


@pytest.mark.parametrize("seed", range(40))
def test_reading_less_of_strangers_changes_no_plan(seed: int) -> None:
    """The reader leaves out what strangers' age and health are, except where it thinks that placement asks for it."""
    chance = random.Random(seed)  # noqa: S311  # cases, not keys
    regions = ["a", "b", "c"]
    world = tuple(Cluster(r, pools=(Pool("p", chance.randint(1, 4), (GPU,)),), gateway="g") for r in regions)

    def some(index: int, **more: Any) -> dict[str, Any]:
        conditions = chance.choice([[], READY, SERVED])
        made = replica(
            chance.choice(regions), index, conditions=conditions, created=f"2026-01-0{chance.randint(1, 4)}", **more
        )
        made["spec"]["engines"][0]["copies"] = 1
        made["spec"]["engines"][0]["members"] = [
            {
                "role": "Standalone",
                "nodePoolName": "p",
                "deviceRequests": [{"name": "gpu", "deviceClassName": "gpus", "count": 2}],
            }
        ]
        return made

    ours = [some(index, uid=f"o{index}") for index in range(3)]
    children = {keys.replica(r["spec"]["clusterName"], n): r for n, r in enumerate(ours)}
    others = [some(0, uid=f"s{n}", namespace="other", name=f"s{n}") for n in range(chance.randint(0, 9))]
    request = Request("gpu", 2, (), lambda _: None)
    demand = Demand(OWNER, 4, (Engine("main", 1, (Member("Standalone", 1, (request,)),)),))

    lean = read.fleet(seen(children), (), map(thing, others)).world.held
    own = tuple(held for held in lean if held.owner == OWNER)
    whole = tuple(replicas.held(thing(r), Owner("other", "demo"), r["spec"]["clusterName"], 0) for r in others)

    assert plan(demand, World(world, lean)) == plan(demand, World(world, (*own, *whole)))


STRANGERS: list[tuple[Any, tuple[Pin, ...], str]] = [
    ({"members": [{"nodePoolName": "p", "worker": {}}]}, (Pin("", "Standalone", "p", 1),), "defaults are one"),
    (
        {"copies": 0, "members": [{"worker": {"nodes": -3}}, {"worker": 3, "deviceRequests": 5}, None]},
        (Pin("", "Standalone", "", 1),) * 3,
        "what no schema accepts is one pod that claims nothing",
    ),
    ({"copies": 2.5, "members": {"a": 1}}, (), "members that are no list are none"),
    (7, (), "an engine that is no object has none"),
    (
        {"copies": 2, "members": [{"nodePoolName": "q", "deviceRequests": [{"deviceClassName": "c"}, {"count": -1}]}]},
        (Pin("", "Standalone", "q", 1, 2, (Claim("", "c", 1), Claim("", "", 0))),),
        "an absent count is one device, a negative one none",
    ),
]


@pytest.mark.parametrize(("engine", "expected", "reason"), STRANGERS)
def test_what_a_stranger_is_charged(engine: Any, expected: tuple[Pin, ...], reason: str) -> None:
    read_held = replicas.stranger(thing({"spec": {"clusterName": "eu", "engines": [engine]}}))

    assert read_held == Held(Owner("", ""), "", "eu", 0, expected), reason
