"""Requests and responses in plain values, for callers of a function such as the embedded loop and tests.

`kit` is the only room that knows Crossplane's messages; this file is their other end. Everything goes through the bytes
that would travel over gRPC, so a caller here sees what Crossplane would see.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from crossplane.function.proto.v1 import run_function_pb2 as fnv1
from google.protobuf import struct_pb2

from modelplane.contract.conditions import Condition, Status
from modelplane.kit.function import Function
from modelplane.kit.view import View, encode
from modelplane.kit.want import Event, Requirement

_STATUS: Final[Mapping[int, Status]] = {
    fnv1.STATUS_CONDITION_TRUE: "True",
    fnv1.STATUS_CONDITION_FALSE: "False",
}
_READY: Final[Mapping[int, bool]] = {fnv1.READY_TRUE: True, fnv1.READY_FALSE: False}

#: Encoded objects that are remembered; a fleet of 1,000 replicas with their children is some 10,000 objects.
_REMEMBERED: Final = 20_000


@dataclass(frozen=True, slots=True)
class Answered:
    """A composed resource of a response."""

    manifest: Mapping[str, Any]
    ready: bool


@dataclass(frozen=True, slots=True)
class Response:
    """A response in plain values. `fatal` is empty, or the message of the result that ends the reconcile."""

    resources: Mapping[str, Answered]
    composite: Mapping[str, Any]
    composite_ready: bool | None
    conditions: tuple[Condition, ...]
    events: tuple[Event, ...]
    requirements: Mapping[str, Requirement]
    fatal: str = ""


class Encoder:
    """Builds requests; remembers the encoded form of objects by uid and resourceVersion, which name their content."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], struct_pb2.Struct] = OrderedDict()

    def __deepcopy__(self, memo: dict[int, Any]) -> Encoder:
        """A fork that shares what is encoded, and from now on remembers on its own."""
        made = Encoder()
        made._known = OrderedDict(self._known)
        return made

    def request(
        self,
        composite: Mapping[str, Any],
        children: Mapping[str, Mapping[str, Any]],
        required: Mapping[str, Sequence[Mapping[str, Any]]],
    ) -> bytes:
        """The bytes of a request; a requirement with no object is sent as fetched and empty."""
        request = fnv1.RunFunctionRequest()
        request.observed.composite.resource.CopyFrom(self._struct(composite))
        for key in sorted(children):
            request.observed.resources[key].resource.CopyFrom(self._struct(children[key]))
        for name in sorted(required):
            items = request.required_resources[name].items
            for thing in required[name]:
                items.add().resource.CopyFrom(self._struct(thing))
        return request.SerializeToString(deterministic=True)

    def _struct(self, thing: Mapping[str, Any]) -> struct_pb2.Struct:
        metadata = thing.get("metadata", {})
        identity = (metadata.get("uid", ""), metadata.get("resourceVersion", ""))
        if not all(identity):
            return encode(thing)
        if identity not in self._known:
            self._known[identity] = encode(thing)
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return self._known[identity]


def call(function: Function[Any], request: bytes) -> bytes:
    """Run a function on a request's bytes, as the server does."""
    answer = function.run(fnv1.RunFunctionRequest.FromString(request))
    return answer.SerializeToString(deterministic=True)


def requirements(raw: bytes) -> Mapping[str, Requirement]:
    """Only what a response's bytes require, for the rounds before it settles; empty where its result is fatal."""
    message = fnv1.RunFunctionResponse.FromString(raw)
    if any(result.severity == fnv1.SEVERITY_FATAL for result in message.results):
        return {}
    return _requirements(message)


def response(raw: bytes) -> Response:
    """A response's bytes in plain values."""
    message = fnv1.RunFunctionResponse.FromString(raw)
    fatal = [result.message for result in message.results if result.severity == fnv1.SEVERITY_FATAL]
    return Response(
        resources={
            key: Answered(View(resource.resource).plain(), resource.ready == fnv1.READY_TRUE)
            for key, resource in sorted(message.desired.resources.items())
        },
        composite=View(message.desired.composite.resource).plain(),
        composite_ready=_READY.get(message.desired.composite.ready),
        conditions=tuple(
            Condition(c.type, _STATUS.get(c.status, "Unknown"), c.reason, c.message) for c in message.conditions
        ),
        events=tuple(
            Event(r.reason or "ComposeResources", r.message, warning=r.severity != fnv1.SEVERITY_NORMAL)
            for r in message.results
            if r.severity != fnv1.SEVERITY_FATAL
        ),
        requirements=_requirements(message),
        fatal=fatal[0] if fatal else "",
    )


def _requirements(message: fnv1.RunFunctionResponse) -> dict[str, Requirement]:
    return {name: _requirement(item) for name, item in sorted(message.requirements.resources.items())}


def _requirement(selector: fnv1.ResourceSelector) -> Requirement:
    labels = dict(selector.match_labels.labels) if selector.HasField("match_labels") else None
    return Requirement(selector.api_version, selector.kind, selector.match_name, labels, selector.namespace)
