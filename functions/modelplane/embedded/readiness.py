"""When a remote object is ready: the policies of provider-kubernetes 1.3."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from modelplane.embedded import conditions


def verdict(readiness: Mapping[str, Any], observed: Mapping[str, Any]) -> tuple[bool, str]:
    """Whether the object is ready by its Object's policy, and the error where the query has one.

    Raises:
        ValueError: no such policy.
    """
    found = observed.get("status", {}).get("conditions", ())
    match readiness.get("policy", "SuccessfulCreate"):
        case "SuccessfulCreate":
            return True, ""
        case "DeriveFromObject":
            return conditions.is_true(observed, "Ready"), ""
        case "AllTrue":
            return bool(found) and all(c["status"] == "True" for c in found), ""
        case "DeriveFromCelQuery":
            return _query(readiness.get("celQuery", ""), observed)
        case other:
            msg = f"unknown readiness policy {other!r}"
            raise ValueError(msg)


def _query(text: str, observed: Mapping[str, Any]) -> tuple[bool, str]:
    try:
        expression = _compiled(text)
    except Exception as error:  # noqa: BLE001  # the CEL library raises its own kinds; the provider reports each alike
        return False, f"failed to compile query: {error}"
    result = expression.eval(data={"object": dict(observed)})
    found = result.plain_value()
    return (True, "") if found is True else (False, "" if found is False else f"failed to eval the program: {found}")


@functools.cache
def _compiled(text: str) -> Any:  # noqa: ANN401  # the library ships no types
    from cel_expr_python import cel  # noqa: PLC0415  # loaded when an Object has a query

    return _environment().compile(text) if text else cel.NewEnv().compile(text)


@functools.cache
def _environment() -> Any:  # noqa: ANN401  # the library ships no types
    from cel_expr_python import cel  # noqa: PLC0415  # loaded when an Object has a query

    return cel.NewEnv(variables={"object": cel.Type.DYN})
