"""Facts in YAML become a request; a response becomes plain YAML. Shared by the tests of every function.

A suite is `tests/functions/<function>/cases.yaml`:

    given: {composite: {...}, required: {NAME: [objects]}}
    cases:
      - name: first-call
        reason: why the case exists
        edit: a merge patch on the composite (optional)
        required: {NAME: pending, or a list that replaces the given one} (optional)
        after: another case, whose answer becomes what is observed (optional)
        ready: all, or keys of children that get the condition Ready True (optional)
        children: {KEY: a merge patch on that observed child, or null where it is gone} (optional)
        keeps: all (optional: every observed child must come back exactly as it is)
"""

from __future__ import annotations

import functools
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from crossplane.function.proto.v1 import run_function_pb2 as fnv1

from modelplane.kit import registry
from modelplane.kit.function import Function
from modelplane.kit.owned import owned
from modelplane.kit.view import View, encode

Plain = dict[str, Any]

ROOT = Path(__file__).parent
PENDING = "pending"
_TRUE = fnv1.READY_TRUE
_STATUS = {
    fnv1.STATUS_CONDITION_TRUE: "True",
    fnv1.STATUS_CONDITION_FALSE: "False",
    fnv1.STATUS_CONDITION_UNKNOWN: "Unknown",
}
_SEVERITY = {fnv1.SEVERITY_FATAL: "Fatal", fnv1.SEVERITY_WARNING: "Warning", fnv1.SEVERITY_NORMAL: "Normal"}


@dataclass(frozen=True)
class Facts:
    """What one request says. A requirement that is absent from `required` has not been fetched."""

    composite: Plain
    observed: Plain = field(default_factory=dict)
    required: dict[str, list[Plain]] = field(default_factory=dict)


@dataclass(frozen=True)
class Suite:
    """The cases of one function."""

    function: str
    given: Plain
    cases: dict[str, Plain]

    def facts(self, name: str) -> Facts:
        """What the request of a case says."""
        case = self.cases[name]
        composite = self.given["composite"]
        observed: Plain = {}
        if "after" in case:
            composite, observed = carried(facts(self.function, case["after"]), answer(self.function, case["after"]))
        composite = merge(composite, case.get("edit", {}))
        required = {**self.given.get("required", {}), **self._required(case)}
        return Facts(composite, _seen(observed, case), {k: v for k, v in required.items() if v != PENDING})

    def _required(self, case: Plain) -> Plain:
        inherited = self._required(self.cases[case["after"]]) if "after" in case else {}
        return {**inherited, **case.get("required", {})}


@functools.cache
def suite(function: str) -> Suite:
    """The cases of a function, by the name of its folder."""
    plain = yaml.safe_load((ROOT / function / "cases.yaml").read_text())
    return Suite(function, plain["given"], {case["name"]: case for case in plain["cases"]})


@functools.cache
def facts(function: str, name: str) -> Facts:
    """What the request of a case says; not to be changed."""
    return suite(function).facts(name)


@functools.cache
def answer(function: str, name: str) -> fnv1.RunFunctionResponse:
    """What a function answers to a case; not to be changed."""
    return respond(function, facts(function, name))


def suites() -> list[str]:
    """The functions that have cases."""
    return sorted(found.parent.name for found in ROOT.glob("*/cases.yaml"))


def request(facts: Facts, seed: int | None = None) -> fnv1.RunFunctionRequest:
    """The request that says these facts, its maps filled in sorted order, or in one shuffled by a seed."""
    shuffled = random.Random(seed) if seed is not None else None  # noqa: S311  # an order, not a secret
    made = fnv1.RunFunctionRequest()
    made.meta.tag = "test"
    made.observed.composite.resource.CopyFrom(encode(facts.composite))
    for key in _order(facts.observed, shuffled):
        made.observed.resources[key].resource.CopyFrom(encode(facts.observed[key]))
    for name in _order(facts.required, shuffled):
        items = made.required_resources[name].items
        for thing in facts.required[name]:
            items.add().resource.CopyFrom(encode(thing))
    return made


def respond(function: str | Function[Any], facts: Facts) -> fnv1.RunFunctionResponse:
    """What a function answers."""
    served = registry.load(function) if isinstance(function, str) else function
    return served.run(request(facts))


def plain(response: fnv1.RunFunctionResponse, observed: Plain | None = None) -> Plain:
    """A response as plain values; a child that stays exactly as it is observed shows as `unchanged`."""
    seen = observed or {}
    shown: Plain = {
        "requirements": {n: _requirement(r) for n, r in sorted(response.requirements.resources.items())},
        "resources": {k: _resource(k, r, seen) for k, r in sorted(response.desired.resources.items())},
        "status": View(response.desired.composite.resource).plain().get("status"),
        "ready": {fnv1.READY_TRUE: True, fnv1.READY_FALSE: False}.get(response.desired.composite.ready),
        "conditions": [_condition(c) for c in response.conditions],
        "events": [_event(e) for e in response.results],
    }
    return {name: value for name, value in shown.items() if value not in (None, {}, [])}


def kept(observed: Plain) -> Plain:
    """What a response must hold for each observed child that it leaves exactly as it is."""
    return {key: owned(child) for key, child in observed.items()}


