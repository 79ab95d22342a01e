"""Moments of a story on the embedded loop: each reconcile of a composite, with all that it could see."""

from __future__ import annotations

import copy
import json
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from e2e.lab.objects import read_manifests
from modelplane.embedded import apis, hardware
from modelplane.embedded.clock import Clock
from modelplane.embedded.composites import Composites, child_name
from modelplane.embedded.events import Events
from modelplane.embedded.loop import Loop
from modelplane.embedded.pipeline import Pipeline
from modelplane.embedded.store import Store
from modelplane.embedded.things import Key, controller, group_of, select, terminating
from modelplane.kit import registry
from modelplane.kit.owned import owned

Plain = dict[str, Any]
RESOURCE_NAME = "crossplane.io/composition-resource-name"
#: What Crossplane puts before the message of a function's result.
_STEP = re.compile(r'^Pipeline step "[^"]*": ')
KINDS = {(each.group, each.kind): each for each in apis.load()}


@dataclass(frozen=True)
class Outcome:
    """What one reconcile wrote, without times and without the names that follow from a uid."""

    synced: bool
    composed: Mapping[str, Plain]
    deleted: frozenset[str]
    status: Plain
    conditions: Mapping[str, Plain]
    told: frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Moment:
    """A composite before a reconcile, what it could see, and what the embedded loop made of it."""

    title: str
    composite: Plain
    observed: tuple[Plain, ...]
    required: tuple[Plain, ...]
    outcome: Outcome

    @property
    def content(self) -> str:
        """Equal for moments that ask the same."""
        return json.dumps(
            [_timeless(self.composite), *map(_timeless, (*self.observed, *self.required))], sort_keys=True
        )


class Recorder:
    """An embedded loop of which every moment is kept, each once."""

    def __init__(self, examples: Path) -> None:
        self.loop = Loop(twice=False)
        self.found: dict[str, Moment] = {}
        self._examples = examples
        self.loop.watchers.append(lambda seen: self.keep(f"round {seen.rounds}"))

    def keep(self, title: str) -> None:
        for each in capture(self.loop, title):
            self.found.setdefault(each.content, each)

    def apply(self, *files: str) -> None:
        """Applies example files, brings up the clusters that they name, and lets everything settle."""
        objects = [each for file in files for each in read_manifests(self._examples / file)]
        classes = {each["metadata"]["name"]: each["spec"] for each in objects if each["kind"] == "InferenceClass"}
        for each in objects:
            if each["kind"] == "InferenceCluster":
                self._connect(each, classes)
        self.loop.apply(*objects)
        self.keep(f"{files} applied")
        self.loop.settle()

    def edit(self, kind: str, name: str, namespace: str, spec: Plain) -> None:
        """Changes the spec of one of our objects and lets everything settle."""
        self.loop.edit(self.loop.key(kind, name, namespace), lambda each: each["spec"].update(spec))
        self.loop.settle()

    def _connect(self, cluster: Plain, classes: Mapping[str, Plain]) -> None:
        nodes = [
            node
            for pool in cluster["spec"]["nodePools"]
            for node in hardware.pool(pool["name"], pool["nodeCount"], hardware.of_class(classes[pool["className"]]))
        ]
        secret = cluster["spec"]["cluster"]["existing"]["secretRef"]["name"]
        self.loop.connect(cluster["metadata"]["name"], nodes, secret=secret)


def two_regions(examples: Path) -> list[Moment]:
    """Story S1: placed, scaled, drained, short of a cluster."""
    story = Recorder(examples)
    story.apply("s1-two-regions/platform.yaml")
    story.apply("s1-two-regions/team.yaml")
    story.edit("ModelDeployment", "mock-demo", "ml-team", {"replicas": 1})
    cluster = story.loop.every("ModelReplica")[0]["spec"]["clusterName"]
    story.edit("InferenceCluster", cluster, "", {"taints": [{"key": "maintenance", "effect": "NoExecute"}]})
    story.edit("ModelDeployment", "mock-demo", "ml-team", {"replicas": 2})
    return list(story.found.values())


def gang(examples: Path) -> list[Moment]:
    """Story S3, and a cache beside it."""
    story = Recorder(examples)
    story.apply("s3-gang/platform.yaml", "s3-gang/team.yaml")
    story.apply("reference-shapes/caches.yaml")
    return list(story.found.values())


def capture(loop: Loop, title: str) -> list[Moment]:
    """The moments of now: every living composite, reconciled in a copy of the control plane."""
    return [
        _moment(_copy(loop.control), Key(group, kind, *where), title)
        for group, kind in KINDS
        for where, xr in loop.control.snapshot(group, kind).items()
        if not terminating(xr)
    ]


def engines_uid(xr: Plain) -> str:
    """The uid that the render engine gives a composite (crossplane/v2, internal/render/composite)."""
    group, _, version = xr["apiVersion"].rpartition("/")
    meta = xr["metadata"]
    text = "\0".join((f"{group}/{version}, Kind={xr['kind']}", meta.get("namespace", ""), meta["name"]))
    return str(uuid.uuid5(uuid.UUID(int=0), text))


