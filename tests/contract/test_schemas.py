"""The typed models write what the definitions accept."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any, get_args

import pytest
from pydantic import BaseModel, ValidationError

from schemas import network, providers, workloads
from schemas.wire import Document, Metadata, wire_name
from tests.contract.definitions import Definition, definitions
from tests.contract.twins import EXAMPLES, ROOT, Manifest, documents


def model_of(each: Definition) -> type[Document]:
    model: type[Document] = getattr(importlib.import_module(f"schemas.generated.{each.function}"), each.kind)
    return model


KINDS = {each.kind: each for each in definitions()}
SHOWN = [
    (f"{path.parent.name}/{path.name}: {each['metadata']['name']}", each)
    for path in sorted(EXAMPLES.glob("**/*.yaml"))
    for each in documents(path)
    if each["kind"] in KINDS
]


@pytest.mark.parametrize(("name", "manifest"), SHOWN, ids=[name for name, _ in SHOWN])
def test_an_example_goes_through_its_model_unchanged(name: str, manifest: Manifest) -> None:
    """So that what a function writes is what it set, without a default or a null beside it."""
    assert model_of(KINDS[manifest["kind"]]).model_validate(manifest).intent() == manifest, name


@pytest.mark.parametrize("each", definitions(), ids=lambda each: each.kind)
def test_a_model_has_the_fields_and_defaults_of_its_definition(each: Definition) -> None:
    wanted = {(path, _default(schema)) for path, schema in _walk(each.schema, "")}
    found = set(_fields(model_of(each), ""))

    head = {"apiVersion", "kind", "metadata"}
    assert {field for field in found if field[0].split(".")[0] not in head} == wanted


def _walk(schema: Mapping[str, Any], path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, child in schema.get("properties", {}).items():
        yield f"{path}.{name}".lstrip("."), child
        inner = child
        while "items" in inner or isinstance(inner.get("additionalProperties"), dict):
            inner = inner.get("items") or inner["additionalProperties"]
        yield from _walk(inner, f"{path}.{name}")


def _default(schema: Mapping[str, Any]) -> str:
    return repr(schema.get("default"))


def _fields(model: type[BaseModel], path: str) -> Iterator[tuple[str, str]]:
    model.model_rebuild()
    for name, field in model.model_fields.items():
        where = f"{path}.{wire_name(name)}"
        yield where.lstrip("."), repr(field.get_default() if not field.is_required() else None)
        for inner in _models(field.annotation):
            yield from _fields(inner, where)


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        if annotation is not Metadata:
            yield annotation
        return
    for part in get_args(annotation):
        yield from _models(part)


INTENTS = [
    (
        "an Object: only what is set, under the names of the wire",
        providers.Object(
            spec=providers.ObjectSpec(
                for_provider=providers.ObjectParameters(manifest={"kind": "Namespace", "metadata": {"name": "a"}}),
                provider_config_ref=providers.ConfigReference(kind="ClusterProviderConfig", name="eu"),
                readiness=providers.Readiness(policy="DeriveFromCelQuery", cel_query="true"),
            ),
        ),
        {
            "apiVersion": "kubernetes.m.crossplane.io/v1alpha1",
            "kind": "Object",
            "spec": {
                "forProvider": {"manifest": {"kind": "Namespace", "metadata": {"name": "a"}}},
                "providerConfigRef": {"kind": "ClusterProviderConfig", "name": "eu"},
                "readiness": {"policy": "DeriveFromCelQuery", "celQuery": "true"},
            },
        },
    ),
    (
        "a Gateway: from is a word of Python, so the field has an underscore that the wire does not have",
        network.Gateway(
            metadata=Metadata(name="inference-gateway", namespace="modelplane-system"),
            spec=network.GatewaySpec(
                gateway_class_name="envoy",
                listeners=[
                    network.Listener(
                        name="http",
                        port=80,
                        protocol="HTTP",
                        allowed_routes=network.AllowedRoutes(namespaces=network.RouteNamespaces(from_="All")),
                    ),
                ],
            ),
        ),
        {
            "apiVersion": "gateway.networking.k8s.io/v1",
            "kind": "Gateway",
            "metadata": {"name": "inference-gateway", "namespace": "modelplane-system"},
            "spec": {
                "gatewayClassName": "envoy",
                "listeners": [
                    {
                        "name": "http",
                        "port": 80,
                        "protocol": "HTTP",
                        "allowedRoutes": {"namespaces": {"from": "All"}},
                    },
                ],
            },
        },
    ),
    (
        "a claim template: an empty list is set, an absent one is not written",
        workloads.ResourceClaimTemplate(
            metadata=Metadata(name="a"),
            spec=workloads.ResourceClaimTemplateSpec(
                spec=workloads.ResourceClaimSpec(
                    devices=workloads.DeviceClaim(
                        requests=[
                            workloads.DeviceRequest(
                                name="gpu",
                                exactly=workloads.ExactRequest(
                                    device_class_name="gpu.example.com", count=1, selectors=[]
                                ),
                            ),
                        ],
                    ),
                ),
            ),
        ),
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaimTemplate",
            "metadata": {"name": "a"},
            "spec": {
                "spec": {
                    "devices": {
                        "requests": [
                            {
                                "name": "gpu",
                                "exactly": {"deviceClassName": "gpu.example.com", "count": 1, "selectors": []},
                            },
                        ],
                    },
                },
            },
        },
    ),
]


@pytest.mark.parametrize(("reason", "model", "written"), INTENTS, ids=[reason for reason, _, _ in INTENTS])
def test_a_model_writes_what_was_set(reason: str, model: Document, written: Manifest) -> None:
    assert model.intent() == written, reason


def test_a_field_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(ValidationError):
        workloads.Namespace.model_validate({"metadata": {"name": "a"}, "spec": {}})


def test_importing_the_package_imports_no_model() -> None:
    """A function's memory holds the models of the kinds that it writes, not those of all fourteen."""
    program = "import sys, schemas; print(sorted(m for m in sys.modules if m.startswith(('schemas.', 'pydantic'))))"
    command = [sys.executable, "-c", program]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603  # our own program

    assert shown.stdout.strip() == "[]"
