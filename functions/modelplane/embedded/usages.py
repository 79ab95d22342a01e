"""Crossplane's Usages: they refuse a deletion while their user lives, and repeat it afterwards (crossplane/v2 2.3)."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from modelplane.embedded import conditions
from modelplane.embedded.composites import NAME_PREFIX
from modelplane.embedded.refusals import InUse, Refused
from modelplane.embedded.store import Store
from modelplane.embedded.things import Key, Plain, controller, group_of, terminating

GROUP: Final = "protection.crossplane.io"
KINDS: Final = ("Usage", "ClusterUsage")
FINALIZER: Final = "usage.apiextensions.crossplane.io"
ATTEMPT: Final = "usage.crossplane.io/deletion-attempt-with-policy"
_MANAGER: Final = "crossplane"


@dataclass(slots=True)
class Usages:
    """The controller of Usages and the webhook that guards deletions. Set `guard` as the store's."""

    store: Store
    #: Deletions to repeat once a Usage is gone: the object and the policy.
    _replays: dict[Key, tuple[Key, str]] = field(default_factory=dict)

    def guard(self, thing: Plain, policy: str) -> None:
        """Refuse the deletion of what a Usage names.

        Raises:
            InUse: with the user or the reason of the first Usage.
        """
        key = self.store.key(thing)
        found = [usage for usage in self._all() if self._named(usage, "of") == key]
        if not found:
            return
        self.store.annotate(key, ATTEMPT, policy)
        spec = found[0]["spec"]
        why = f"reason: {spec['reason']!r}" if "by" not in spec else f"user: {self._named(found[0], 'by')}"
        msg = f"{key} is in use by {len(found)} usage(s), the first with {why}"
        raise InUse(msg)

    def reconcile(self, key: Key) -> bool:
        """Resolve a Usage's selectors, or complete its deletion once its user is gone. Whether that is done."""
        usage = self.store.find(key)
        if usage is None:
            self._replay(key)
            return True
        if terminating(usage):
            return self._end(key, usage)
        self.store.finalize(key, FINALIZER, hold=True)
        usage = self.store.get(key)
        resolved = self._resolved(usage)
        if resolved is None:
            return False
        self.store.update(resolved, _MANAGER)
        ready = conditions.condition("Ready", "True", "Available", generation=resolved["metadata"]["generation"])
        status = usage.get("status", {})
        marked = conditions.marked(status.get("conditions", ()), [ready], self.store.clock.now())
        self.store.set_status(key, {**status, "conditions": marked}, _MANAGER)
        return True

    def _end(self, key: Key, usage: Plain) -> bool:
        composed = NAME_PREFIX in usage["metadata"].get("labels", {})
        by = self._named(usage, "by")
        if composed and by is not None and self.store.find(by) is not None:
            return False
        of = self._named(usage, "of")
        used = self.store.find(of) if of else None
        policy = (used or {}).get("metadata", {}).get("annotations", {}).get(ATTEMPT)
        if of is not None and policy and usage["spec"].get("replayDeletion"):
            self._replays[key] = of, policy
        self.store.finalize(key, FINALIZER, hold=False)
        return True

    def _replay(self, key: Key) -> None:
        """Delete again what somebody tried to delete while the Usage stood; Crossplane waits two seconds for this."""
        if key not in self._replays:
            return
        of, policy = self._replays.pop(key)
        with contextlib.suppress(Refused):  # it is gone already, or another Usage holds it and will repeat this
            self.store.delete(of, foreground=policy == "Foreground")

    def _all(self) -> list[Plain]:
        return [usage for kind in KINDS for usage in self.store.list(GROUP, kind)]

    def _resolved(self, usage: Plain) -> Plain | None:
        """The Usage with both sides named; None where a selector finds nothing yet."""
        spec = dict(usage["spec"])
        for side in ("of", "by"):
            if side not in spec or spec[side].get("resourceRef", {}).get("name"):
                continue
            found = self._selected(usage, spec[side])
            if found is None:
                return None
            spec[side] = {**spec[side], "resourceRef": {"name": found}}
        return {**usage, "spec": spec}

    def _selected(self, usage: Plain, side: Mapping[str, Any]) -> str | None:
        selector = side.get("resourceSelector", {})
        namespace = usage["metadata"].get("namespace", "")
        group = group_of(side["apiVersion"])
        for thing in self.store.list(group, side["kind"], namespace, selector.get("matchLabels")):
            if not selector.get("matchControllerRef") or controller(thing) == controller(usage):
                return str(thing["metadata"]["name"])
        return None

    def _named(self, usage: Plain, side: str) -> Key | None:
        part = usage["spec"].get(side)
        name = (part or {}).get("resourceRef", {}).get("name")
        if part is None or not name:
            return None
        group = group_of(part["apiVersion"])
        namespace = usage["metadata"].get("namespace", "") if self.store.namespaced(group, part["kind"]) else ""
        return Key(group, part["kind"], namespace, name)
