"""The two ways of keeping the last good state, on the real engine: what a function may count on, and what not.

A Parent composes a ConfigMap, written to by others as well, and a Child that is a composite itself and has defaults.
The function's answer is chosen by `spec.step` of the Parent.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from crossplane.function import resource
from crossplane.function.proto.v1 import run_function_pb2 as fnv1

from e2e.lab.api import Api
from e2e.lab.crossplane import Crossplane
from e2e.lab.objects import Manifest, condition, is_true
from e2e.lab.process import free_ports
from modelplane.kit.owned import owned
from tests.engine.functions_under_test import Scripted, plain, serving

GROUP = "keep.example.org"
VERSION = f"{GROUP}/v1"
NAMESPACE = "keep"
CHILDREN = ("config", "child")


def kind(name: str, spec: Manifest) -> list[Manifest]:
    """An XRD and its Composition."""
    plural = f"{name.lower()}s"
    schema: Manifest = {
        "type": "object",
        "properties": {
            "spec": {"type": "object", "properties": spec},
            "status": {"type": "object", "properties": {"step": {"type": "string"}}},
        },
    }
    version = {"name": "v1", "served": True, "referenceable": True, "schema": {"openAPIV3Schema": schema}}
    return [
        {
            "apiVersion": "apiextensions.crossplane.io/v2",
            "kind": "CompositeResourceDefinition",
            "metadata": {"name": f"{plural}.{GROUP}"},
            "spec": {
                "group": GROUP,
                "scope": "Namespaced",
                "names": {"kind": name, "plural": plural},
                "versions": [version],
            },
        },
        {
            "apiVersion": "apiextensions.crossplane.io/v1",
            "kind": "Composition",
            "metadata": {"name": f"{plural}.{GROUP}"},
            "spec": {
                "compositeTypeRef": {"apiVersion": VERSION, "kind": name},
                "mode": "Pipeline",
                "pipeline": [{"step": "compose", "functionRef": {"name": "keep-example"}}],
            },
        },
    ]


KINDS = [
    *kind("Parent", {"step": {"type": "string"}}),
    *kind(
        "Child",
        {
            "size": {"type": "integer"},
            "mood": {"type": "string", "default": "calm"},
            "pools": {
                "type": "array",
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["name"],
                "items": {
                    "type": "object",
                    "required": ["name"],
                    "properties": {
                        "name": {"type": "string"},
                        "nodes": {"type": "integer"},
                        "kind": {"type": "string", "default": "Node"},
                    },
                },
            },
        },
    ),
]

COMPOSED: dict[str, Manifest] = {
    "config": {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"labels": {"a": "1"}}, "data": {"ours": "1"}},
    "child": {"apiVersion": VERSION, "kind": "Child", "spec": {"size": 1, "pools": [{"name": "p", "nodes": 2}]}},
}


def compose(request: fnv1.RunFunctionRequest, response: fnv1.RunFunctionResponse) -> None:
    """What the function does in each step."""
    xr = plain(request.observed.composite.resource)
    if xr["kind"] == "Child":
        resource.update(response.desired.resources["inner"], {**COMPOSED["config"], "data": {"inner": "1"}})
        response.desired.resources["inner"].ready = fnv1.READY_TRUE
        return
    step = xr["spec"]["step"]
    seen = {name: plain(each.resource) for name, each in request.observed.resources.items()}
    wanted: dict[str, Any] = {
        "compose": COMPOSED,
        "fatal": {},
        "owned": {name: owned(each) for name, each in seen.items()},
        "observed": {name: without_status(each) for name, each in seen.items()},
    }[step]
    if step == "fatal":
        response.results.add(severity=fnv1.SEVERITY_FATAL, message="the input is broken")
    response.conditions.add(type="Sent", status=fnv1.STATUS_CONDITION_TRUE, reason=step.title())
    if step == "compose":
        response.conditions.add(type="Once", status=fnv1.STATUS_CONDITION_TRUE, reason="Composed")
    for name, each in wanted.items():
        resource.update(response.desired.resources[name], each)
        response.desired.resources[name].ready = fnv1.READY_TRUE
    resource.update(response.desired.composite, {"status": {"step": step}})


def without_status(child: Manifest) -> Manifest:
    """A child emitted as it is seen, which is what comes to mind first."""
    kept = deepcopy(child)
    kept.pop("status", None)
    kept["metadata"] = {"labels": child["metadata"].get("labels", {})}
    return kept


class Scene:
    """A Parent with its children, in a namespace of its own."""

    def __init__(self, api: Api, script: Scripted, name: str) -> None:
        self.api = api
        self.script = script
        self.parent: Manifest = {
            "apiVersion": VERSION,
            "kind": "Parent",
            "metadata": {"namespace": NAMESPACE, "name": name},
        }

    def step(self, name: str) -> None:
        """Asks for a step; returns when Crossplane is done with it."""
        self.api.apply({**self.parent, "spec": {"step": name}})
        if name == "fatal":
            self.api.wait(self.parent, lambda seen: condition(seen, "Sent") == ("True", "Fatal"), timeout_s=20)
        else:
            self.api.wait(self.parent, lambda seen: bool(seen) and seen.get("status", {}).get("step") == name, 20)

    def children(self) -> dict[str, Manifest]:
        """The children by the name of their composed resource."""
        found = [
            each
            for api_version, kind_name in (("v1", "ConfigMap"), (VERSION, "Child"))
            for each in self.api.list(
                api_version, kind_name, NAMESPACE, f"crossplane.io/composite={self.parent['metadata']['name']}"
            )
        ]
        key = "crossplane.io/composition-resource-name"
        return {each["metadata"]["annotations"][key]: each for each in found}

    def settle(self) -> None:
        """Waits until two seconds pass without a call of the function."""
        called = -1
        while called != len(self.script.requests):
            called = len(self.script.requests)
            time.sleep(2)


@pytest.fixture(scope="module")
def script(api: Api, crossplane: Crossplane) -> Iterator[Scripted]:
    (port,) = free_ports(1)
    with serving(compose, port, crossplane.certificates("keep-example")) as scripted:
        crossplane.register("keep-example", port)
        api.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
        for each in KINDS:
            api.apply(each)
        for each in KINDS[::2]:
            api.wait(each, "Established")
        yield scripted
        for each in KINDS[::-1]:
            api.delete(each)


@pytest.fixture
def scene(api: Api, script: Scripted, request: pytest.FixtureRequest) -> Iterator[Scene]:
    """A Parent whose children are Ready and were written to by others too."""
    made = Scene(api, script, request.node.name.removeprefix("test_").replace("_", "-")[:40])
    made.step("compose")
    api.wait(made.parent, "Ready", timeout_s=20)
    config, child = (made.children()[name] for name in CHILDREN)
    for each, change in (
        (config, {"metadata": {"labels": {"theirs": "1"}}, "data": {"theirs": "1"}}),
        (child, {"metadata": {"annotations": {"theirs": "1"}}, "spec": {"pools": [{"name": "q", "nodes": 1}]}}),
    ):
        meta = {key: each["metadata"][key] for key in ("namespace", "name")} | change.pop("metadata")
        api.apply({"apiVersion": each["apiVersion"], "kind": each["kind"], "metadata": meta, **change}, manager="other")
    api.wait(child, lambda seen: is_true(seen, "Ready"), timeout_s=20)
    made.settle()
    yield made
    api.delete(made.parent)
    api.wait(made.parent, lambda seen: seen is None, timeout_s=20)


def test_a_fatal_result_applies_and_deletes_nothing(scene: Scene) -> None:
    before = scene.children()

    scene.step("fatal")
    scene.settle()

    seen = scene.api.get(scene.parent)
    assert scene.children() == before
    assert {kind_name: condition(seen, kind_name) for kind_name in ("Sent", "Once", "Synced", "Ready")} == {
        "Sent": ("True", "Fatal"),  # conditions sent along are set
        "Once": ("Unknown", "FatalError"),  # every other one of ours is not known any more
        "Synced": ("False", "ReconcileError"),
        "Ready": ("True", "Available"),  # stays as it was: a fatal result alone does not say that we are not ready
    }
    assert seen["status"]["step"] == "compose", "the status sent along is not written"


def test_children_emitted_as_the_fields_we_own_stay_as_they_are(scene: Scene) -> None:
    before = scene.children()

    scene.step("owned")
    scene.settle()

    assert scene.children() == before, "not even a resourceVersion or a record of managed fields moves"
    assert {name: condition(scene.api.get(scene.parent), name)[0] for name in ("Sent", "Synced", "Ready")} == {
        "Sent": "True",
        "Synced": "True",
        "Ready": "True",
    }


def test_children_emitted_as_they_are_seen_take_what_is_not_ours(scene: Scene) -> None:
    """Why the kit does not do the simple thing: it makes us own defaults and what others wrote, for ever."""
    scene.step("observed")
    scene.settle()

    config, child = (scene.children()[name] for name in CHILDREN)
    assert owned(config)["data"] == {"ours": "1", "theirs": "1"}
    assert owned(child)["spec"]["mood"] == "calm"
    meta = {key: config["metadata"][key] for key in ("namespace", "name")}
    scene.api.apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta}, manager="other")
    assert scene.api.get(config)["data"] == {"ours": "1", "theirs": "1"}, "what its writer takes back stays"