def as_outcome(
    xr: Plain,
    *,
    children: Mapping[str, Plain],
    deleted: frozenset[str],
    status: Plain,
    told: frozenset[tuple[str, str]],
) -> Outcome:
    """An outcome from what was written; the same for both engines, so that only a real difference shows."""
    uids = (xr["metadata"]["uid"], engines_uid(xr))
    found = {each["type"]: _condition(each) for each in status.get("conditions", ()) if each["type"] != "Responsive"}
    return Outcome(
        synced=found["Synced"]["status"] == "True",
        composed={key: _nameless(key, each, uids) for key, each in children.items()},
        deleted=deleted,
        status={key: value for key, value in status.items() if key != "conditions"},
        conditions=found,
        told=frozenset((reason, _STEP.sub("", text)) for reason, text in told if not _by_the_way(reason, text)),
    )


def _condition(each: Plain) -> Plain:
    """A condition without times; the render engine's store forgets the generation before it sets its own two."""
    dropped = {"observedGeneration"} if each["type"] in {"Ready", "Synced"} else set()
    return {key: value for key, value in _timeless(each).items() if key not in dropped}


def _by_the_way(reason: str, text: str) -> bool:
    """Whether Crossplane tells this beside what the function said, where the embedded loop keeps silent."""
    return reason == "SelectComposition" or text.endswith("is not yet ready")


def _moment(store: Store, key: Key, title: str) -> Moment:
    xr = store.get(key)
    fetched: dict[tuple[str, str], Mapping[tuple[str, str], Plain]] = {}

    def fetch(requirement: Any) -> tuple[Plain, ...]:
        kind = (group_of(requirement.api_version), requirement.kind)
        past = fetched.setdefault(kind, store.snapshot(*kind))
        if requirement.name:
            found = past.get((requirement.namespace if store.namespaced(*kind) else "", requirement.name))
            return (found,) if found is not None else ()
        return select(past, requirement.namespace, requirement.labels)

    before = _children(store, xr)
    events = Events(store.clock)
    loop = Composites(store, KINDS, _function, fetch, events, Pipeline(twice=False))
    loop.reconcile(key)
    after = _children(store, xr)
    living = {name: owned(each) for name, each in after.items() if not terminating(each)}
    return Moment(
        title=f"{title}: {key}",
        composite=xr,
        observed=tuple(before.values()),
        required=tuple(each for past in fetched.values() for each in past.values() if each is not xr),
        outcome=as_outcome(
            xr,
            children=living,
            deleted=frozenset(n for n, each in before.items() if n not in living and not terminating(each)),
            status=store.get(key).get("status", {}),
            told=frozenset((told.reason, told.message) for told in events.about(key)),
        ),
    )


def _function(api: apis.Api) -> Any:
    return registry.load(api.function.removeprefix("modelplane-"))


def _children(store: Store, xr: Plain) -> dict[str, Plain]:
    found = {}
    for reference in store.get(store.key(xr)).get("spec", {}).get("crossplane", {}).get("resourceRefs", ()):
        group, kind = group_of(reference["apiVersion"]), reference["kind"]
        namespace = xr["metadata"].get("namespace") or reference.get("namespace", "")
        where = namespace if store.namespaced(group, kind) else ""
        child = store.find(Key(group, kind, where, reference["name"]))
        if child is not None and controller(child) == xr["metadata"]["uid"]:
            found[child["metadata"]["annotations"][RESOURCE_NAME]] = child
    return found


def _copy(store: Store) -> Store:
    """A store to try a reconcile in. Objects are never changed in place, so only what holds them is copied."""
    copied = copy.copy(store)
    copied._kinds = {kind: dict(each) for kind, each in store._kinds.items()}
    copied._dependents = {uid: set(each) for uid, each in store._dependents.items()}
    copied._touched, copied._made, copied.journal = dict(store._touched), dict(store._made), []
    copied.guard = None  # it asks the original's Usages
    copied.clock = Clock()
    copied.clock.advance(store.clock.seconds)
    return copied


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        dropped = {"lastTransitionTime", "resourceVersion", "time"}
        return {key: _timeless(each) for key, each in value.items() if key not in dropped}
    return [_timeless(each) for each in value] if isinstance(value, list) else value


def _nameless(key: str, child: Plain, uids: Sequence[str]) -> Plain:
    """A composed resource as it was applied, without what Crossplane adds; a name made from the uid is left out."""
    dropped = {"ownerReferences", "generateName", "uid", "resourceVersion", "creationTimestamp", "managedFields"}
    metadata = {name: each for name, each in child["metadata"].items() if name not in dropped}
    prefix = f"{metadata['labels']['crossplane.io/composite']}-"
    if metadata["name"] in {child_name(prefix, uid, key) for uid in uids}:
        metadata["name"] = "(generated)"
    return {**child, "metadata": metadata}
