"""Crossplane's reconcile of one composite (crossplane/v2 2.3, internal/controller/apiextensions/composite)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from modelplane.embedded import conditions
from modelplane.embedded.apis import Api
from modelplane.embedded.events import Events
from modelplane.embedded.pipeline import Failed, Fetch, Pipeline
from modelplane.embedded.refusals import Invalid, Refused
from modelplane.embedded.store import Store
from modelplane.embedded.things import Key, Plain, controller, group_of, terminating
from modelplane.kit import wire
from modelplane.kit.function import Function

FINALIZER: Final = "composite.apiextensions.crossplane.io"
NAME_PREFIX: Final = "crossplane.io/composite"
RESOURCE_NAME: Final = "crossplane.io/composition-resource-name"
#: The managers of a composite's own fields, and of the resources that a composite composes.
XR_MANAGER: Final = "apiextensions.crossplane.io/composite"
COMPOSED_MANAGER: Final = "apiextensions.crossplane.io/composed"


@dataclass(slots=True)
class Composites:
    """The controller of every kind of composite.

    Args:
        store: the control plane.
        functions: by the composite's group and kind.
        fetch: answers requirements; may be of a past moment, as Crossplane's cache is.
    """

    store: Store
    apis: Mapping[tuple[str, str], Api]
    functions: Callable[[Api], Function[Any]]
    fetch: Fetch
    events: Events
    pipeline: Pipeline = field(default_factory=Pipeline)
    #: What each composite's last response required, so that the loop knows whom a change of the fleet concerns.
    required: dict[Key, tuple[tuple[str, str], ...]] = field(default_factory=dict)

    def reconcile(self, key: Key) -> bool:
        """Reconcile one composite. Whether it succeeded; a failure stands in its condition Synced."""
        xr = self.store.find(key)
        if xr is None:
            self.required.pop(key, None)
            return True
        if terminating(xr):
            self._mark(xr, [conditions.condition("Ready", "False", "Deleting"), _synced(xr)])
            self.store.finalize(key, FINALIZER, hold=False)
            return True
        xr = self._configure(key, xr)
        observed = self._observe(xr)
        try:
            said = self._run(key, xr, observed)
            events = [(event.reason, event.message, event.warning) for event in said.events]
            unsynced = self._compose(xr, observed, said, events)
        except (Failed, Refused) as error:
            self._fail(key, error)
            return False
        for reason, message, warning in events:
            self.events.record(key, reason, message, warning=warning)
        self._succeed(key, said, unsynced)
        return not unsynced

    def _run(self, key: Key, xr: Plain, observed: Mapping[str, Plain]) -> wire.Response:
        api = self.apis[key.group, key.kind]
        kinds: set[tuple[str, str]] = set()

        def fetch(requirement: Any) -> Any:  # noqa: ANN401  # Fetch's own types
            kinds.add((group_of(requirement.api_version), requirement.kind))
            return self.fetch(requirement)

        try:
            return self.pipeline.run(self.functions(api), api.step, xr, observed, fetch)
        finally:
            self.required[key] = tuple(sorted(kinds)) or self.required.get(key, ())

    # --- Before the function

    def _configure(self, key: Key, xr: Plain) -> Plain:
        """The finalizer, the label with the name prefix, and the reference to the composition."""
        self.store.finalize(key, FINALIZER, hold=True)
        xr = self.store.get(key)
        metadata = xr["metadata"]
        labels = metadata.get("labels", {})
        reference = {"compositionRef": {"name": f"{self.apis[key.group, key.kind].plural}.{key.group}"}}
        block = xr.get("spec", {}).get("crossplane", {})
        if NAME_PREFIX in labels and "compositionRef" in block:
            return xr
        labelled = {**metadata, "labels": {**labels, NAME_PREFIX: labels.get(NAME_PREFIX, key.name)}}
        spec = {**xr.get("spec", {}), "crossplane": {**block, **reference}}
        return self.store.update({**xr, "metadata": labelled, "spec": spec}, "crossplane")

    def _observe(self, xr: Plain) -> dict[str, Plain]:
        """The composed resources that the composite's references name, by key; strangers' are passed over."""
        found: dict[str, Plain] = {}
        for reference in xr.get("spec", {}).get("crossplane", {}).get("resourceRefs", ()):
            child = self.store.find(self._referenced(xr, reference))
            if child is None or (controller(child) and controller(child) != xr["metadata"]["uid"]):
                continue
            found[child["metadata"]["annotations"][RESOURCE_NAME]] = child
        return found

    def _referenced(self, xr: Plain, reference: Mapping[str, str]) -> Key:
        group = group_of(reference["apiVersion"])
        namespace = xr["metadata"].get("namespace") or reference.get("namespace", "")
        where = namespace if self.store.namespaced(group, reference["kind"]) else ""
        return Key(group, reference["kind"], where, reference["name"])

    # --- After it

    def _compose(
        self, xr: Plain, observed: Mapping[str, Plain], said: wire.Response, events: list[tuple[str, str, bool]]
    ) -> list[str]:
        """Delete, refer, apply, and write the status, in Crossplane's order. The keys that the API server refused."""
        desired = {
            key: self._rendered(xr, key, made.manifest, observed.get(key)) for key, made in said.resources.items()
        }
        for key in sorted(set(observed) - set(desired)):
            self._collect(observed[key])
        self._refer(xr, desired)
        unsynced: list[str] = []
        for key, manifest in desired.items():
            try:
                self.store.apply(manifest, composed_manager(xr))
            except Invalid as error:
                unsynced.append(key)
                events.append(("ComposeResources", f'cannot apply composed resource "{key}": {error}', True))
        status = said.composite.get("status", {})
        self._status(self.store.key(xr), {k: v for k, v in status.items() if k != "conditions"})
        return unsynced

    def _rendered(self, xr: Plain, key: str, manifest: Mapping[str, Any], observed: Plain | None) -> Plain:
        """A wanted resource with the metadata that Crossplane derives."""
        metadata = dict(manifest.get("metadata", {}))
        group, kind = group_of(manifest["apiVersion"]), manifest["kind"]
        prefix = xr["metadata"]["labels"][NAME_PREFIX]
        namespaced = self.store.namespaced(group, kind)
        if observed is not None:
            kept = ("name", "namespace", "generateName")
            metadata |= {k: observed["metadata"][k] for k in kept if k in observed["metadata"]}
        own = xr["metadata"].get("namespace")
        if own and not namespaced:
            msg = f'cannot compose resource "{key}": {kind} is cluster scoped, the composite is namespaced'
            raise Invalid(msg)
        if own:
            metadata["namespace"] = own
        if not metadata.get("name"):
            metadata |= {"generateName": f"{prefix}-", "name": child_name(f"{prefix}-", xr["metadata"]["uid"], key)}
        metadata["annotations"] = {**metadata.get("annotations", {}), RESOURCE_NAME: key}
        metadata["labels"] = {**metadata.get("labels", {}), NAME_PREFIX: prefix}
        metadata["ownerReferences"] = [*metadata.get("ownerReferences", ()), _controlled_by(xr)]
        return {**manifest, "metadata": metadata}

    def _collect(self, child: Plain) -> None:
        """Delete a resource that is no longer wanted, its own dependents first."""
        key = self.store.key(child)
        current = self.store.find(key)
        if current is None:
            return
        labels = {k: v for k, v in current["metadata"].get("labels", {}).items() if k != NAME_PREFIX}
        self.store.update({**current, "metadata": {**current["metadata"], "labels": labels}}, "crossplane")
        self.store.delete(key, foreground=True, uid=child["metadata"]["uid"])

    def _refer(self, xr: Plain, desired: Mapping[str, Plain]) -> None:
        """Record the references before anything is made, so that nothing is ever forgotten."""
        own = xr["metadata"].get("namespace")
        references = [
            {"apiVersion": made["apiVersion"], "kind": made["kind"], "name": made["metadata"]["name"]}
            | ({"namespace": made["metadata"]["namespace"]} if not own and "namespace" in made["metadata"] else {})
            for made in desired.values()
        ]
        references.sort(key=lambda ref: ref["apiVersion"] + ref["kind"] + ref["name"])
        scope = {"namespace": own} if own else {}
        self.store.apply(
            {
                "apiVersion": xr["apiVersion"],
                "kind": xr["kind"],
                "metadata": {"name": xr["metadata"]["name"], **scope},
                "spec": {"crossplane": {"resourceRefs": references}},
            },
            XR_MANAGER,
        )

    # --- Status

    def _status(self, key: Key, status: Mapping[str, Any]) -> None:
        live = self.store.get(key)
        kept = {k: v for k, v in live.get("status", {}).items() if k == "conditions"}
        self.store.set_status(key, {**status, **kept}, XR_MANAGER)

    def _mark(self, xr: Plain, new: list[Plain]) -> None:
        key = self.store.key(xr)
        live = self.store.get(key)
        status = live.get("status", {})
        made = conditions.marked(status.get("conditions", ()), new, self.store.clock.now())
        self.store.set_status(key, {**status, "conditions": made}, "crossplane")

    def _fail(self, key: Key, error: Exception) -> None:
        """What a failed reconcile leaves: the conditions that were sent along, every other custom one Unknown."""
        xr = self.store.get(key)
        said = error.said if isinstance(error, Failed) else None
        sent = _custom(said)
        seen = {made["type"] for made in sent}
        message = "A fatal error occurred before the status of this condition could be determined."
        rest = [
            conditions.condition(found["type"], "Unknown", "FatalError", message)
            for found in xr.get("status", {}).get("conditions", ())
            if found["type"] not in conditions.SYSTEM | seen
        ]
        text = f"cannot compose resources: {error}"
        self.events.record(key, "ComposeResources", text, warning=True)
        generation = xr["metadata"]["generation"]
        synced = conditions.condition("Synced", "False", "ReconcileError", text, generation=generation)
        self._mark(xr, [*sent, *rest, synced])

    def _succeed(self, key: Key, said: wire.Response, unsynced: list[str]) -> None:
        xr = self.store.get(key)
        generation = xr["metadata"]["generation"]
        unready = [name for name, made in said.resources.items() if not made.ready]
        synced = _synced(xr)
        if unsynced:
            text = f"Unsynced resources: {conditions.some(unsynced)}"
            synced = conditions.condition("Synced", "False", "ReconcileError", text, generation=generation)
        wanted = not unready if said.composite_ready is None else said.composite_ready
        text = f"Unready resources: {conditions.some(unready)}" if said.composite_ready is None else ""
        reason = ("True", "Available", "") if wanted else ("False", "Creating", text)
        ready = conditions.condition("Ready", *reason, generation=generation)
        self._mark(xr, [*_custom(said), synced, ready])


