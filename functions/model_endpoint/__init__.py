"""ModelEndpoint: a URL becomes a Service that routes can name."""

from __future__ import annotations

from typing import Any, Final

from model_endpoint.compose import compose
from modelplane.contract import conditions
from modelplane.kit.function import Function

FUNCTION: Final[Function[dict[str, Any]]] = Function(
    kind="ModelEndpoint", parse=dict, compose=compose, conditions=conditions.BY_KIND["ModelEndpoint"]
)
