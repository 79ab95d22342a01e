"""Which functions there are: every installed folder that has package/crossplane.yaml and a `FUNCTION`."""

from __future__ import annotations

import functools
import importlib
from pathlib import Path
from typing import Any

import modelplane
from modelplane.kit.function import Function


@functools.cache
def packages() -> tuple[str, ...]:
    """The functions' package names, such as ``model_deployment``, sorted."""
    beside = Path(modelplane.__file__).parent.parent
    return tuple(sorted(found.parent.parent.name for found in beside.glob("*/package/crossplane.yaml")))


def load(name: str) -> Function[Any]:
    """The function of a package name, or of the same with dashes.

    Raises:
        LookupError: there is none of that name.
    """
    package = name.replace("-", "_")
    if package not in packages():
        known = ", ".join(p.replace("_", "-") for p in packages())
        msg = f"there is no function {name!r}; known are: {known}"
        raise LookupError(msg)
    function = importlib.import_module(package).FUNCTION
    if not isinstance(function, Function):
        msg = f"{package}.FUNCTION is a {type(function).__name__}"
        raise TypeError(msg)
    return function


def load_all() -> dict[str, Function[Any]]:
    """Every function by its kind."""
    return {function.kind: function for function in map(load, packages())}
