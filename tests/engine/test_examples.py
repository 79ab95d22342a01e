"""Every example is accepted by the real API server, strictly, without a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.lab.api import Api
from e2e.lab.objects import Manifest, label, read_manifests

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "examples").rglob("*.yaml"))
OBJECTS = [(path, each) for path in FILES for each in read_manifests(path)]


@pytest.fixture(scope="session")
def namespaces(api: Api) -> None:
    """Every namespace that an example names, so that what lies in it can be tried."""
    named = {each["metadata"]["namespace"] for _, each in OBJECTS if "namespace" in each["metadata"]}
    for name in sorted(named - {"default"}):
        api.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})


@pytest.mark.parametrize(
    ("path", "example"), OBJECTS, ids=[f"{path.relative_to(ROOT / 'examples')}:{label(each)}" for path, each in OBJECTS]
)
def test_example_is_accepted(api: Api, installed: list[str], namespaces: None, path: Path, example: Manifest) -> None:
    del installed, namespaces, path
    api.warnings.clear()

    accepted = api.apply(example, dry_run=True)

    assert accepted["kind"] == example["kind"]
    assert api.warnings == []
