"""ServingStack: installs what a workload cluster needs to serve."""

from __future__ import annotations

from typing import Any, Final

from modelplane.contract import conditions
from modelplane.kit.function import Function
from serving_stack.compose import compose

FUNCTION: Final[Function[dict[str, Any]]] = Function(
    kind="ServingStack", parse=dict, compose=compose, conditions=conditions.BY_KIND["ServingStack"]
)
