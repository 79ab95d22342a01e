from __future__ import annotations

from typing import Any

import pytest
import yaml

from model_deployment import words
from modelplane.placement.pool_reasons import TooFewNodes
from modelplane.placement.reasons import LabelMismatch, NoGateway, PlacementHeld, Refusal, Tainted
from tests.functions import harness

GIVEN = yaml.safe_load((harness.ROOT / "model_deployment" / "cases.yaml").read_text())["given"]


def test_long_lists_are_cut_and_counted() -> None:
    """120 of 150 replicas on 60 clusters of two nodes: the status stays within the limits of its XRD."""
    cluster = GIVEN["required"]["clusters"][0]
    two = harness.merge(cluster, {"status": {"gpuPools": [{**cluster["status"]["gpuPools"][0], "nodes": 2}]}})
    fleet = [harness.merge(two, {"metadata": {"name": f"c-{n:02}"}}) for n in range(60)]
    composite = harness.merge(GIVEN["composite"], {"spec": {"replicas": 150}})
    facts = harness.Facts(composite, {}, {"clusters": fleet, "all-replicas": []})

    answer = harness.plain(harness.respond("model_deployment", facts))

    status = answer["status"]
    assert len(answer["resources"]) == 120
    assert status["replicas"] == {"total": 120, "ready": 0, "unplaced": 30}
    assert (len(status["placements"]), status["placementsOmitted"]) == (100, 20)
    assert (len(status["refusals"]), status["refusalsOmitted"]) == (50, 10)
    condition = next(c for c in answer["conditions"] if c["type"] == "ReplicasScheduled")
    full = "; ".join(f"c-0{n}: pool h100 needs 1 node, 0 free" for n in range(4))
    assert condition["message"] == f"120 of 150; {full}; and 56 more clusters (see status.refusals)"
    placed = next(e for e in answer["events"] if e["reason"] == "Placed")
    assert placed["message"] == "placed 120 replicas on c-00, c-01, c-02, c-03 and 56 more"


def too_few(cluster: str, need: int, free: int, pool: str = "p") -> TooFewNodes:
    return TooFewNodes(cluster=cluster, pool=pool, need=need, free=free, nodes=4)


RANKS: list[tuple[list[Refusal], list[str], str]] = [
    ([], [], "nothing is missing"),
    (
        [
            LabelMismatch(cluster="a", key="k", wanted="v", found=None),
            Tainted(cluster="b", key="k", value="", effect="NoExecute"),
            too_few("c", 4, 0),
            too_few("d", 4, 3),
            NoGateway(cluster="a2"),
        ],
        ["d", "c", "a2", "b", "a"],
        "the headline first, which lacks the least; then by how far each is from a placement, then by name",
    ),
    (
        [too_few("a", 9, 0), too_few("a", 2, 1, "q")],
        ["a"],
        "one for each cluster",
    ),
    ([PlacementHeld(why="x")], [""], "what refuses the demand as a whole has no cluster"),
]


@pytest.mark.parametrize(("why", "expected", "reason"), RANKS)
def test_the_order_of_refusals(why: list[Refusal], expected: list[str], reason: str) -> None:
    assert [refusal.cluster for refusal in words.ranked(why)] == expected, reason


SENTENCES: list[tuple[list[Refusal], str, str]] = [
    ([PlacementHeld(why="no cache")], "no cache", "no cluster to name"),
    ([NoGateway(cluster="a")], "a: its gateway has no address", "the cluster in front"),
    (
        [NoGateway(cluster=name) for name in "abcde"],
        "; ".join(f"{name}: its gateway has no address" for name in "abcd")
        + "; and 1 more cluster (see status.refusals)",
        "four are named, the rest is counted",
    ),
    ([PlacementHeld(why="x" * 500)], "x" * 399 + "…", "a long clause is cut"),
]


@pytest.mark.parametrize(("why", "expected", "reason"), SENTENCES)
def test_refusals_in_a_sentence(why: list[Refusal], expected: str, reason: str) -> None:
    assert words.sentence(why) == expected, reason


def answer_to(before: dict[str, Any]) -> dict[str, Any]:
    composite = {**GIVEN["composite"], "status": before}
    return harness.plain(harness.respond("model_deployment", harness.Facts(composite, {}, GIVEN["required"])))


@pytest.mark.parametrize(
    ("status", "expected", "reason"),
    [
        ({}, ["Placed"], "both are new"),
        ({"placements": [{"name": "demo-74cud5hr"}]}, ["Placed"], "one was told of already"),
        (
            {"placements": [{"name": "demo-74cud5hr"}, {"name": "demo-tdad7d4n"}]},
            [],
            "both were told of; that their objects do not exist yet is no news",
        ),
    ],
)
def test_a_placement_is_told_once(status: dict[str, Any], expected: list[str], reason: str) -> None:
    assert [event["reason"] for event in answer_to(status).get("events", [])] == expected, reason
