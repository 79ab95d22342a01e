"""What a request says: the composite, the children that exist, and the answers to what was required."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from crossplane.function.proto.v1 import run_function_pb2 as fnv1

from modelplane.kit.owned import owned
from modelplane.kit.view import View

XR = TypeVar("XR")


@dataclass(frozen=True, slots=True)
class Observed:
    """A condition as an object carries it; `Unknown` with empty texts where it is absent."""

    status: str = "Unknown"
    reason: str = ""
    message: str = ""
    since: str = ""


class Thing:
    """An object of the cluster: a child, a required resource, or the composite itself."""

    __slots__ = ("_found", "view")

    def __init__(self, view: View) -> None:
        self.view = view
        self._found: View | None = None

    @property
    def _meta(self) -> View:
        if self._found is None:
            self._found = self.view.view("metadata")
        return self._found

    @property
    def name(self) -> str:
        """metadata.name."""
        return self._meta.text("name")

    @property
    def namespace(self) -> str:
        """metadata.namespace; empty where the kind is cluster-scoped."""
        return self._meta.text("namespace")

    @property
    def uid(self) -> str:
        """metadata.uid."""
        return self._meta.text("uid")

    @property
    def created(self) -> str:
        """metadata.creationTimestamp, RFC 3339 in UTC, which sorts as text."""
        return self._meta.text("creationTimestamp")

    @property
    def generation(self) -> int:
        """metadata.generation."""
        return self._meta.integer("generation")

    @property
    def terminating(self) -> bool:
        """Whether its deletion has begun."""
        return self._meta.has("deletionTimestamp")

    @property
    def labels(self) -> dict[str, str]:
        """metadata.labels."""
        return self._meta.pairs("labels")

    @property
    def spec(self) -> View:
        """The wanted state."""
        return self.view.view("spec")

    @property
    def status(self) -> View:
        """The observed state."""
        return self.view.view("status")

    def condition(self, kind: str) -> Observed:
        """The condition of that type."""
        for found in self.status.views("conditions"):
            if found.text("type") == kind:
                return Observed(
                    found.text("status", "Unknown"),
                    found.text("reason"),
                    found.text("message"),
                    found.text("lastTransitionTime"),
                )
        return Observed()

    @property
    def ready(self) -> bool:
        """Whether its condition Ready is True."""
        return self.condition("Ready").status == "True"


class Child(Thing):
    """A composed resource as it exists, under its key."""

    __slots__ = ("key",)

    def __init__(self, key: str, view: View) -> None:
        super().__init__(view)
        self.key = key

    def manifest(self) -> dict[str, object]:
        """The fields that Crossplane applied for us, and no other: emitting them again changes nothing."""
        return owned(self.view.plain())


@dataclass(frozen=True, slots=True)
class Pending:
    """Required, and not fetched yet: Crossplane calls again."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Fetched, and nothing matched."""


@dataclass(frozen=True, slots=True)
class Found:
    """Fetched; at least one."""

    things: tuple[Thing, ...]

    def __iter__(self) -> Iterator[Thing]:
        return iter(self.things)


Answer = Pending | Missing | Found


class Seen(Generic[XR]):
    """A request, decoded once.

    `xr` is the typed composite, `composite` the same as a `Thing`; `children` are the composed resources by key.

    Raises:
        ValueError: the composite is not of the shape that its XRD enforces.
    """

    __slots__ = ("_required", "children", "composite", "xr")

    def __init__(self, request: fnv1.RunFunctionRequest, parse: Callable[[dict[str, Any]], XR]) -> None:
        self.composite = Thing(View(request.observed.composite.resource))
        self.xr: XR = parse(self.composite.view.plain())
        self.children: Mapping[str, Child] = MappingProxyType(
            {key: Child(key, View(child.resource)) for key, child in sorted(request.observed.resources.items())}
        )
        self._required = request.required_resources

    def required(self, name: str) -> Answer:
        """What was found for the requirement of that name."""
        if name not in self._required:
            return Pending()
        items = self._required[name].items
        if not items:
            return Missing()
        return Found(tuple(Thing(View(item.resource)) for item in items))
