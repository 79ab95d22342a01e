"""Small kinds and functions for the tests of the loop itself, and short ways to say what they contain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from modelplane.contract.conditions import ConditionType, Reason
from modelplane.embedded import fields
from modelplane.embedded.apis import Api
from modelplane.embedded.loop import Loop
from modelplane.embedded.things import Key, Plain, Rules
from modelplane.kit.function import Function
from modelplane.kit.seen import Seen
from modelplane.kit.want import Want

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
GROUP = "test.example"
Compose = Callable[[Seen[Plain], Want[Plain]], None]

FITS = ConditionType("Fits", (Reason("Yes", "True", "It fits."), Reason("No", "False", "It does not.", "Make room.")))
OTHER = ConditionType("Other", (Reason("Yes", "True", "Fine."),))


def api(kind: str = "Thing", *, namespaced: bool = True) -> Api:
    """A kind without a schema."""
    plural = f"{kind.lower()}s"
    rules = Rules(namespaced, fields.UNKNOWN)
    return Api(GROUP, "v1", kind, plural, rules, f"modelplane-{kind.lower()}", f"compose-{kind.lower()}")


def loop(compose: Compose | Mapping[str, Compose], **options: Any) -> Loop:
    """A loop of one kind, Thing, or of several by kind; kinds that begin with Cluster have no namespace."""
    by_kind = compose if isinstance(compose, Mapping) else {"Thing": compose}
    functions = {
        kind: Function(kind=kind, parse=dict, compose=made, conditions=(FITS, OTHER)) for kind, made in by_kind.items()
    }
    kinds = [api(kind, namespaced=not kind.startswith("Cluster")) for kind in by_kind]
    return Loop(functions=functions, kinds=kinds, **options)


def thing(name: str = "one", kind: str = "Thing", namespace: str = "default", **spec: Any) -> Plain:
    """A composite."""
    scope = {"namespace": namespace} if namespace else {}
    return {"apiVersion": f"{GROUP}/v1", "kind": kind, "metadata": {"name": name, **scope}, "spec": spec}


def configmap(name: str = "", **more: Any) -> Plain:
    """A ConfigMap to compose; without a name Crossplane gives it one."""
    metadata = {"metadata": {"name": name}} if name else {}
    return {"apiVersion": "v1", "kind": "ConfigMap", **metadata, **more}


def key(name: str = "one", kind: str = "Thing", namespace: str = "default") -> Key:
    """A composite's key."""
    return Key(GROUP, kind, namespace, name)


def conditions(of: Mapping[str, Any]) -> dict[str, tuple[str, str, str]]:
    """An object's conditions: status, reason and message by type."""
    found = of.get("status", {}).get("conditions", ())
    return {c["type"]: (c["status"], c["reason"], c.get("message", "")) for c in found}


def names(of: Loop, kind: str, group: str = "") -> list[str]:
    """The names of a kind's objects on the control plane."""
    return [found["metadata"]["name"] for found in of.control.list(group, kind)]
