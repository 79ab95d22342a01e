"""What holds of every answer, over all the golden cases."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
import yaml

from modelplane.embedded import apis
from modelplane.embedded.admission import Admission
from tests.functions import harness

SUITE = harness.suite("model_deployment")


@cache
def admission(kind: str) -> Admission:
    """The rules of a kind's XRD."""
    definition = yaml.safe_load((apis.folder() / f"{kind.lower()}s" / "definition.yaml").read_text())
    return Admission(definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"])


def errors(manifest: dict[str, Any]) -> list[str]:
    """What the API server would refuse."""
    return [str(error) for error in admission(manifest["kind"]).admit(manifest)[1]]


@pytest.mark.parametrize("name", SUITE.cases)
def test_the_api_server_takes_what_is_composed(name: str) -> None:
    made = harness.manifests(harness.respond("model_deployment", SUITE.facts(name)))

    assert {key: errors(manifest) for key, manifest in made.items()} == {key: [] for key in made}


@pytest.mark.parametrize("name", SUITE.cases)
def test_the_api_server_takes_the_status(name: str) -> None:
    facts = SUITE.facts(name)
    status = harness.plain(harness.respond("model_deployment", facts)).get("status", {})

    assert [error for error in errors({**facts.composite, "status": status}) if error.startswith("status")] == []


@pytest.mark.parametrize("name", SUITE.cases)
def test_the_order_of_the_fleet_does_not_matter(name: str) -> None:
    facts = SUITE.facts(name)
    answer = harness.respond("model_deployment", facts).SerializeToString(deterministic=True)
    for seed in range(3):
        chance = random.Random(seed)  # noqa: S311  # an order, not a key
        mixed = {name: chance.sample(things, len(things)) for name, things in facts.required.items()}
        again = harness.respond("model_deployment", harness.Facts(facts.composite, facts.observed, mixed))

        assert again.SerializeToString(deterministic=True) == answer