def manifests(response: fnv1.RunFunctionResponse) -> Plain:
    """The desired objects of a response by key."""
    return {key: View(r.resource).plain() for key, r in response.desired.resources.items()}


def conditions(response: fnv1.RunFunctionResponse) -> dict[str, tuple[str, str, str]]:
    """Status, reason and message by type."""
    return {c.type: (_STATUS[c.status], c.reason, c.message) for c in response.conditions}


def merge(target: Any, patch: Any) -> Any:
    """RFC 7386: null removes, an object merges, anything else replaces."""
    if not isinstance(patch, Mapping):
        return patch
    into = dict(target) if isinstance(target, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            into.pop(key, None)
        else:
            into[key] = merge(into.get(key), value)
    return into


def carried(before: Facts, made: fnv1.RunFunctionResponse) -> tuple[Plain, Plain]:
    """The composite and its children as they are once Crossplane has applied an answer."""
    wanted = manifests(made)
    observed = {key: _applied(before.composite, key, wanted[key], before.observed.get(key)) for key in sorted(wanted)}
    status = View(made.desired.composite.resource).plain().get("status", {})
    stated = [{**_condition(c), "lastTransitionTime": "2026-01-01T00:00:00Z"} for c in made.conditions]
    return {**before.composite, "status": {**status, "conditions": stated}}, observed


def _seen(observed: Plain, case: Plain) -> Plain:
    keys = list(observed) if case.get("ready") == "all" else case.get("ready", [])
    for key in keys:
        observed = merge(observed, {key: {"status": {"conditions": [{"type": "Ready", "status": "True"}]}}})
    for key, patch in case.get("children", {}).items():
        observed = merge(observed, {key: patch})
    return observed


def _applied(composite: Plain, key: str, manifest: Plain, before: Plain | None) -> Plain:
    """A child as the API server holds it: with a name, what others wrote, and the record of what we applied."""
    owner = composite["metadata"]["name"]
    metadata = {
        "name": f"{owner}-{key}",
        "uid": f"uid-{key}",
        "resourceVersion": "7",
        "creationTimestamp": "2026-01-01T00:00:00Z",
        "ownerReferences": [{"kind": composite["kind"], "name": owner, "controller": True}],
        **manifest.get("metadata", {}),
    }
    if "namespace" in composite["metadata"]:
        metadata.setdefault("namespace", composite["metadata"]["namespace"])
    metadata["labels"] = {**metadata.get("labels", {}), "crossplane.io/composite": owner}
    metadata["managedFields"] = [
        {
            "manager": "apiextensions.crossplane.io/composed/1a2b",
            "operation": "Apply",
            "fieldsV1": fields({k: v for k, v in manifest.items() if k not in {"apiVersion", "kind"}}),
        }
    ]
    grown = {**manifest, "metadata": metadata}
    if isinstance(manifest.get("spec"), Mapping):
        grown["spec"] = {**manifest["spec"], "defaultedByTheServer": True}
    return {**grown, "status": before["status"]} if before and "status" in before else grown


def fields(value: Mapping[str, Any]) -> Plain:
    """The FieldsV1 tree of an object of ours; lists count as atomic."""
    return {f"f:{k}": fields(v) if isinstance(v, Mapping) and v else {} for k, v in value.items()}


def _order(things: Mapping[str, Any], shuffled: random.Random | None) -> list[str]:
    keys = sorted(things)
    if shuffled is not None:
        shuffled.shuffle(keys)
    return keys


def _requirement(selector: fnv1.ResourceSelector) -> Plain:
    match = {"name": selector.match_name} if selector.match_name else {"labels": dict(selector.match_labels.labels)}
    namespace = {"namespace": selector.namespace} if selector.namespace else {}
    return {"apiVersion": selector.api_version, "kind": selector.kind, **match, **namespace}


def _resource(key: str, resource: fnv1.Resource, seen: Plain) -> Plain:
    made = View(resource.resource).plain()
    stays = key in seen and _unnamed(made) == _unnamed(owned(seen[key]))
    return {"ready": resource.ready == _TRUE, **({"unchanged": True} if stays else {"object": made})}


def _unnamed(manifest: Plain) -> Plain:
    """A manifest without its name: a generated one is stated by what keeps a child, and not by what made it."""
    metadata = {k: v for k, v in manifest.get("metadata", {}).items() if k not in {"name", "namespace"}}
    return {**manifest, "metadata": metadata}


def tidy(value: Any) -> Any:
    """The same value with its keys in one order, those that say what an object is first."""
    if isinstance(value, list):
        return [tidy(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    first = [key for key in ("apiVersion", "kind", "metadata", "name", "type", "status", "reason") if key in value]
    return {key: tidy(value[key]) for key in [*first, *sorted(set(value) - set(first))]}


def _condition(condition: fnv1.Condition) -> Plain:
    message = {"message": condition.message} if condition.message else {}
    return {"type": condition.type, "status": _STATUS[condition.status], "reason": condition.reason, **message}


def _event(result: fnv1.Result) -> Plain:
    reason = {"reason": result.reason} if result.reason else {}
    return {"severity": _SEVERITY[result.severity], **reason, "message": result.message}
