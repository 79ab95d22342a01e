"""A ModelReplica as values that are whole: what cannot be rendered is refused here, with the field's path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, cast

from modelplane.kit.seen import Thing
from modelplane.kit.view import View

Role = Literal["Standalone", "Leader", "Worker"]
_ROLES = ("Standalone", "Leader", "Worker")


class InvalidTemplateError(ValueError):
    """A field that the workload needs is missing or empty; the text is one sentence that starts with its path."""


@dataclass(frozen=True, slots=True)
class DeviceRequest:
    """Devices that each pod of a member claims, by DRA."""

    name: str
    device_class: str
    count: int
    selectors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Container:
    """The engine's container as the user wrote it; `env` entries are Kubernetes' own."""

    image: str
    command: tuple[str, ...]
    args: tuple[str, ...]
    env: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Member:
    """The like pods of one role. `followers` is the number of workers of a gang, and 0 for other roles."""

    role: Role
    pool: str
    followers: int
    requests: tuple[DeviceRequest, ...]
    labels: dict[str, str]
    annotations: dict[str, str]
    pull_secrets: tuple[str, ...]
    container: Container


@dataclass(frozen=True, slots=True)
class Engine:
    """One workload: a lone pod or a gang, `copies` times. `head` is the member that serves."""

    name: str
    copies: int
    head: Member
    worker: Member | None

    @property
    def members(self) -> tuple[Member, ...]:
        """The head, then the worker where there is one."""
        return (self.head,) if self.worker is None else (self.head, self.worker)


@dataclass(frozen=True, slots=True)
class Replica:
    """One placed replica. `namespace` is the tenant's on the control plane; `cache` is empty where none is mounted."""

    namespace: str
    name: str
    cluster: str
    cache: str
    engines: tuple[Engine, ...]


def replica(composite: Thing) -> Replica:
    """The replica that a ModelReplica asks for.

    Raises:
        InvalidTemplateError: an engine cannot be rendered.
    """
    spec = composite.spec
    engines = tuple(_engine(view, f"spec.engines[{i}]") for i, view in enumerate(spec.views("engines")))
    if not engines:
        msg = "spec.engines is empty"
        raise InvalidTemplateError(msg)
    cache = spec.view("modelCacheRef").text("name")
    return Replica(composite.namespace, composite.name, _needed(spec, "clusterName", "spec"), cache, engines)


def _engine(view: View, path: str) -> Engine:
    members = [_member(member, f"{path}.members[{i}]") for i, member in enumerate(view.views("members"))]
    by_role = {member.role: member for member in members}
    name = _needed(view, "name", path)
    copies = max(view.integer("copies", 1), 1)
    match sorted(member.role for member in members):
        case ["Standalone"]:
            return Engine(name, copies, by_role["Standalone"], None)
        case ["Leader", "Worker"]:
            return Engine(name, copies, by_role["Leader"], by_role["Worker"])
        case roles:
            found = ", ".join(roles) or "none"
            msg = f"{path}.members must be one Standalone, or a Leader and a Worker; it has {found}"
            raise InvalidTemplateError(msg)


def _member(view: View, path: str) -> Member:
    role = view.text("role", "Standalone")
    if role not in _ROLES:
        msg = f"{path}.role is {role!r}; it must be one of {', '.join(_ROLES)}"
        raise InvalidTemplateError(msg)
    template = view.view("template")
    spec = template.view("spec")
    if not spec.has("containers"):
        msg = f"{path}.template.spec has no containers; one named engine is needed"
        raise InvalidTemplateError(msg)
    containers = spec.views("containers")
    if len(containers) != 1:
        msg = f"{path}.template.spec.containers has {len(containers)} entries; exactly one is needed"
        raise InvalidTemplateError(msg)
    return Member(
        role=cast("Role", role),
        pool=_needed(view, "nodePoolName", path),
        followers=max(view.view("worker").integer("nodes", 1), 1) if role == "Worker" else 0,
        requests=tuple(_request(r, f"{path}.deviceRequests[{i}]") for i, r in enumerate(view.views("deviceRequests"))),
        labels=template.view("metadata").pairs("labels"),
        annotations=template.view("metadata").pairs("annotations"),
        pull_secrets=tuple(secret.text("name") for secret in spec.views("imagePullSecrets")),
        container=_container(containers[0], f"{path}.template.spec.containers[0]"),
    )


def _request(view: View, path: str) -> DeviceRequest:
    selectors = tuple(cel for selector in view.views("selectors") if (cel := selector.text("cel")))
    name, device_class = _needed(view, "name", path), _needed(view, "deviceClassName", path)
    return DeviceRequest(name, device_class, max(view.integer("count", 1), 1), selectors)


def _container(view: View, path: str) -> Container:
    env = tuple(entry.plain() for entry in view.views("env"))
    return Container(_needed(view, "image", path), view.texts("command"), view.texts("args"), env)


def _needed(view: View, key: str, path: str) -> str:
    text = view.text(key)
    if not text:
        msg = f"{path}.{key} is empty"
        raise InvalidTemplateError(msg)
    return text
