"""Our XRDs on the real API server, through the real Crossplane."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.lab.api import Api
from e2e.lab.crossplane import Crossplane
from e2e.lab.objects import Manifest, condition, read_manifests

ROOT = Path(__file__).parents[2]
DEFINITIONS = [each for path in sorted((ROOT / "apis").glob("*/definition.yaml")) for each in read_manifests(path)]
COMPOSITIONS = [each for path in sorted((ROOT / "apis").glob("*/composition.yaml")) for each in read_manifests(path)]

#: What Crossplane is told of its own doings, whatever is installed.
CROSSPLANES_OWN = ("CompositeResourceDefinition v1 is deprecated", "prefer a domain-qualified finalizer name")


def crd_of(xrd: Manifest) -> Manifest:
    meta = {"name": xrd["metadata"]["name"]}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": meta}


def test_nothing_is_warned_of_at_installation(installed: list[str], crossplane: Crossplane) -> None:
    told_to_crossplane = [
        line
        for line in crossplane.process.said().splitlines()
        if line.startswith("Warning:") and not any(known in line for known in CROSSPLANES_OWN)
    ]

    assert installed == []
    assert told_to_crossplane == [], "what the API server says of the CRDs, it says to Crossplane, which writes them"


@pytest.mark.parametrize("xrd", DEFINITIONS, ids=lambda xrd: xrd["metadata"]["name"])
def test_definition_is_served_as_it_was_written(api: Api, installed: list[str], xrd: Manifest) -> None:
    del installed
    crd = api.get(crd_of(xrd))
    wanted, served = xrd["spec"]["versions"][0], crd["spec"]["versions"][0]
    columns = {each["name"] for each in served["additionalPrinterColumns"]}

    assert condition(api.get(xrd), "Established") == ("True", "WatchingCompositeResource")
    assert condition(crd, "NonStructuralSchema") == ("Unknown", ""), "a schema that is not structural is not pruned by"
    names = ("kind", "plural", "singular", "listKind", "shortNames")
    assert [crd["spec"]["names"].get(key) for key in names] == [xrd["spec"]["names"].get(key) for key in names]
    assert set(xrd["spec"]["names"]["categories"]) <= set(crd["spec"]["names"]["categories"])
    assert served["subresources"].get("scale") == wanted.get("subresources", {}).get("scale")
    assert {each["name"] for each in wanted.get("additionalPrinterColumns", ())} <= columns


@pytest.mark.parametrize("xrd", DEFINITIONS, ids=lambda xrd: xrd["metadata"]["name"])
def test_rules_at_the_root_reach_the_server(api: Api, installed: list[str], xrd: Manifest) -> None:
    """Crossplane builds the CRD's schema out of ours and could leave a rule behind; then nobody would be refused."""
    del installed
    wanted = xrd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    served = api.get(crd_of(xrd))["spec"]["versions"][0]["schema"]["openAPIV3Schema"]

    assert _rules(wanted) <= _rules(served)


@pytest.mark.parametrize("composition", COMPOSITIONS, ids=lambda each: each["metadata"]["name"])
def test_composition_has_a_valid_revision(api: Api, installed: list[str], composition: Manifest) -> None:
    del installed

    def revised(_: Manifest | None) -> bool:
        revisions = api.list(
            "apiextensions.crossplane.io/v1",
            "CompositionRevision",
            labels=f"crossplane.io/composition-name={composition['metadata']['name']}",
        )
        return bool(revisions) and condition(revisions[-1], "ValidPipeline")[0] != "False"

    assert api.wait(composition, revised, timeout_s=10)["spec"] == composition["spec"]


def _rules(schema: object, path: str = "") -> set[tuple[str, str, str]]:
    """Path, rule and message of every CEL rule in a schema."""
    if isinstance(schema, list):
        return set()
    if not isinstance(schema, dict):
        return set()
    own = {
        (path, each["rule"], each.get("message", each.get("messageExpression", "")))
        for each in schema.get("x-kubernetes-validations", ())
    }
    return own.union(*(_rules(value, f"{path}/{key}") for key, value in schema.items() if key != "default"))
