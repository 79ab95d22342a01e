"""Reads what a ModelDeployment asks for, and compiles its device selectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast

from modelplane import selector
from modelplane.kit.seen import Thing
from modelplane.kit.view import View
from modelplane.placement.facts import (
    Demand,
    Effect,
    Engine,
    LabelRule,
    Member,
    Owner,
    Request,
    Role,
    Toleration,
    Unmet,
)
from modelplane.value.device import Facts

_TEMPLATE: Final = "spec.template.spec"


@dataclass(frozen=True, slots=True)
class Fault:
    """A selector that does not compile: where it stands, and what the compiler says."""

    field: str
    line: int
    column: int
    message: str

    def words(self) -> str:
        """The fault in one sentence."""
        return f"{self.field}: line {self.line}, column {self.column}: {self.message}"


class InvalidSelectorError(ValueError):
    """Some selectors of the deployment do not compile; every one is in `faults`."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(fault.words() for fault in faults))
        self.faults = faults


def read(deployment: Thing, more: tuple[LabelRule, ...], hold: str) -> Demand:
    """The demand of a deployment.

    Args:
        deployment: the composite, of the shape that its XRD enforces.
        more: label rules beside those of its own clusterSelector.
        hold: why nothing new may be placed, or empty.

    Raises:
        InvalidSelectorError: selectors do not compile.
        ValueError: what the XRD requires is missing. Read as nothing it would remove every replica.
    """
    spec = deployment.spec
    template = spec.view("template").view("spec")
    replicas = spec.integer("replicas", -1)
    if replicas < 0:
        msg = "spec.replicas is no count"
        raise ValueError(msg)
    if not all(engine.views("members") for engine in template.views("engines")) or not template.views("engines"):
        msg = f"{_TEMPLATE}.engines is empty, or an engine of it has no members"
        raise ValueError(msg)
    faults: list[Fault] = []
    engines = tuple(
        _engine(view, f"{_TEMPLATE}.engines[{at}]", faults) for at, view in enumerate(template.views("engines"))
    )
    if faults:
        raise InvalidSelectorError(tuple(faults))
    return Demand(
        owner=Owner(deployment.namespace, deployment.name),
        replicas=replicas,
        engines=engines,
        tolerations=tuple(map(_toleration, template.views("tolerations"))),
        selector=(*rules(template.view("clusterSelector"), "clusterSelector"), *more),
        hold=hold,
        paused=spec.flag("paused"),
    )


def rules(cluster_selector: View, source: str) -> tuple[LabelRule, ...]:
    """The label rules of a clusterSelector, sorted by label."""
    return tuple(LabelRule(key, value, source) for key, value in sorted(cluster_selector.pairs("matchLabels").items()))


def _engine(view: View, path: str, faults: list[Fault]) -> Engine:
    members = tuple(_member(member, f"{path}.members[{at}]", faults) for at, member in enumerate(view.views("members")))
    return Engine(view.text("name"), max(1, view.integer("copies", 1)), members)


def _member(view: View, path: str, faults: list[Fault]) -> Member:
    role = cast("Role", view.text("role", "Standalone"))
    pods = max(1, view.view("worker").integer("nodes", 1)) if role == "Worker" else 1
    requests = tuple(
        _request(device, f"{path}.nodeSelector.devices[{at}]", faults)
        for at, device in enumerate(view.view("nodeSelector").views("devices"))
    )
    return Member(role, pods, requests)


def _request(view: View, path: str, faults: list[Fault]) -> Request:
    texts = tuple(found.text("cel") for found in view.views("selectors"))
    compiled: dict[int, selector.Selector] = {}
    for at, text in enumerate(texts):
        if not text:
            continue  # an item that is no CEL selector asks for nothing
        try:
            compiled[at] = selector.compile(text)
        except selector.CompileError as error:
            faults.append(Fault(f"{path}.selectors[{at}].cel", error.line, error.column, error.message))
    return Request(
        name=view.text("name"),
        count=max(1, view.integer("count", 1)),
        selectors=tuple(filter(None, texts)),
        accepts=_all_of(compiled),
    )


def _all_of(compiled: Mapping[int, selector.Selector]) -> Callable[[Facts], Unmet | None]:
    """Whether every selector is true of a kind of device; else the first that is not, explained."""

    def accepts(facts: Facts) -> Unmet | None:
        for at, wanted in compiled.items():
            if wanted.check(facts) != selector.MATCH:
                return _unmet(at, wanted, facts)
        return None

    return accepts


@lru_cache(maxsize=4096)
def _unmet(at: int, wanted: selector.Selector, facts: Facts) -> Unmet:
    """Why a selector is not true of a kind of device; remembered by the texts, since it evaluates each clause anew."""
    why = wanted.explain(facts)
    return Unmet(at, why.clause, why.found, why.error) if why else Unmet(at, wanted.text)


def _toleration(view: View) -> Toleration:
    effect = view.text("effect")
    return Toleration(
        key=view.text("key"),
        operator="Exists" if view.text("operator") == "Exists" else "Equal",
        value=view.text("value"),
        effect=cast("Effect", effect) if effect in {"NoSchedule", "NoExecute"} else "",
    )
