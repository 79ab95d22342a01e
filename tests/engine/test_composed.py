"""Everything that we compose is accepted, strictly, by the real definitions: what the control plane gets, and what our
Objects carry to workload clusters.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from e2e.lab.api import Api, RefusedError
from e2e.lab.objects import Manifest, label
from tests.engine.moments import Moment


@pytest.fixture(scope="session")
def composed(moments: list[Moment]) -> dict[str, Manifest]:
    """Each composed object once, and each manifest in an Object, by its text."""
    found = [each for moment in moments for child in moment.outcome.composed.values() for each in _both(child)]
    return {json.dumps(each, sort_keys=True): each for each in found}


def test_everything_composed_is_accepted(api: Api, installed: list[str], composed: dict[str, Manifest]) -> None:
    del installed
    for name in sorted({each["metadata"].get("namespace", "default") for each in composed.values()}):
        api.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    api.warnings.clear()
    refused = {}

    for each in composed.values():
        try:
            api.apply(each, dry_run=True)
        except (RefusedError, LookupError) as error:
            refused[label(each)] = str(error)

    assert refused == {}
    assert api.warnings == []


def test_the_story_composes_every_kind(composed: dict[str, Manifest]) -> None:
    """So that the test above cannot pass by having nothing to try."""
    assert {each["kind"] for each in composed.values()} >= {
        "ClusterProviderConfig",
        "Deployment",
        "EndpointSlice",
        "Gateway",
        "LeaderWorkerSet",
        "ModelEndpoint",
        "ModelReplica",
        "Object",
        "Release",
        "ResourceClaimTemplate",
        "Service",
        "ServingStack",
    }


def _both(child: Manifest) -> Iterator[Manifest]:
    named = json.loads(json.dumps(child).replace("(generated)", "generated"))
    yield named
    if child["kind"] == "Object":
        manifest = named["spec"]["forProvider"]["manifest"]
        yield {**manifest, "metadata": {"name": named["metadata"]["name"], **manifest["metadata"]}}
