"""The two roles for people: the ML team can do its part and nothing else, and so can the platform's engineers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Literal, NamedTuple

import pytest

from e2e.lab.accounts import account
from e2e.lab.api import Api
from e2e.lab.control_plane import ENGINE_CONTROLLERS, ControlPlane
from e2e.lab.objects import Manifest, read_manifests
from e2e.lab.process import Processes
from e2e.stories.story import EXAMPLES
from e2e.tools.build import build

TEAM, PLATFORM = "ml-team", "modelplane-system"
_OURS, _NONE = "modelplane.ai", ""


class Case(NamedTuple):
    """One question to the API server, and the answer."""

    who: str
    verb: str
    group: str
    resource: str  # with its subresource
    namespace: str
    allowed: Literal["yes", "no"]
    reason: str


CASES = [
    Case("team", "create", _OURS, "modeldeployments", TEAM, "yes", "it deploys models"),
    Case("team", "patch", _OURS, "modeldeployments", TEAM, "yes", "it changes them"),
    Case("team", "delete", _OURS, "modelservices", TEAM, "yes", "it takes addresses down"),
    Case("team", "create", _OURS, "modelcaches", TEAM, "yes", "it stages weights"),
    Case("team", "update", _OURS, "modeldeployments/scale", TEAM, "yes", "kubectl scale"),
    Case("team", "create", _NONE, "secrets", TEAM, "yes", "tokens for gated models are its own"),
    Case("team", "list", _OURS, "inferenceclusters", "", "yes", "it sees what the fleet has"),
    Case("team", "get", _OURS, "modelreplicas", TEAM, "yes", "it sees where its replicas are"),
    Case("team", "create", _OURS, "modelreplicas", TEAM, "no", "by hand it would take nodes past the accounting"),
    Case("team", "delete", _OURS, "modelreplicas", TEAM, "no", "its deployment would only make another"),
    Case("team", "patch", _OURS, "modelreplicas/status", TEAM, "no", "nor may it pretend that one is Ready"),
    Case("team", "create", _OURS, "modeldeployments", "other-team", "no", "its namespace ends at its border"),
    Case("team", "get", _NONE, "secrets", PLATFORM, "no", "kubeconfigs are the keys to every tenant's pods"),
    Case("team", "patch", _OURS, "inferenceclusters", "", "no", "a taint would drain everybody"),
    Case("team", "create", _OURS, "inferenceclasses", "", "no", "the vocabulary is the platform's"),
    Case("team", "create", "kubernetes.m.crossplane.io", "objects", TEAM, "no", "it writes anything to a cluster"),
    Case("team", "create", "helm.m.crossplane.io", "releases", TEAM, "no", "so does a Release"),
    Case("team", "get", "protection.crossplane.io", "usages", TEAM, "no", "what protects is not its affair"),
    Case("platform", "create", _OURS, "inferenceclusters", "", "yes", "it brings clusters"),
    Case("platform", "patch", _OURS, "inferenceclusters", "", "yes", "it drains them"),
    Case("platform", "delete", _OURS, "inferenceclasses", "", "yes", "it keeps the vocabulary"),
    Case("platform", "create", _NONE, "secrets", PLATFORM, "yes", "kubeconfigs come with clusters"),
    Case("platform", "list", _OURS, "modelreplicas", "", "yes", "a drain is watched over all namespaces"),
    Case(
        "platform",
        "list",
        "kubernetes.m.crossplane.io",
        "objects",
        "",
        "yes",
        "it finds out why a cluster does not come up",
    ),
    Case("platform", "create", _OURS, "modeldeployments", TEAM, "no", "models are the teams'"),
    Case("platform", "get", _NONE, "secrets", TEAM, "no", "the teams' tokens are not its affair"),
    Case("platform", "delete", _NONE, "namespaces", "", "no", "a tenant is not deleted by mistake"),
]


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """A bare API server with the roles, bound as their file says."""
    programs = build(("etcd", "kube-apiserver", "kube-controller-manager"))
    with contextlib.ExitStack() as stack:
        processes = stack.enter_context(Processes(tmp_path_factory.mktemp("personas")))
        plane = ControlPlane("personas", processes, programs, ENGINE_CONTROLLERS)
        stack.callback(plane.close)
        for each in read_manifests(EXAMPLES / "install"):
            plane.api.apply(each)
        account(plane, TEAM, "person", ("modelplane-fleet-viewer",))
        account(plane, PLATFORM, "person", ("modelplane-platform",))
        plane.api.apply(in_namespace("ClusterRole", "modelplane-team", TEAM))
        plane.api.apply(in_namespace("Role", "modelplane-platform-secrets", PLATFORM))
        yield plane.api


def in_namespace(kind: str, role: str, namespace: str) -> Manifest:
    """The role for the person of this namespace, within it."""
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "RoleBinding",
        "metadata": {"namespace": namespace, "name": role},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": role},
        "subjects": [{"kind": "ServiceAccount", "namespace": namespace, "name": "person"}],
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.reason)
def test_what_a_person_may_do(api: Api, case: Case) -> None:
    """Asked of the API server itself."""
    home = TEAM if case.who == "team" else PLATFORM
    name, _, subresource = case.resource.partition("/")
    asked = {"verb": case.verb, "group": case.group, "resource": name, "namespace": case.namespace}
    review: Manifest = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SubjectAccessReview",
        "metadata": {},
        "spec": {
            "user": f"system:serviceaccount:{home}:person",
            "resourceAttributes": {**asked, "subresource": subresource},
        },
    }
    assert api.create(review)["status"]["allowed"] is (case.allowed == "yes"), case.reason
