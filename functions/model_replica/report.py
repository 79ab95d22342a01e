"""How a replica stands, in conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from model_replica import shapes
from model_replica.write import Workload
from modelplane.contract.conditions import MODEL_ACCEPTED, MODEL_READY, SERVED
from modelplane.kit.seen import Child, Seen
from modelplane.kit.view import View
from modelplane.kit.want import Want

#: Longest text of a provider's error that a condition repeats.
_MESSAGE_LIMIT = 300


def exists(child: Child | None) -> bool:
    """Whether the remote object was seen on its cluster."""
    return child is not None and next(remote(child).keys(), "") != ""


def remote(child: Child) -> View:
    """The remote object of an Object as last observed; empty where it was never seen."""
    return child.status.view("atProvider").view("manifest")


def state(seen: Seen[Any], want: Want[Any], cluster: str, workloads: Sequence[Workload]) -> None:
    """State all conditions of a replica whose workloads were decided on."""
    children = seen.children
    made = [w for w in workloads if exists(children.get(w.key))]
    ready = [w for w in made if children[w.key].ready]
    if len(made) < len(workloads):
        count = f"{len(made)} of {len(workloads)} workloads exist on {cluster}"
        want.condition(MODEL_ACCEPTED("Deploying", count + _trouble(children)))
        want.condition(MODEL_READY("WaitingForModel", count))
    else:
        want.condition(MODEL_ACCEPTED("Accepted"))
        count = f"{len(ready)} of {len(workloads)} workloads are available on {cluster}"
        waiting = ", ".join(_copies(children[w.key], w) for w in workloads if w not in ready)
        if waiting:
            want.condition(MODEL_READY("ModelStarting", f"{count}: {waiting}"))
        else:
            want.condition(MODEL_READY("Serving", count), event=True)
    _state_served(seen, want, serving=len(ready) == len(workloads))


def hold(seen: Seen[Any], want: Want[Any], why: str) -> None:
    """State how what runs stands, judged by what is observed alone, where nothing could be decided."""
    running = [child for key, child in seen.children.items() if shapes.is_workload(key)]
    serving = bool(running) and all(exists(child) and child.ready for child in running)
    want.condition(MODEL_READY("Serving", "what runs is available") if serving else MODEL_READY("WaitingForModel", why))
    _state_served(seen, want, serving=serving)


def _state_served(seen: Seen[Any], want: Want[Any], *, serving: bool) -> None:
    """Once it has served, it has: placement ranks replicas by this, so it must not flap with readiness."""
    before = seen.composite.condition(SERVED.type).reason == "HasServed"
    want.condition(SERVED("HasServed" if before or serving else "NeverServed"))


def _copies(child: Child, workload: Workload) -> str:
    available = remote(child).view("status").integer(workload.available)
    return f"{workload.engine.name} has {available} of {workload.engine.copies} copies"


def _trouble(children: Mapping[str, Child]) -> str:
    """The first error that the provider meets with an Object, in the order of keys."""
    for key, text in _errors(children.values()):
        return f"; {key}: {text[:_MESSAGE_LIMIT]}"
    return ""


def _errors(children: Iterable[Child]) -> Iterable[tuple[str, str]]:
    for child in children:
        synced = child.condition("Synced")
        if synced.status == "False" and synced.message:
            yield child.key, synced.message
