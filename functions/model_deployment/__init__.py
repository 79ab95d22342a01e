"""Places a ModelDeployment's replicas on the fleet, and puts an endpoint in front of each that serves."""

from __future__ import annotations

from typing import Any, Final

from model_deployment.compose import compose
from modelplane.contract.conditions import BY_KIND
from modelplane.kit.function import Function

FUNCTION: Final[Function[dict[str, Any]]] = Function(
    kind="ModelDeployment", parse=dict, compose=compose, conditions=BY_KIND["ModelDeployment"]
)
