"""Reads the CompositeResourceDefinitions under apis/ for the generators."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition: where it lies, its kind, the API version that it serves, and that version's root schema."""

    path: Path
    kind: str
    api_version: str
    schema: dict[str, Any]

    @property
    def module(self) -> str:
        """The kind in lower case with underscores, such as ``model_deployment``."""
        return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(self.kind))


def definitions() -> list[Definition]:
    """Every definition, sorted by path."""
    found = []
    for path in sorted(ROOT.glob("apis/*/definition.yaml")):
        spec = yaml.safe_load(path.read_text())["spec"]
        version = spec["versions"][0]
        found.append(
            Definition(
                path=path,
                kind=spec["names"]["kind"],
                api_version=f"{spec['group']}/{version['name']}",
                schema=version["schema"]["openAPIV3Schema"],
            ),
        )
    return found
