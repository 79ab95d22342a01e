"""Kubernetes' garbage collector: what an owner leaves behind goes, and a foreground deletion waits for it."""

from __future__ import annotations

from dataclasses import dataclass, field

from modelplane.embedded.refusals import Refused
from modelplane.embedded.store import Store
from modelplane.embedded.things import FOREGROUND, Change, Key, owners, terminating


@dataclass(slots=True)
class Garbage:
    """The collector of one API server. It looks only at what a change concerns, and at what was refused before."""

    store: Store
    _orphans: set[Key] = field(default_factory=set)
    _waiting: set[Key] = field(default_factory=set)
    _living: dict[str, Key] = field(default_factory=dict)

    def observe(self, change: Change) -> None:
        """Take note of one write."""
        if change.new is not None:
            self._living[change.new["metadata"]["uid"]] = change.key
            if owners(change.new):
                self._orphans.add(change.key)
            if FOREGROUND in change.new["metadata"].get("finalizers", ()):
                self._waiting.add(change.key)
        elif change.old is not None:
            uid = change.old["metadata"]["uid"]
            self._living.pop(uid, None)
            self._orphans.update(self.store.dependents(uid))

    def collect(self) -> None:
        """Delete what has no owner left, and let go of owners whose dependents are gone."""
        for key in sorted(self._waiting):
            self._wait(key)
        for key in sorted(self._orphans):
            found = self.store.find(key)
            if found is None or any(uid in self._living for uid in owners(found)):
                self._orphans.discard(key)
            else:
                self._delete(key)

    def _wait(self, key: Key) -> None:
        found = self.store.find(key)
        if found is None or FOREGROUND not in found["metadata"].get("finalizers", ()):
            self._waiting.discard(key)
            return
        blocking = [child for child in self.store.dependents(found["metadata"]["uid"]) if self._blocks(key, child)]
        if not blocking:
            self._waiting.discard(key)
            self.store.finalize(key, FOREGROUND, hold=False)
        for child in blocking:
            self._delete(child)

    def _blocks(self, owner: Key, child: Key) -> bool:
        """Whether a dependent holds its owner back; one with another living owner does not."""
        uid = self.store.get(owner)["metadata"]["uid"]
        references = self.store.get(child)["metadata"].get("ownerReferences", ())
        held = any(ref["uid"] == uid and ref.get("blockOwnerDeletion") for ref in references)
        return held and not any(ref["uid"] != uid and ref["uid"] in self._living for ref in references)

    def _delete(self, key: Key) -> None:
        found = self.store.find(key)
        if found is None or terminating(found):
            return
        has_dependents = bool(self.store.dependents(found["metadata"]["uid"]))
        try:
            self.store.delete(key, foreground=has_dependents)
        except Refused:
            # A Usage protects it: asked again on the next pass, as the real collector does.
            return
