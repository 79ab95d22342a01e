"""An obliging provider-helm (1.2): a Release is deployed as soon as its cluster answers. Charts are only recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from modelplane.embedded import conditions
from modelplane.embedded.connections import Connections
from modelplane.embedded.objects import FINALIZER
from modelplane.embedded.refusals import Refused
from modelplane.embedded.store import Store
from modelplane.embedded.things import Key, Plain, terminating

GROUP: Final = "helm.m.crossplane.io"
KIND: Final = "Release"
_MANAGER: Final = "provider-helm"
_EXTERNAL_NAME: Final = "crossplane.io/external-name"


@dataclass(slots=True)
class Releases:
    """The provider's controller."""

    store: Store
    connections: Connections

    def reconcile(self, key: Key) -> bool:
        """Deploy or uninstall one release. Whether that worked."""
        thing = self.store.find(key)
        if thing is None:
            self.connections.leave(key)
            return True
        name = thing["metadata"].get("annotations", {}).get(_EXTERNAL_NAME, key.name)
        try:
            cluster = self.connections.connect(key, self.connections.config(thing, GROUP))
        except Refused as error:
            self._mark(key, [conditions.condition("Synced", "False", "ReconcileError", str(error))], {})
            return False
        if terminating(thing):
            cluster.charts.pop(name, None)
            self.store.finalize(key, FINALIZER, hold=False)
            return True
        self.store.finalize(key, FINALIZER, hold=True)
        wanted = thing["spec"]["forProvider"]
        cluster.charts[name] = {**wanted["chart"], "namespace": wanted.get("namespace", "default")}
        made = [
            conditions.condition("Synced", "True", "ReconcileSuccess"),
            conditions.condition("Ready", "True", "Available"),
        ]
        self._mark(key, made, {"state": "deployed"})
        return True

    def _mark(self, key: Key, made: list[Plain], observed: Plain) -> None:
        live = self.store.get(key)
        before = live.get("status", {})
        stamped = [{**condition, "observedGeneration": live["metadata"]["generation"]} for condition in made]
        marked = conditions.marked(before.get("conditions", ()), stamped, self.store.clock.now())
        shown = {"atProvider": observed} if observed else {}
        self.store.set_status(key, {**before, **shown, "conditions": marked}, _MANAGER)
