"""Objects: their manifest, and when each readiness query says yes to an object as its controller writes it."""

from __future__ import annotations

from typing import Any

import pytest
from cel_expr_python import cel

from modelplane.remote import object as remote
from modelplane.remote.config import ConfigRef
from modelplane.remote.object import Readiness

NAMESPACE = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team-a"}}
EU = ConfigRef("eu-1-config")

AVAILABLE = {"type": "Available", "status": "True"}
UNAVAILABLE = {"type": "Available", "status": "False"}
PROGRESSING = {"type": "Progressing", "status": "True"}


@pytest.mark.parametrize(
    ("options", "spec", "reason"),
    [
        pytest.param(
            {},
            {"readiness": {"policy": "SuccessfulCreate"}, "watch": True},
            "Left alone, an Object is Ready by having been made, is followed by events, and the provider manages all.",
            id="defaults",
        ),
        pytest.param(
            {"policies": remote.ORPHAN, "watch": False},
            {
                "readiness": {"policy": "SuccessfulCreate"},
                "managementPolicies": ["Observe", "Create", "Update"],
            },
            "What others use too is made and never deleted; what is not watched says nothing of it.",
            id="orphan",
        ),
        pytest.param(
            {"readiness": remote.ADDRESSED},
            {
                "readiness": {"policy": "DeriveFromCelQuery", "celQuery": remote.ADDRESSED.query},
                "watch": True,
            },
            "A query goes with its policy.",
            id="query",
        ),
    ],
)
def test_wrap(options: dict[str, Any], spec: dict[str, Any], reason: str) -> None:
    made = remote.wrap(NAMESPACE, EU, **options)

    assert made == {
        "apiVersion": "kubernetes.m.crossplane.io/v1alpha1",
        "kind": "Object",
        "spec": {
            "providerConfigRef": {"kind": "ClusterProviderConfig", "name": "eu-1-config"},
            "forProvider": {"manifest": NAMESPACE},
            **spec,
        },
    }, reason


def deployment(generation: int = 2, **status: Any) -> dict[str, Any]:
    return {"metadata": {"generation": generation}, "spec": {"replicas": 2}, "status": status}


QUERIES = [
    (remote.DEPLOYMENT_AVAILABLE, {"metadata": {"generation": 1}}, False, "no status yet: false, not an error"),
    (remote.DEPLOYMENT_AVAILABLE, deployment(), False, "an empty status: false, not an error"),
    (remote.DEPLOYMENT_AVAILABLE, deployment(conditions=[AVAILABLE]), False, "the controller has seen no generation"),
    (
        remote.DEPLOYMENT_AVAILABLE,
        deployment(observedGeneration=1, conditions=[AVAILABLE]),
        False,
        "the condition is that of an older spec",
    ),
    (remote.DEPLOYMENT_AVAILABLE, deployment(observedGeneration=2), False, "no condition yet"),
    (
        remote.DEPLOYMENT_AVAILABLE,
        deployment(observedGeneration=2, conditions=[PROGRESSING]),
        False,
        "in progress",
    ),
    (
        remote.DEPLOYMENT_AVAILABLE,
        deployment(observedGeneration=2, conditions=[PROGRESSING, UNAVAILABLE]),
        False,
        "not available",
    ),
    (
        remote.DEPLOYMENT_AVAILABLE,
        deployment(observedGeneration=2, conditions=[PROGRESSING, AVAILABLE]),
        True,
        "available at the latest spec",
    ),
    (remote.GANG_AVAILABLE, {"spec": {"replicas": 1}}, False, "no status yet: false, not an error"),
    (remote.GANG_AVAILABLE, deployment(conditions=[AVAILABLE]), False, "no group was ever ready"),
    (
        remote.GANG_AVAILABLE,
        deployment(conditions=[AVAILABLE], readyReplicas=1),
        False,
        "scaled up since the condition was written: LeaderWorkerSet has no observedGeneration",
    ),
    (remote.GANG_AVAILABLE, deployment(conditions=[PROGRESSING], readyReplicas=2), False, "rolling over"),
    (remote.GANG_AVAILABLE, deployment(conditions=[AVAILABLE], readyReplicas=2), True, "all groups are ready"),
    (remote.ADDRESSED, {}, False, "no status yet: false, not an error"),
    (remote.ADDRESSED, {"status": {"addresses": []}}, False, "an empty list of addresses"),
    (remote.ADDRESSED, {"status": {"addresses": [{"value": "203.0.113.9"}]}}, True, "an address"),
]


@pytest.mark.parametrize(("readiness", "observed", "wanted", "reason"), QUERIES)
def test_readiness_query(readiness: Readiness, observed: dict[str, Any], wanted: bool, reason: str) -> None:
    environment = cel.NewEnv(variables={"object": cel.Type.DYN})

    verdict = environment.compile(readiness.query).eval(data={"object": observed})

    assert verdict.plain_value() is wanted, reason
