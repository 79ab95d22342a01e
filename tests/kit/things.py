"""What the kit's tests share: a composite, children, and functions of one kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from modelplane.contract.conditions import ConditionType, Reason
from modelplane.kit.function import Function
from modelplane.kit.seen import Seen
from modelplane.kit.want import Want

Plain = dict[str, Any]
Compose = Callable[[Seen[Plain], Want[Plain]], None]

FITS = ConditionType("Fits", (Reason("Yes", "True", "It fits."), Reason("No", "False", "It does not.", "Make room.")))


def composite(**more: Any) -> Plain:
    """A namespaced composite; `more` are its other top-level fields."""
    return {
        "apiVersion": "test.example/v1",
        "kind": "Thing",
        "metadata": {"name": "one", "namespace": "team"},
        **more,
    }


def child(name: str, *, ready: bool | None = None, **more: Any) -> Plain:
    """A ConfigMap as observed; with `ready`, it has that condition."""
    status = {} if ready is None else {"status": {"conditions": [_ready(ready)]}}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "team"}, **status, **more}


def _ready(ready: bool) -> Plain:
    return {"type": "Ready", "status": str(ready), "reason": "Told"}


def function(compose: Compose) -> Function[Plain]:
    """A function of the kind Thing."""
    return Function(kind="Thing", parse=dict, compose=compose, conditions=(FITS,))
