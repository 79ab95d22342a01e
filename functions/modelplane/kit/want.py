"""What a function answers. A `Want` only grows, a key twice is an error, and it is encoded once at the end."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from modelplane.contract.conditions import Condition, ConditionType
from modelplane.kit.seen import Child, Seen

XR = TypeVar("XR")


class Ready(enum.Enum):
    """When a composed resource counts as ready; one that does not holds the composite back."""

    #: Its own condition Ready is True.
    CONDITION = enum.auto()
    #: It exists.
    OBSERVED = enum.auto()
    #: The function has found out by other means.
    YES = enum.auto()
    NO = enum.auto()


@dataclass(frozen=True, slots=True)
class Requirement:
    """Objects that Crossplane fetches for the next call: by name, by labels, or all of the kind.

    Without a namespace, a namespaced kind is listed over all namespaces.
    """

    api_version: str
    kind: str
    name: str = ""
    labels: Mapping[str, str] | None = None
    namespace: str = ""


@dataclass(frozen=True, slots=True)
class Resource:
    """A wanted child: its manifest, and what was stated where it was declared."""

    key: str
    manifest: Mapping[str, Any]
    ready: Ready
    outlives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """Something to tell the user once. `warning` where a user has to act."""

    reason: str
    message: str
    warning: bool = False


@dataclass(slots=True)
class Want(Generic[XR]):
    """The answer to one request.

    A function adds what should exist, keeps what it cannot judge, and says how it stands in conditions. What is neither
    added nor kept is deleted by Crossplane: leaving a child out is an explicit decision.
    """

    seen: Seen[XR]
    declared: tuple[ConditionType, ...]
    resources: dict[str, Resource] = field(default_factory=dict)
    requirements: dict[str, Requirement] = field(default_factory=dict)
    conditions: dict[str, Condition] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    _status: dict[str, Any] | None = None
    #: None: Crossplane derives it from the children.
    composite_ready: bool | None = None

    def require(
        self,
        name: str,
        api_version: str,
        kind: str,
        *,
        named: str = "",
        labels: Mapping[str, str] | None = None,
        namespace: str = "",
    ) -> None:
        """Ask for objects under a requirement's name.

        Every call of a function must ask for the same, also when it ends early: Crossplane gives up on requirements
        that do not settle (crossplane/crossplane issue 5824).
        """
        self._once(self.requirements, name)
        self.requirements[name] = Requirement(api_version, kind, named, labels, namespace)

    def add(
        self,
        key: str,
        manifest: Mapping[str, Any],
        *,
        ready: Ready = Ready.CONDITION,
        needs: str | Iterable[str] = (),
        outlives: str | Iterable[str] = (),
    ) -> bool:
        """Compose a resource.

        Args:
            key: its name within the composition.
            manifest: the fields that we own and no other.
            ready: when it counts as ready.
            needs: keys that must be ready before it is made. Once it exists it stays, whatever becomes of them.
            outlives: keys whose resources must be gone before this one may be deleted.

        Returns:
            Whether it is composed now.
        """
        gates = (needs,) if isinstance(needs, str) else tuple(needs)
        if key not in self.seen.children and not all(self.is_ready(gate) for gate in gates):
            return False
        self._once(self.resources, key)
        users = (outlives,) if isinstance(outlives, str) else tuple(outlives)
        self.resources[key] = Resource(key, manifest, ready, users)
        return True

    def keep(self, key: str) -> None:
        """Leave an observed child exactly as it is."""
        self._once(self.resources, key)
        child = self.seen.children[key]
        # Kinds without a condition Ready, such as Usages, are ready by existing.
        rule = Ready.CONDITION if child.condition("Ready").reason or child.ready else Ready.OBSERVED
        self.resources[key] = Resource(key, child.manifest(), rule)

    def keep_rest(self) -> None:
        """Keep every observed child that was not decided on, and the status where none was written.

        The composite is set not ready: something that it needs to judge its children is missing or broken.
        """
        for key in self.seen.children:
            if key not in self.resources:
                self.keep(key)
        if self._status is None:
            self._status = {k: v for k, v in self.seen.composite.status.plain().items() if k != "conditions"}
        self.composite_ready = False

    def is_ready(self, key: str) -> bool:
        """Whether an observed child is ready by the rule under which it was added in this call."""
        child = self.seen.children.get(key)
        resource = self.resources.get(key)
        return child is not None and resource is not None and ready(resource, child)

    def condition(self, condition: Condition, *, event: bool = False) -> None:
        """State a condition; with `event`, tell it too, but only when its reason is another than observed.

        Raises:
            ValueError: the function does not declare the type, or stated it already.
        """
        if condition.type not in {kind.type for kind in self.declared}:
            msg = f"condition {condition.type} is not declared by this function"
            raise ValueError(msg)
        self._once(self.conditions, condition.type)
        self.conditions[condition.type] = condition
        if event and self.seen.composite.condition(condition.type).reason != condition.reason:
            text = condition.message or condition.reason
            self.events.append(Event(condition.reason, text, warning=condition.status == "False"))

    def event(self, reason: str, message: str, *, warning: bool = False) -> None:
        """Tell the user something. The caller sees to it that it is told on a change only."""
        self.events.append(Event(reason, message, warning))

    @property
    def status(self) -> Mapping[str, Any] | None:
        """The status to apply; None applies nothing."""
        return self._status

    def set_status(self, status: Mapping[str, Any]) -> None:
        """The composite's whole status, conditions left out: a field that is not given is removed.

        Raises:
            ValueError: it was set already.
        """
        if self._status is not None:
            msg = "the status was set already"
            raise ValueError(msg)
        self._status = dict(status)

    @staticmethod
    def _once(known: Mapping[str, object], key: str) -> None:
        if key in known:
            msg = f"{key!r} was stated twice"
            raise ValueError(msg)


def ready(resource: Resource, child: Child | None) -> bool:
    """Whether a composed resource is ready by its own rule."""
    match resource.ready:
        case Ready.YES:
            return True
        case Ready.NO:
            return False
        case Ready.OBSERVED:
            return child is not None
        case Ready.CONDITION:
            return child is not None and child.ready
