"""ModelReplica: one placed replica becomes workloads on its cluster."""

from __future__ import annotations

from typing import Any, Final

from model_replica.compose import compose
from modelplane.contract import conditions
from modelplane.kit.function import Function

FUNCTION: Final[Function[dict[str, Any]]] = Function(
    kind="ModelReplica", parse=dict, compose=compose, conditions=conditions.BY_KIND["ModelReplica"]
)
