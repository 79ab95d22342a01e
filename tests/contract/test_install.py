"""What the install manifests grant is what the functions compose, in every case that their tests have."""

from __future__ import annotations

from tests.contract.definitions import definitions
from tests.contract.twins import EXAMPLES, documents
from tests.functions import harness

#: The plural of each kind of others that some function composes on the control plane.
PLURALS = {
    "ClusterProviderConfig": "clusterproviderconfigs",
    "ClusterUsage": "clusterusages",
    "EndpointSlice": "endpointslices",
    "Object": "objects",
    "ProviderConfig": "providerconfigs",
    "Release": "releases",
    "Service": "services",
    "Usage": "usages",
}


def _granted() -> set[tuple[str, str]]:
    (role,) = (each for each in documents(EXAMPLES / "install" / "rbac.yaml") if each["kind"] == "ClusterRole")
    assert role["metadata"]["labels"] == {"rbac.crossplane.io/aggregate-to-crossplane": "true"}
    return {
        (group, resource)
        for rule in role["rules"]
        if rule["verbs"] == ["*"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
    }


def _composed() -> set[tuple[str, str]]:
    """Group and kind of every composed object that Crossplane may not write anyway, as it may our own kinds."""
    ours = {(each.group, each.kind) for each in definitions()}
    made = {
        (manifest["apiVersion"].rpartition("/")[0], manifest["kind"])
        for function in harness.suites()
        for name in harness.suite(function).cases
        for manifest in harness.manifests(harness.answer(function, name)).values()
    }
    return made - ours


def test_crossplane_may_write_exactly_what_is_composed() -> None:
    assert _granted() == {(group, PLURALS[kind]) for group, kind in _composed()}


def test_the_home_of_clusters_is_made() -> None:
    (namespace,) = documents(EXAMPLES / "install" / "namespace.yaml")

    assert namespace == {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "modelplane-system"}}
