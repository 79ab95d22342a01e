"""The obliging providers: what they put on a cluster, what they report, and what they do when it does not answer."""

from __future__ import annotations

from typing import Any

import pytest

from modelplane.embedded import hardware, readiness
from modelplane.embedded.loop import Loop
from modelplane.embedded.things import Key, Plain
from tests.embedded.world import conditions

HOME = "modelplane-system"
OBJECT = Key("kubernetes.m.crossplane.io", "Object", HOME, "o")
REMOTE = Key("", "ConfigMap", "default", "remote")
CONFIG = Key("kubernetes.m.crossplane.io", "ClusterProviderConfig", "", "west")
SYNCED = ("True", "ReconcileSuccess", "")


def config(kind: str = "ClusterProviderConfig", group: str = "kubernetes.m.crossplane.io/v1alpha1") -> Plain:
    scope = {"namespace": HOME} if kind == "ProviderConfig" else {}
    secret = {"namespace": HOME, "name": "west-kubeconfig", "key": "kubeconfig"}
    return {
        "apiVersion": group,
        "kind": kind,
        "metadata": {"name": "west", **scope},
        "spec": {"credentials": {"source": "Secret", "secretRef": secret}},
    }


def wrapped(manifest: Plain | None = None, **spec: Any) -> Plain:
    remote = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "remote"}, "data": {"a": "1"}}
    return {
        "apiVersion": "kubernetes.m.crossplane.io/v1alpha1",
        "kind": "Object",
        "metadata": {"name": "o", "namespace": HOME},
        "spec": {
            "forProvider": {"manifest": manifest or remote},
            "providerConfigRef": {"kind": "ClusterProviderConfig", "name": "west"},
            **spec,
        },
    }


@pytest.fixture
def loop() -> Loop:
    made = Loop(kinds=(), functions={})
    made.connect("west", hardware.pool("gpu", 1))
    made.apply(config())
    return made


def observed(loop: Loop) -> Plain:
    return dict(loop.control.get(OBJECT))


def test_an_object_is_made_shown_and_held(loop: Loop) -> None:
    loop.apply(wrapped())
    loop.settle()
    remote = loop.clusters["west"].store.get(REMOTE)
    shown = observed(loop)["status"]["atProvider"]["manifest"]
    assert remote["data"] == {"a": "1"}
    assert (shown["data"], shown["metadata"]["uid"]) == ({"a": "1"}, remote["metadata"]["uid"])
    assert "managedFields" not in shown["metadata"]
    assert conditions(observed(loop)) == {"Synced": SYNCED, "Ready": ("True", "Available", "")}
    assert observed(loop)["metadata"]["finalizers"] == ["finalizer.managedresource.crossplane.io"]
    assert loop.control.get(CONFIG)["metadata"]["finalizers"] == ["in-use.crossplane.io"]


def test_an_edit_is_a_merge_patch_so_a_field_that_is_left_out_stays_and_drift_is_not_seen(loop: Loop) -> None:
    loop.apply(wrapped())
    loop.settle()
    changed = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "remote"}, "data": {"b": "2"}}
    loop.apply(wrapped(changed))
    loop.settle()
    cluster = loop.clusters["west"]
    assert cluster.store.get(REMOTE)["data"] == {"a": "1", "b": "2"}
    cluster.store.update({**cluster.store.get(REMOTE), "data": {"drifted": "1"}}, "somebody")
    loop.settle()
    assert cluster.store.get(REMOTE)["data"] == {"drifted": "1"}


def test_what_is_deleted_remotely_is_made_again(loop: Loop) -> None:
    loop.apply(wrapped(watch=True))
    loop.settle()
    loop.clusters["west"].store.delete(REMOTE)
    loop.settle()
    assert loop.clusters["west"].store.find(REMOTE) is not None


