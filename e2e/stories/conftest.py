"""One lab for each story, so that none inherits another's traces; the programs are built before the first."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.lab.lab import PROGRAMS, Lab

_WITHOUT = frozenset(os.environ.get("LAB_WITHOUT", "").split())  # programs to do without, while trying things out


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    """A lab with its control plane, and no cluster yet."""
    programs = tuple(name for name in PROGRAMS if name not in _WITHOUT)
    with Lab(tmp_path / "lab", programs=programs) as started:
        yield started
