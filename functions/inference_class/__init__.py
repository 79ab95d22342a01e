"""InferenceClass: says whether the devices that it describes are sound."""

from __future__ import annotations

from typing import Any, Final

from inference_class.compose import compose
from modelplane.contract import conditions
from modelplane.kit.function import Function

FUNCTION: Final[Function[dict[str, Any]]] = Function(
    kind="InferenceClass", parse=dict, compose=compose, conditions=conditions.BY_KIND["InferenceClass"]
)
