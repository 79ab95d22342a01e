"""One API server: objects by kind and name, server-side apply, finalizers, and a journal of what changed.

Stored objects are never changed in place: a write replaces the object, so a reader may hold on to what it read, and a
view of a past moment is a shallow copy.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from modelplane.embedded import fields, managers
from modelplane.embedded.clock import Clock
from modelplane.embedded.managers import Entry
from modelplane.embedded.refusals import Conflict, Invalid, NotFound
from modelplane.embedded.things import (
    CLUSTER_SCOPED,
    FOREGROUND,
    Change,
    Key,
    Plain,
    Rules,
    body,
    content,
    group_of,
    owners,
    select,
    spec,
)


@dataclass(slots=True)
class Store:
    """The API server of one cluster.

    `guard` is asked before each deletion and raises to refuse it; `rules` holds what is known of kinds, by group and
    kind.
    """

    name: str
    clock: Clock
    rules: dict[tuple[str, str], Rules] = field(default_factory=dict)
    guard: Callable[[Plain, str], None] | None = None
    journal: list[Change] = field(default_factory=list)
    version: int = 0
    _kinds: dict[tuple[str, str], dict[tuple[str, str], Plain]] = field(default_factory=dict)
    _touched: dict[tuple[str, str], int] = field(default_factory=dict)
    _dependents: dict[str, set[Key]] = field(default_factory=dict)
    _made: dict[Key, int] = field(default_factory=dict)

    def __deepcopy__(self, memo: dict[int, Any]) -> Store:
        """A fork that shares the objects, since they are never changed in place."""
        made = Store(self.name, copy.deepcopy(self.clock, memo), self.rules)
        memo[id(self)] = made
        made.guard = copy.deepcopy(self.guard, memo)
        made.journal, made.version = [*self.journal], self.version
        made._kinds = {kind: {**found} for kind, found in self._kinds.items()}
        made._touched, made._made = {**self._touched}, {**self._made}
        made._dependents = {uid: {*keys} for uid, keys in self._dependents.items()}
        return made

    # --- Reading

    def key(self, manifest: Mapping[str, Any]) -> Key:
        """The identity of an object; the namespace is `default` where a namespaced kind names none."""
        metadata = manifest.get("metadata", {})
        group, kind = group_of(manifest["apiVersion"]), manifest["kind"]
        namespace = metadata.get("namespace", "default") if self.namespaced(group, kind) else ""
        return Key(group, kind, namespace, metadata.get("name", ""))

    def namespaced(self, group: str, kind: str) -> bool:
        """Whether objects of the kind have a namespace."""
        rules = self.rules.get((group, kind))
        return rules.namespaced if rules else kind not in CLUSTER_SCOPED

    def find(self, key: Key) -> Plain | None:
        """The object, to be read only; None where there is none."""
        return self._kinds.get((key.group, key.kind), {}).get((key.namespace, key.name))

    def get(self, key: Key) -> Plain:
        """The object, to be read only.

        Raises:
            NotFound: there is none.
        """
        found = self.find(key)
        if found is None:
            msg = f"{key} not found"
            raise NotFound(msg)
        return found

    def list(
        self, group: str, kind: str, namespace: str = "", labels: Mapping[str, str] | None = None
    ) -> tuple[Plain, ...]:
        """The objects of a kind in the order of namespace and name, to be read only."""
        return select(self._kinds.get((group, kind), {}), namespace, labels)

    def snapshot(self, group: str, kind: str) -> Mapping[tuple[str, str], Plain]:
        """The objects of a kind as they are now, by namespace and name."""
        return dict(self._kinds.get((group, kind), {}))

    def touched(self, group: str, kind: str) -> int:
        """The version at which an object of the kind last changed."""
        return self._touched.get((group, kind), 0)

    def everything(self) -> Iterator[tuple[Key, Plain]]:
        """Every object, in the order of group, kind, namespace and name."""
        for group, kind in sorted(self._kinds):
            for namespace, name in sorted(self._kinds[group, kind]):
                yield Key(group, kind, namespace, name), self._kinds[group, kind][namespace, name]

    def dependents(self, uid: str) -> tuple[Key, ...]:
        """The objects that name this uid among their owners, sorted."""
        return tuple(sorted(self._dependents.get(uid, ())))

    # --- Writing

    def apply(self, manifest: Mapping[str, Any], manager: str) -> Plain:
        """Server-side apply with force: fields that the manager applied before and now leaves out are removed.

        Raises:
            Invalid: the kind's rules refuse it.
            NotFound: its namespace does not exist.
        """
        manifest = {name: value for name, value in manifest.items() if name != "status"}
        key = self.key(manifest)
        live = self.find(key)
        of = self._shape(key)
        claimed = fields.owned_by(manifest, of)
        entries = managers.entries(live)
        before = entries.get((manager, "Apply", ""), {})
        others = [tree for entry, tree in entries.items() if entry != (manager, "Apply", "")]
        abandoned = fields.minus(before, claimed)
        for tree in others:
            abandoned = fields.minus(abandoned, tree)
        merged = fields.merge(fields.without(live, abandoned, of) if live else {}, manifest, of)
        kept = {entry: fields.minus(tree, claimed) if entry[1] == "Update" else tree for entry, tree in entries.items()}
        return self._write(key, live, merged, {**kept, (manager, "Apply", ""): claimed})

    def update(self, manifest: Mapping[str, Any], manager: str, subresource: str = "") -> Plain:
        """Replace an object (or, with a subresource, its status); the manager comes to own what it changed.

        Raises:
            NotFound: the object, or its namespace, does not exist.
            Invalid: the kind's rules refuse it.
        """
        key = self.key(manifest)
        live = self.get(key)
        of = self._shape(key)
        new = dict(manifest) if not subresource else {**live, "status": manifest.get("status", {})}
        fresh = fields.changed(body(live), body(new), of)
        entries = {entry: fields.minus(tree, fresh) for entry, tree in managers.entries(live).items()}
        mine = (manager, "Update", subresource)
        return self._write(key, live, new, {**entries, mine: fields.union(entries.get(mine, {}), fresh)})

    def create(self, manifest: Mapping[str, Any], manager: str) -> Plain:
        """Make an object.

        Raises:
            Conflict: it exists.
            NotFound: its namespace does not exist.
            Invalid: the kind's rules refuse it.
        """
        key = self.key(manifest)
        if self.find(key) is not None:
            msg = f"{key} already exists"
            raise Conflict(msg)
        return self._write(
            key, None, dict(manifest), {(manager, "Update", ""): fields.owned_by(manifest, self._shape(key))}
        )

    def set_status(self, key: Key, status: Mapping[str, Any], manager: str) -> Plain:
        """Replace an object's status; nothing happens where it is equal."""
        live = self.get(key)
        return live if live.get("status") == status else self.update({**live, "status": status}, manager, "status")

    def delete(self, key: Key, *, foreground: bool = False, uid: str = "") -> None:
        """Begin or complete the deletion of an object.

        Raises:
            NotFound: there is none.
            Conflict: it has another uid.
            InUse: a Usage protects it.
        """
        live = self.get(key)
        metadata = live["metadata"]
        if uid and uid != metadata["uid"]:
            msg = f"{key} is another object than the one to be deleted"
            raise Conflict(msg)
        if self.guard is not None:
            self.guard(live, "Foreground" if foreground else "Background")
        finalizers = list(metadata.get("finalizers", ()))
        if foreground and FOREGROUND not in finalizers:
            finalizers.append(FOREGROUND)
        if not finalizers:
            self._remove(key, live)
        elif finalizers != metadata.get("finalizers") or "deletionTimestamp" not in metadata:
            since = metadata.get("deletionTimestamp", self.clock.now())
            marked = {**metadata, "finalizers": finalizers, "deletionTimestamp": since}
            self._put(key, live, {**live, "metadata": marked})

    def finalize(self, key: Key, finalizer: str, *, hold: bool) -> None:
        """Add or take away a finalizer; a terminating object goes when the last one does."""
        live = self.find(key)
        if live is None:
            return
        metadata = live["metadata"]
        present = list(metadata.get("finalizers", ()))
        if hold == (finalizer in present) or (hold and "deletionTimestamp" in metadata):
            return
        wanted = [*present, finalizer] if hold else [item for item in present if item != finalizer]
        if not wanted and "deletionTimestamp" in metadata:
            self._remove(key, live)
            return
        marked = {k: v for k, v in metadata.items() if k != "finalizers"}
        self._put(key, live, {**live, "metadata": {**marked, "finalizers": wanted} if wanted else marked})

    def annotate(self, key: Key, annotation: str, value: str) -> None:
        """Set an annotation."""
        live = self.get(key)
        metadata = live["metadata"]
        if metadata.get("annotations", {}).get(annotation) != value:
            marked = {**metadata, "annotations": {**metadata.get("annotations", {}), annotation: value}}
            self._put(key, live, {**live, "metadata": marked})

    # --- The inside

    def _shape(self, key: Key) -> fields.Shape:
        rules = self.rules.get((key.group, key.kind))
        return fields.with_metadata(rules.shape if rules else fields.UNKNOWN)

    def _write(self, key: Key, live: Plain | None, new: Plain, entries: Mapping[Entry, fields.Tree]) -> Plain:
        if live is None:
            self._check_place(key)
        new = {**new, "metadata": {**new.get("metadata", {}), **self._identity(key, live)}}
        _check_owners(key, new)
        rules = self.rules.get((key.group, key.kind))
        if rules and rules.admit and (live is None or body(live) != body(new)):
            new = rules.admit(new, live)
        if live is not None and spec(live) != spec(new):
            new["metadata"]["generation"] = live["metadata"]["generation"] + 1
        new["metadata"]["managedFields"] = managers.records(new["apiVersion"], entries, live, self.clock.now())
        if live is not None and content(live) == content(new) and managers.entries(live) == managers.entries(new):
            return live
        return self._put(key, live, new)

    def _identity(self, key: Key, live: Plain | None) -> Plain:
        if live is not None:
            fixed = ("uid", "creationTimestamp", "generation", "deletionTimestamp")
            return {name: live["metadata"][name] for name in fixed if name in live["metadata"]}
        turn = self._made.get(key, 0)
        self._made[key] = turn + 1
        # From the object's own identity, not from a counter: the order of a round's writes must not show in it.
        digest = hashlib.sha256("\n".join((self.name, *key, str(turn))).encode()).hexdigest()
        uid = f"{digest[:8]}-{digest[8:12]}-4{digest[13:16]}-8{digest[17:20]}-{digest[20:32]}"
        scope = {"namespace": key.namespace} if key.namespace else {}
        return {"name": key.name, **scope, "uid": uid, "creationTimestamp": self.clock.now(), "generation": 1}

    def _check_place(self, key: Key) -> None:
        if not key.name:
            msg = f"{key.kind}: metadata.name is required"
            raise Invalid(msg)
        if key.namespace and self.find(Key("", "Namespace", "", key.namespace)) is None:
            msg = f'namespaces "{key.namespace}" not found'
            raise NotFound(msg)

    def _put(self, key: Key, live: Plain | None, new: Plain) -> Plain:
        self.version += 1
        new["metadata"]["resourceVersion"] = str(self.version)
        self._kinds.setdefault((key.group, key.kind), {})[key.namespace, key.name] = new
        self._journal(key, live, new)
        return new

    def _remove(self, key: Key, live: Plain) -> None:
        self.version += 1
        del self._kinds[key.group, key.kind][key.namespace, key.name]
        self._journal(key, live, None)

    def _journal(self, key: Key, old: Plain | None, new: Plain | None) -> None:
        self._touched[key.group, key.kind] = self.version
        for uid in owners(old) - owners(new):
            self._dependents.get(uid, set()).discard(key)
        for uid in owners(new) - owners(old):
            self._dependents.setdefault(uid, set()).add(key)
        self.journal.append(Change(key, old, new))


def _check_owners(key: Key, thing: Plain) -> None:
    if sum(1 for ref in thing["metadata"].get("ownerReferences", ()) if ref.get("controller")) > 1:
        msg = f"{key}: only one owner reference may have controller set to true"
        raise Invalid(msg)
