"""ModelService: accepted, and not acted on yet."""

from __future__ import annotations

from typing import Any, Final

from modelplane.kit.function import Function
from modelplane.kit.unserved import unserved

FUNCTION: Final[Function[dict[str, Any]]] = unserved("ModelService")