@pytest.mark.parametrize(
    ("reason", "policies", "left"),
    [
        ("the remote object goes with the Object", ["*"], False),
        ("without Delete it is left behind", ["Observe", "Create", "Update"], True),
    ],
)
def test_deletion(loop: Loop, reason: str, policies: list[str], left: bool) -> None:
    loop.apply(wrapped(managementPolicies=policies))
    loop.settle()
    loop.delete(OBJECT)
    loop.settle()
    found = (loop.control.find(OBJECT) is None, loop.clusters["west"].store.find(REMOTE) is not None)
    assert found == (True, left), reason
    assert "finalizers" not in loop.control.get(CONFIG)["metadata"], "nobody uses the config any more"


def test_observing_makes_nothing_and_says_what_is_missing(loop: Loop) -> None:
    loop.apply(wrapped(managementPolicies=["Observe"]))
    loop.settle()
    status, reason, message = conditions(observed(loop))["Synced"]
    assert (status, reason) == ("False", "ReconcileError")
    assert "ConfigMap default/remote does not exist" in message
    assert loop.clusters["west"].store.find(REMOTE) is None


def test_a_cluster_that_does_not_answer_leaves_ready_as_it_was_and_holds_deletions(loop: Loop) -> None:
    loop.apply(wrapped())
    loop.settle()
    loop.clusters["west"].reachable = False
    loop.apply(wrapped(watch=True))
    loop.settle()
    assert conditions(observed(loop)) == {
        "Synced": ("False", "ReconcileError", "dial tcp west.embedded:6443: i/o timeout"),
        "Ready": ("True", "Available", ""),
    }
    loop.delete(OBJECT)
    loop.settle()
    assert loop.control.find(OBJECT) is not None, "the provider cannot delete what it does not reach"
    loop.clusters["west"].reachable = True
    loop.settle()
    assert (loop.control.find(OBJECT), loop.clusters["west"].store.find(REMOTE)) == (None, None)


@pytest.mark.parametrize(
    ("reason", "lost", "says"),
    [
        ("no config", CONFIG, "ClusterProviderConfig west not found"),
        ("no Secret", Key("", "Secret", HOME, "west-kubeconfig"), "Secret modelplane-system/west-kubeconfig not found"),
    ],
)
def test_without_credentials_nothing_happens(loop: Loop, reason: str, lost: Key, says: str) -> None:
    loop.delete(lost, foreground=False)
    loop.apply(wrapped())
    loop.settle()
    assert conditions(observed(loop))["Synced"] == ("False", "ReconcileError", says), reason


def test_a_config_in_use_waits_for_its_users(loop: Loop) -> None:
    loop.apply(wrapped())
    loop.settle()
    loop.delete(CONFIG, foreground=False)
    loop.settle()
    assert loop.control.find(CONFIG) is not None
    loop.delete(OBJECT, foreground=False)
    loop.settle()
    assert (loop.control.find(CONFIG), loop.control.find(OBJECT)) == (None, None)


def test_a_namespace_that_does_not_exist_yet_is_retried(loop: Loop) -> None:
    metadata = {"name": "remote", "namespace": "tenant"}
    loop.apply(wrapped({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata}))
    loop.settle()
    assert conditions(observed(loop))["Synced"][2] == 'namespaces "tenant" not found'
    loop.clusters["west"].store.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "tenant"}}, "t")
    loop.settle()
    assert conditions(observed(loop))["Synced"] == SYNCED


def test_immutable_fields_are_refused_as_kubernetes_refuses_them(loop: Loop) -> None:
    head = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate", "metadata": {"name": "remote"}}
    loop.apply(wrapped({**head, "spec": {"spec": {"n": 1}}}))
    loop.settle()
    loop.apply(wrapped({**head, "spec": {"spec": {"n": 2}}}))
    loop.settle()
    assert conditions(observed(loop))["Synced"] == (
        "False",
        "ReconcileError",
        "ResourceClaimTemplate remote: spec: field is immutable",
    )


def status(*conditions: tuple[str, str], **more: Any) -> Plain:
    return {"status": {"conditions": [{"type": t, "status": s} for t, s in conditions], **more}}


def query(text: str) -> Plain:
    return {"policy": "DeriveFromCelQuery", "celQuery": text}


