"""Whether a class's devices have values that selectors can compare."""

from __future__ import annotations

from collections.abc import Iterator

from modelplane.kit.view import View
from modelplane.value.quantity import Quantity, QuantityError
from modelplane.value.semver import Semver, SemverError


def faults(spec: View) -> Iterator[str]:
    """One sentence for each value that does not parse, beginning with its field's path, in the order of the spec."""
    for i, device in enumerate(spec.views("devices")):
        path = f"spec.devices[{i}]"
        yield from _attributes(device, path)
        yield from _capacity(device, path)


def _attributes(device: View, path: str) -> Iterator[str]:
    for name, value in sorted(device.entries("attributes").items()):
        if not value.has("version"):
            continue
        try:
            Semver.parse(value.text("version"))
        except SemverError as error:
            yield f"{path}.attributes.{name}.version: {error}"


def _capacity(device: View, path: str) -> Iterator[str]:
    for name, value in sorted(device.entries("capacity").items()):
        try:
            Quantity.parse(value.text("value"))
        except QuantityError as error:
            yield f"{path}.capacity.{name}.value: {error}"
