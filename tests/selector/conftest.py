"""The devices of the corpus as facts."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from modelplane.value.device import Facts


def load(path: Path) -> Any:
    """A file of this folder as a module, whatever the way tests are imported."""
    spec = importlib.util.spec_from_file_location(f"selector_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def facts_of(device: dict[str, Any]) -> Facts:
    attributes = {name: next(iter(value.items())) for name, value in device.get("attributes", {}).items()}
    return Facts(device["driver"], tuple(sorted(attributes.items())), tuple(sorted(device.get("capacity", {}).items())))


@pytest.fixture(scope="session")
def devices() -> dict[str, Facts]:
    known = load(Path(__file__).parent / "subjects" / "devices.py").DEVICES
    return {name: facts_of(device) for name, device in known.items()}
