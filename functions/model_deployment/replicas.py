"""Reads ModelReplicas as placement has them.

Nine in ten objects of a request are replicas of other deployments. Of those only what accounting needs is read, and
only where it was not read in an earlier call. Whatever is malformed reads as nothing.
"""

from __future__ import annotations

from functools import partial
from typing import Final, cast

from model_deployment.memo import Memo
from modelplane.contract import labels
from modelplane.kit.seen import Thing
from modelplane.kit.view import NOTHING, Field, Fields, View
from modelplane.placement.facts import Claim, Held, Owner, Pin, Role

_ROLES: Final = frozenset({"Standalone", "Leader", "Worker"})
_NOBODY: Final = Owner("", "")
#: By the encoded spec: what many calls read again, unchanged.
_STRANGERS: Final[Memo[Held]] = Memo(40_000)
#: What like replicas claim.
_CLAIMS: Final[Memo[tuple[Claim, ...]]] = Memo(4_000)


def held(thing: Thing, owner: Owner, cluster: str, index: int) -> Held:
    """A replica under the identity given, which its own labels may contradict."""
    ready, served = _health(thing)
    return Held(
        owner=owner,
        key=f"{thing.namespace}/{thing.name}",
        cluster=cluster,
        index=index,
        pins=_pins(thing.spec),
        ready=ready,
        served=served,
        terminating=thing.terminating,
        created=thing.created,
        uid=thing.uid,
        asked=thing.view.view("metadata").view("annotations").text(labels.ASKED),
    )


def stated_identity(thing: Thing) -> tuple[str, str, int]:
    """The deployment, cluster and index that a replica states; an index that is no number reads as 0."""
    marks = thing.view.view("metadata").view("labels")
    index = marks.text(labels.REPLICA_INDEX)
    number = int(index) if index.isascii() and index.isdigit() else 0
    return marks.text(labels.DEPLOYMENT), thing.spec.text("clusterName"), number


def stranger(thing: Thing) -> Held:
    """A replica that is charged and nothing else: without its owner, age and health, and its pins without a name."""
    return _STRANGERS.get(thing.view.encoded("spec"), partial(_charged, thing))


def _charged(thing: Thing) -> Held:
    """The hot loop of a process's first call: through the decoded fields, since `View` costs as much again."""
    spec = thing.view.fields.get("spec", NOTHING).struct_value.fields
    pins = [
        _charge(member.struct_value.fields, _positive(engine.struct_value.fields.get("copies", NOTHING)))
        for engine in spec.get("engines", NOTHING).list_value.values
        for member in engine.struct_value.fields.get("members", NOTHING).list_value.values
    ]
    return Held(_NOBODY, "", spec.get("clusterName", NOTHING).string_value, 0, tuple(pins))


def _charge(member: Fields, copies: int) -> Pin:
    requests = member.get("deviceRequests", NOTHING)
    claims = _CLAIMS.get(
        requests.SerializeToString(),
        lambda: tuple(_claim(View(item.struct_value)) for item in requests.list_value.values),
    )
    # A worker block stands on Workers alone, so the role adds nothing to it.
    worker = member.get("worker")
    pods = 1 if worker is None else _positive(worker.struct_value.fields.get("nodes", NOTHING))
    return Pin("", "Standalone", member.get("nodePoolName", NOTHING).string_value, pods, copies, claims)


def _positive(value: Field) -> int:
    """The count; 1 for what is absent, zero, negative or no whole number."""
    number = value.number_value
    return int(number) if number >= 1 and number.is_integer() else 1


def _pins(spec: View) -> tuple[Pin, ...]:
    pins: list[Pin] = []
    for engine in spec.views("engines"):
        name = engine.text("name")
        copies = max(1, engine.integer("copies", 1))
        for member in engine.views("members"):
            role = member.text("role", "Standalone")
            known = cast("Role", role) if role in _ROLES else "Standalone"
            pods = max(1, member.view("worker").integer("nodes", 1)) if role == "Worker" else 1
            claims = tuple(map(_claim, member.views("deviceRequests")))
            pins.append(Pin(name, known, member.text("nodePoolName"), pods, copies, claims))
    return tuple(pins)


def _claim(view: View) -> Claim:
    selectors = tuple(selector.text("cel") for selector in view.views("selectors"))
    count = max(0, view.integer("count", 1))
    return Claim(view.text("name"), view.text("deviceClassName"), count, tuple(filter(None, selectors)))


def _health(thing: Thing) -> tuple[bool, bool]:
    """Whether Ready is True, and whether it was at least once."""
    ready = served = False
    for condition in thing.status.views("conditions"):
        kind = condition.text("type")
        if kind == "Ready":
            ready = condition.text("status") == "True"
        elif kind == "Served":
            served = condition.text("status") == "True"
    return ready, served or ready
