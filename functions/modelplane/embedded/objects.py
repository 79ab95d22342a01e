"""An obliging provider-kubernetes (1.3): each Object is one object on a workload cluster."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from modelplane.embedded import conditions, readiness
from modelplane.embedded.cluster import WorkloadCluster
from modelplane.embedded.connections import Connections
from modelplane.embedded.refusals import NotFound, Refused
from modelplane.embedded.store import Store
from modelplane.embedded.things import Key, Plain, terminating

GROUP: Final = "kubernetes.m.crossplane.io"
KIND: Final = "Object"
FINALIZER: Final = "finalizer.managedresource.crossplane.io"
_MANAGER: Final = "provider-kubernetes"
_LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"


@dataclass(slots=True)
class Objects:
    """The provider's controller."""

    store: Store
    connections: Connections
    #: Which Objects speak of a remote object, and whether they watch it.
    _speaking: dict[tuple[str, Key], dict[Key, bool]] = field(default_factory=dict)
    _spoken: dict[Key, tuple[str, Key]] = field(default_factory=dict)

    def concerned(self, cluster: str, remote: Key, *, watching: bool) -> list[Key]:
        """The Objects that speak of a remote object and see its changes by a watch, or only when they poll."""
        return [key for key, watches in self._speaking.get((cluster, remote), {}).items() if watches == watching]

    def reconcile(self, key: Key) -> bool:
        """Bring one remote object and its Object's status in line. Whether that worked."""
        thing = self.store.find(key)
        if thing is None:
            self._forget(key)
            self.connections.leave(key)
            return True
        try:
            cluster = self.connections.connect(key, self.connections.config(thing, GROUP))
            if terminating(thing):
                return self._delete(key, thing, cluster)
            self.store.finalize(key, FINALIZER, hold=True)
            self._sync(key, cluster)
        except Refused as error:
            self._mark(key, {}, [conditions.condition("Synced", "False", "ReconcileError", str(error))])
            return False
        return True

    def _delete(self, key: Key, thing: Plain, cluster: WorkloadCluster) -> bool:
        if _may(thing, "Delete"):
            remote = self._remote(cluster, thing)
            if cluster.store.find(remote) is not None:
                policy = thing["spec"]["forProvider"].get("deletionPropagationPolicy", "Background")
                cluster.store.delete(remote, foreground=policy == "Foreground")
            if cluster.store.find(remote) is not None:
                return False
        self.store.finalize(key, FINALIZER, hold=False)
        return True

    def _sync(self, key: Key, cluster: WorkloadCluster) -> None:
        thing = self.store.get(key)
        manifest = _manifest(thing)
        remote = self._remote(cluster, thing)
        self._speak(key, cluster.name, remote, watching=bool(thing["spec"].get("watch")))
        found = cluster.store.find(remote)
        written = json.dumps(manifest, sort_keys=True)
        if found is None and _may(thing, "Create"):
            found = cluster.store.create(_annotated(manifest, written), _MANAGER)
        elif found is not None and _may(thing, "Update") and _last_applied(found) != written:
            # A merge patch, not server-side apply, which the provider has switched off: what the manifest no longer
            # names stays on the remote object.
            found = cluster.store.update(_patched(found, _annotated(manifest, written)), _MANAGER)
        if found is None:
            msg = f"{remote} does not exist, and the management policies do not allow to create it"
            raise NotFound(msg)
        ready, error = readiness.verdict(thing["spec"].get("readiness", {}), found)
        reason = ("True", "Available", "") if ready else ("False", "Unavailable", error)
        made = [conditions.condition("Synced", "True", "ReconcileSuccess"), conditions.condition("Ready", *reason)]
        self._mark(key, {"atProvider": {"manifest": _shown(found)}}, made)

    def _mark(self, key: Key, status: Mapping[str, Any], made: list[Plain]) -> None:
        live = self.store.find(key)
        if live is None:
            return
        before = live.get("status", {})
        # The managed reconciler stamps the generation that it acted on.
        stamped = [{**condition, "observedGeneration": live["metadata"]["generation"]} for condition in made]
        marked = conditions.marked(before.get("conditions", ()), stamped, self.store.clock.now())
        self.store.set_status(key, {**before, **status, "conditions": marked}, _MANAGER)

    def _remote(self, cluster: WorkloadCluster, thing: Plain) -> Key:
        return cluster.store.key(_manifest(thing))

    def _speak(self, key: Key, cluster: str, remote: Key, *, watching: bool) -> None:
        if self._spoken.get(key) != (cluster, remote):
            self._forget(key)
            self._spoken[key] = (cluster, remote)
        self._speaking.setdefault((cluster, remote), {})[key] = watching

    def _forget(self, key: Key) -> None:
        spoken = self._spoken.pop(key, None)
        if spoken is not None:
            self._speaking[spoken].pop(key, None)


def _manifest(thing: Plain) -> Plain:
    """The manifest; it has the Object's name where it names none."""
    manifest = thing["spec"]["forProvider"]["manifest"]
    metadata = manifest.get("metadata", {})
    return {**manifest, "metadata": {"name": thing["metadata"]["name"], **metadata}}


def _may(thing: Plain, action: str) -> bool:
    policies = thing["spec"].get("managementPolicies", ["*"])
    return "*" in policies or action in policies


def _annotated(manifest: Plain, written: str) -> Plain:
    metadata = manifest["metadata"]
    return {
        **manifest,
        "metadata": {**metadata, "annotations": {**metadata.get("annotations", {}), _LAST_APPLIED: written}},
    }


def _last_applied(found: Plain) -> str:
    return str(found["metadata"].get("annotations", {}).get(_LAST_APPLIED, ""))


def _patched(live: Any, patch: Any) -> Any:  # noqa: ANN401  # any JSON value
    """A JSON merge patch: maps merge, null removes, everything else replaces."""
    if not isinstance(live, Mapping) or not isinstance(patch, Mapping):
        return patch
    merged = dict(live)
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = _patched(live[name], value) if name in live else value
    return merged


def _shown(found: Plain) -> Plain:
    """A remote object as status.atProvider carries it: whole, without managedFields."""
    return {**found, "metadata": {k: v for k, v in found["metadata"].items() if k != "managedFields"}}
