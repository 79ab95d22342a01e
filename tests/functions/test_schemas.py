"""Every object that any function composes in any case is one that its API has; so is every status that it writes."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

import schemas
from modelplane.embedded import admission, apis
from schemas.wire import Document
from tests.functions import harness

NAMES = [(function, name) for function in harness.suites() for name in harness.suite(function).cases]
CASES = [pytest.param(*case, id="/".join(case)) for case in NAMES]


def _documents() -> Iterator[tuple[tuple[str, str], type[Document]]]:
    """Every model of a whole object by apiVersion and kind."""
    for found in pkgutil.walk_packages(schemas.__path__, "schemas."):
        for model in vars(importlib.import_module(found.name)).values():
            if isinstance(model, type) and issubclass(model, Document) and model is not Document:
                fields = model.model_fields
                yield (fields["api_version"].default, fields["kind"].default), model


def _schemas() -> Iterator[tuple[tuple[str, str], admission.Admission]]:
    """The admission of every kind of ours by group and kind."""
    for found in sorted(apis.folder().glob("*/definition.yaml")):
        spec = yaml.safe_load(found.read_text())["spec"]
        schema = spec["versions"][0]["schema"]["openAPIV3Schema"]
        yield (spec["group"], spec["names"]["kind"]), admission.Admission(apis.complete(schema))


MODELS = dict(_documents())
SCHEMAS = dict(_schemas())


def _composed(function: str, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every composed object by key, and what is inside an Object after it."""
    for key, manifest in harness.manifests(harness.answer(function, name)).items():
        yield key, manifest
        if manifest["kind"] == "Object":
            yield key, manifest["spec"]["forProvider"]["manifest"]


@pytest.mark.parametrize(("function", "name"), CASES)
def test_composed_objects_have_the_fields_of_their_kind(function: str, name: str) -> None:
    for key, manifest in _composed(function, name):
        head = (manifest["apiVersion"], manifest["kind"])

        assert head in MODELS, f"{key}: no model of {head}"
        MODELS[head].model_validate(manifest)


@pytest.mark.parametrize(("function", "name"), CASES)
def test_composed_objects_of_our_kinds_are_admitted(function: str, name: str) -> None:
    for key, manifest in _composed(function, name):
        group = manifest["apiVersion"].partition("/")[0]
        if schema := SCHEMAS.get((group, manifest["kind"])):
            named = {**manifest, "metadata": {"name": "x", **manifest.get("metadata", {})}}

            assert schema.admit(named)[1] == [], key


@pytest.mark.parametrize(("function", "name"), CASES)
def test_the_status_is_one_that_the_kind_has(function: str, name: str) -> None:
    status = harness.plain(harness.answer(function, name)).get("status", {})
    composite = harness.facts(function, name).composite
    schema = SCHEMAS[composite["apiVersion"].partition("/")[0], composite["kind"]]
    errors = schema.admit({**composite, "status": status})[1]

    assert [error for error in errors if error.path.startswith("status")] == []
