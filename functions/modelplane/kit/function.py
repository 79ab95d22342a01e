"""One composition function: a request in, a response out. Pure: the same request gives the same bytes."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from crossplane.function.proto.v1 import run_function_pb2 as fnv1

from modelplane.contract.conditions import Condition, ConditionType
from modelplane.kit import usages
from modelplane.kit.seen import Seen
from modelplane.kit.view import View, encode
from modelplane.kit.want import Event, Requirement, Want, ready

XR = TypeVar("XR")

#: Seconds after which Crossplane calls again when nothing that it watches changed: it does not watch required
#: resources (Crossplane 2.3), so this bounds how late a change of the fleet is seen.
TTL_SECONDS: Final = 60
#: The same while the composite is not ready. Crossplane's circuit breaker drops the events of a composite whose
#: children change often, edits of the composite among them, for five minutes; the time to live it never drops.
UNSETTLED_TTL_SECONDS: Final = 10

_STATUS: Final = {
    "True": fnv1.STATUS_CONDITION_TRUE,
    "False": fnv1.STATUS_CONDITION_FALSE,
    "Unknown": fnv1.STATUS_CONDITION_UNKNOWN,
}

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Function(Generic[XR]):
    """A kind of composite and the function that composes it.

    Args:
        kind: the composite's kind.
        parse: plain JSON to the typed composite; imports its model when first called, so that a process loads only the
            models of the kinds that it is asked for.
        compose: reads `Seen`, writes `Want`. Raises for input that is broken as a whole: the response is then fatal,
            and Crossplane applies and deletes nothing.
        conditions: the condition types that it may state.
        ttl_seconds: see `TTL_SECONDS`; `UNSETTLED_TTL_SECONDS` while the composite is not ready.
    """

    kind: str
    parse: Callable[[dict[str, Any]], XR]
    compose: Callable[[Seen[XR], Want[XR]], None]
    conditions: tuple[ConditionType, ...]
    ttl_seconds: int = TTL_SECONDS

    def run(self, request: fnv1.RunFunctionRequest) -> fnv1.RunFunctionResponse:
        """Answer one request. Never raises: what goes wrong is a fatal result, so that nothing is deleted."""
        response = fnv1.RunFunctionResponse()
        response.meta.tag = request.meta.tag
        response.meta.ttl.seconds = self.ttl_seconds
        response.desired.CopyFrom(request.desired)
        response.context.CopyFrom(request.context)
        try:
            seen = Seen(request, self.parse)
            want = Want(seen, self.conditions)
            self.compose(seen, want)
            _write(want, response)
            if not _settled(response):
                response.meta.ttl.seconds = min(self.ttl_seconds, UNSETTLED_TTL_SECONDS)
        except Exception as error:
            # The one guard: whatever the fault is, a fatal result leaves every child in place.
            log.exception("composing %s failed", self._name(request))
            response.desired.CopyFrom(request.desired)
            response.ClearField("conditions")
            response.ClearField("results")
            response.results.add(
                severity=fnv1.SEVERITY_FATAL,
                message=f"composing the {self.kind} failed; nothing was changed: {type(error).__name__}: {error}",
            )
        return response

    def _name(self, request: fnv1.RunFunctionRequest) -> str:
        metadata = View(request.observed.composite.resource).view("metadata")
        return f"{self.kind} {metadata.text('namespace')}/{metadata.text('name')}"


def _settled(response: fnv1.RunFunctionResponse) -> bool:
    """Whether Crossplane will set the composite Ready."""
    explicit = response.desired.composite.ready
    if explicit != fnv1.READY_UNSPECIFIED:
        return explicit == fnv1.READY_TRUE
    return all(child.ready == fnv1.READY_TRUE for child in response.desired.resources.values())


def _write(want: Want[Any], response: fnv1.RunFunctionResponse) -> None:
    for name, requirement in sorted(want.requirements.items()):
        _write_requirement(response.requirements.resources[name], requirement)
    namespace = want.seen.composite.namespace
    for resource in usages.write(want.resources, namespace):
        into = response.desired.resources[resource.key]
        into.resource.CopyFrom(encode(resource.manifest))
        is_ready = ready(resource, want.seen.children.get(resource.key))
        into.ready = fnv1.READY_TRUE if is_ready else fnv1.READY_FALSE
    if want.status is not None:
        response.desired.composite.resource.CopyFrom(encode({"status": want.status}))
    if want.composite_ready is not None:
        response.desired.composite.ready = fnv1.READY_TRUE if want.composite_ready else fnv1.READY_FALSE
    for condition in want.conditions.values():
        _write_condition(response.conditions.add(), condition)
    for event in want.events:
        _write_event(response.results.add(), event)


def _write_requirement(into: fnv1.ResourceSelector, requirement: Requirement) -> None:
    into.api_version = requirement.api_version
    into.kind = requirement.kind
    if requirement.name:
        into.match_name = requirement.name
    elif requirement.labels:
        into.match_labels.labels.update(requirement.labels)
    if requirement.namespace:
        into.namespace = requirement.namespace


def _write_condition(into: fnv1.Condition, condition: Condition) -> None:
    into.type = condition.type
    into.status = _STATUS[condition.status]
    into.reason = condition.reason
    if condition.message:
        into.message = condition.message
    into.target = fnv1.TARGET_COMPOSITE


def _write_event(into: fnv1.Result, event: Event) -> None:
    into.severity = fnv1.SEVERITY_WARNING if event.warning else fnv1.SEVERITY_NORMAL
    into.reason = event.reason
    into.message = event.message
    into.target = fnv1.TARGET_COMPOSITE
