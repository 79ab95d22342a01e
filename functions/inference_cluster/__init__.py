"""InferenceCluster: a workload cluster joins the fleet, and publishes what it has."""

from __future__ import annotations

from typing import Any, Final

from inference_cluster.compose import compose
from modelplane.contract import conditions
from modelplane.kit.function import Function

FUNCTION: Final[Function[dict[str, Any]]] = Function(
    kind="InferenceCluster", parse=dict, compose=compose, conditions=conditions.BY_KIND["InferenceCluster"]
)
