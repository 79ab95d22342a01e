"""Every manifest that we show is one that the API server takes."""

from __future__ import annotations

import pytest

from modelplane.embedded.admission import Admission
from modelplane.embedded.apis import complete
from tests.contract.definitions import definitions
from tests.contract.twins import EXAMPLES, Manifest, documents

ADMISSIONS = {(f"{each.group}/v1alpha1", each.kind): Admission(complete(each.schema)) for each in definitions()}
SHOWN = [
    (f"{path.parent.name}/{path.name}: {each['kind']} {each['metadata']['name']}", each)
    for path in sorted(EXAMPLES.glob("**/*.yaml"))
    for each in documents(path)
]
OURS = [(name, each) for name, each in SHOWN if each["apiVersion"].partition("/")[0].endswith("modelplane.ai")]


@pytest.mark.parametrize(("name", "manifest"), OURS, ids=[name for name, _ in OURS])
def test_an_example_is_accepted_and_stays_as_it_is_stored(name: str, manifest: Manifest) -> None:
    admission = ADMISSIONS[manifest["apiVersion"], manifest["kind"]]
    stored, errors = admission.admit(manifest)

    assert errors == [], name
    assert admission.admit(stored, stored) == (stored, []), "stored and applied again, nothing changes"


def test_every_kind_is_shown() -> None:
    assert {each["kind"] for _, each in OURS} == {kind for _, kind in ADMISSIONS}


def test_a_namespaced_example_says_where_it_belongs() -> None:
    """Or `kubectl apply` would put it in whatever namespace happens to be the current one."""
    scopes = {each.kind: each.scope for each in definitions()}
    wrong = [name for name, each in OURS if ("namespace" in each["metadata"]) != (scopes[each["kind"]] == "Namespaced")]

    assert wrong == []


def test_nothing_shown_lacks_a_namespace_that_is_shown() -> None:
    """`kubectl apply -f` of one folder must work on an empty control plane, if the shared ones are there."""
    for folder in sorted({path.parent for path in EXAMPLES.glob("**/*.yaml")}):
        shown = [each for path in sorted(folder.glob("*.yaml")) for each in documents(path)]
        made = {each["metadata"]["name"] for each in shown if each["kind"] == "Namespace"}
        used = {each["metadata"]["namespace"] for each in shown if "namespace" in each["metadata"]}
        assert used <= made, folder.name


def test_what_a_cluster_or_deployment_of_a_story_refers_to_is_shown_with_it() -> None:
    for folder in sorted(EXAMPLES.glob("s*")):
        shown = [each for path in sorted(folder.glob("*.yaml")) for each in documents(path)]
        classes = {each["metadata"]["name"] for each in shown if each["kind"] == "InferenceClass"}
        clusters = [each for each in shown if each["kind"] == "InferenceCluster"]
        used = {pool["className"] for each in clusters for pool in each["spec"].get("nodePools", ())}
        assert used <= classes, folder.name