AVAILABLE = (
    "has(object.status) && has(object.status.conditions) && "
    "object.status.conditions.exists(c, c.type == 'Available' && c.status == 'True')"
)
READINESS: list[tuple[str, Plain, Plain, bool, str]] = [
    ("by default, existing is ready", {}, {}, True, ""),
    ("SuccessfulCreate", {"policy": "SuccessfulCreate"}, status(("Ready", "False")), True, ""),
    ("DeriveFromObject: Ready", {"policy": "DeriveFromObject"}, status(("Ready", "True")), True, ""),
    ("DeriveFromObject: none", {"policy": "DeriveFromObject"}, {}, False, ""),
    ("AllTrue", {"policy": "AllTrue"}, status(("A", "True"), ("B", "True")), True, ""),
    ("AllTrue: one is not", {"policy": "AllTrue"}, status(("A", "True"), ("B", "False")), False, ""),
    ("AllTrue: none at all", {"policy": "AllTrue"}, {}, False, ""),
    ("a query that holds", query(AVAILABLE), status(("Available", "True")), True, ""),
    ("a query that does not", query(AVAILABLE), status(("Available", "False")), False, ""),
    ("a guarded query before there is a status", query(AVAILABLE), {}, False, ""),
    ("an unguarded one fails to evaluate", query("object.status.x == 1"), {}, False, "failed to eval the program"),
    ("one that does not compile", query("object.status ="), {}, False, "failed to compile query"),
]


@pytest.mark.parametrize(("reason", "policy", "found", "ready", "says"), READINESS, ids=[c[0] for c in READINESS])
def test_readiness(reason: str, policy: Plain, found: Plain, ready: bool, says: str) -> None:
    verdict, error = readiness.verdict(policy, found)
    assert (verdict, says in error, bool(error)) == (ready, True, bool(says)), reason


def test_an_unknown_policy_is_an_error_of_the_caller() -> None:
    with pytest.raises(ValueError, match="unknown readiness policy 'Perhaps'"):
        readiness.verdict({"policy": "Perhaps"}, {})


@pytest.mark.parametrize("watch", [True, False])
def test_a_watching_object_sees_a_change_at_once_and_another_when_it_polls(loop: Loop, watch: bool) -> None:
    loop.apply(wrapped(watch=watch, readiness=query("has(object.data) && 'ready' in object.data")))
    loop.settle()
    assert conditions(observed(loop))["Ready"] == ("False", "Unavailable", "")
    cluster = loop.clusters["west"]
    before = loop.clock.seconds
    cluster.store.update({**cluster.store.get(REMOTE), "data": {"ready": "1"}}, "somebody")
    for _ in range(3):
        loop.round()
    assert (conditions(observed(loop))["Ready"][0] == "True") is watch
    loop.settle()
    assert conditions(observed(loop))["Ready"][0] == "True"
    assert watch or loop.clock.seconds - before >= 60


def test_a_release_is_deployed_recorded_and_uninstalled(loop: Loop) -> None:
    release = {
        "apiVersion": "helm.m.crossplane.io/v1beta1",
        "kind": "Release",
        "metadata": {
            "name": "r",
            "namespace": HOME,
            "annotations": {"crossplane.io/external-name": "mp-chart"},
        },
        "spec": {
            "forProvider": {"chart": {"name": "chart", "version": "1"}, "namespace": "somewhere"},
            "providerConfigRef": {"kind": "ProviderConfig", "name": "west"},
        },
    }
    where = Key("helm.m.crossplane.io", "Release", HOME, "r")
    loop.apply(config("ProviderConfig", "helm.m.crossplane.io/v1beta1"), release)
    loop.settle()
    assert loop.clusters["west"].charts == {"mp-chart": {"name": "chart", "version": "1", "namespace": "somewhere"}}
    assert conditions(loop.control.get(where)) == {"Synced": SYNCED, "Ready": ("True", "Available", "")}
    loop.delete(where)
    loop.settle()
    assert (loop.control.find(where), loop.clusters["west"].charts) == (None, {})