def child_name(prefix: str, uid: str, key: str) -> str:
    """The name that Crossplane gives a composed resource without one (crossplane/v2, internal/names)."""
    digest = hashlib.sha256((uid + key).encode()).hexdigest()[:12]
    if len(prefix) + len(digest) <= 63:
        return prefix + digest
    room = 63 - len(digest)
    return (prefix[:room] if prefix[:room].endswith("-") else prefix[: room - 1] + "-") + digest


def composed_manager(xr: Mapping[str, Any]) -> str:
    """The field manager of what a composite composes: one for each name and kind."""
    identity = f"{xr['metadata']['name']}{xr['kind']}.{group_of(xr['apiVersion'])}"
    return f"{COMPOSED_MANAGER}/{hashlib.sha256(identity.encode()).hexdigest()}"


def _controlled_by(xr: Plain) -> Plain:
    reference = {"apiVersion": xr["apiVersion"], "kind": xr["kind"], "name": xr["metadata"]["name"]}
    return {**reference, "uid": xr["metadata"]["uid"], "controller": True, "blockOwnerDeletion": True}


def _synced(xr: Plain) -> Plain:
    return conditions.condition("Synced", "True", "ReconcileSuccess", generation=xr["metadata"]["generation"])


def _custom(said: wire.Response | None) -> list[Plain]:
    """The conditions of a response that a function may set; Crossplane gives them no observedGeneration."""
    sent = said.conditions if said else ()
    return [
        conditions.condition(c.type, c.status, c.reason, c.message) for c in sent if c.type not in conditions.SYSTEM
    ]
