"""The definitions and compositions under apis/, for tests."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.contract.twins import ROOT

APIS = ROOT / "apis"


@dataclass(frozen=True, slots=True)
class Definition:
    """One folder of apis/: what it defines and how that is composed."""

    folder: Path
    kind: str
    group: str
    plural: str
    scope: str
    manifest: dict[str, Any]
    version: dict[str, Any]
    schema: dict[str, Any]
    composition: dict[str, Any]

    @property
    def function(self) -> str:
        """The kind with underscores, as the function's folder is named."""
        return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(self.kind))


@functools.cache
def definitions() -> tuple[Definition, ...]:
    """Every folder of apis/, in order."""
    return tuple(_read(folder) for folder in sorted(APIS.iterdir()) if folder.is_dir())


def _read(folder: Path) -> Definition:
    manifest = yaml.load((folder / "definition.yaml").read_text(), Loader=yaml.CSafeLoader)
    spec = manifest["spec"]
    (version,) = spec["versions"]
    return Definition(
        folder=folder,
        kind=spec["names"]["kind"],
        group=spec["group"],
        plural=spec["names"]["plural"],
        scope=spec["scope"],
        manifest=manifest,
        version=version,
        schema=version["schema"]["openAPIV3Schema"],
        composition=yaml.load((folder / "composition.yaml").read_text(), Loader=yaml.CSafeLoader),
    )
