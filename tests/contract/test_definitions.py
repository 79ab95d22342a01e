"""What holds for all definitions: names, columns, lists, and the parts that several of them share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.contract.definitions import Definition, definitions
from tests.contract.twins import ROOT

ALL = definitions()
KIND = {each.kind: each for each in ALL}
#: Lists whose items have names, and that are atomic all the same.
ATOMIC_ON_PURPOSE = {
    "env",  # order matters: a variable may refer to earlier ones; and duplicates are accepted, as in Kubernetes
    "imagePullSecrets",  # Kubernetes accepts duplicates
    "secrets",  # order matters: the first of a kind counts
}


def test_each_function_has_a_definition_and_the_reverse() -> None:
    functions = {path.parent.parent.name for path in ROOT.glob("functions/*/package/crossplane.yaml")}

    assert functions == {each.function for each in ALL}


@pytest.mark.parametrize("each", ALL, ids=lambda each: each.kind)
def test_definition_and_composition_fit_together(each: Definition) -> None:
    name = f"{each.plural}.{each.group}"
    dashed = each.function.replace("_", "-")

    # crossplane/crossplane issue 6316: the name becomes the value of a label of the RBAC manager.
    assert len(name) <= 63
    assert each.folder.name == each.plural
    assert each.manifest["metadata"]["name"] == name
    assert each.manifest["spec"]["names"] == {
        "kind": each.kind,
        "listKind": f"{each.kind}List",
        "plural": each.plural,
        "singular": each.kind.lower(),
        "shortNames": each.manifest["spec"]["names"]["shortNames"],
        "categories": ["crossplane", "modelplane"],
    }
    assert each.composition["metadata"]["name"] == name
    assert each.composition["spec"] == {
        "compositeTypeRef": {"apiVersion": f"{each.group}/v1alpha1", "kind": each.kind},
        "mode": "Pipeline",
        "pipeline": [{"step": f"compose-{dashed}", "functionRef": {"name": f"modelplane-{dashed}"}}],
    }


def test_short_names_are_unique() -> None:
    shown = {each.kind: each.manifest["spec"]["names"]["shortNames"] for each in ALL}

    assert shown == {
        "InferenceClass": ["icl"],
        "InferenceCluster": ["ic"],
        "InferenceGateway": ["ig"],
        "ModelCache": ["mc"],
        "ModelDeployment": ["md"],
        "ModelEndpoint": ["me"],
        "ModelReplica": ["mr"],
        "ModelService": ["ms"],
        "ServingStack": ["ss"],
    }


@pytest.mark.parametrize("each", ALL, ids=lambda each: each.kind)
def test_columns_read_fields_that_exist(each: Definition) -> None:
    """The reference's ModelCache had a column that was blank for ever."""
    names = [column["name"] for column in each.version["additionalPrinterColumns"]]

    # Crossplane adds these itself, and a name twice is a riddle.
    assert set(names).isdisjoint({"SYNCED", "READY", "COMPOSITION", "AGE"})
    assert len(set(names)) == len(names)
    for column in each.version["additionalPrinterColumns"]:
        path = column["jsonPath"]
        if path.startswith(".status.conditions"):
            assert path.split('"')[1] in each.schema["description"], f"{column['name']} shows a condition of the kind"
        else:
            assert _type(each.schema, path) == column["type"], column["name"]


def _type(schema: Mapping[str, Any], path: str) -> str:
    for part in path.removeprefix(".").replace("[0]", "").split("."):
        schema = schema["items"] if schema["type"] == "array" else schema
        schema = schema["properties"][part]
    kind: str = schema["type"]
    return kind


def test_scale_reads_fields_that_exist() -> None:
    scale = KIND["ModelDeployment"].version["subresources"]["scale"]

    assert scale == {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas.total"}
    assert {_type(KIND["ModelDeployment"].schema, path) for path in scale.values()} == {"integer"}


def _walk(schema: Mapping[str, Any], name: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield name, schema
    for key, child in schema.get("properties", {}).items():
        yield from _walk(child, key)
    if "items" in schema:
        yield from _walk(schema["items"], f"{name}[]")
    if isinstance(schema.get("additionalProperties"), dict):
        yield from _walk(schema["additionalProperties"], f"{name}{{}}")


@pytest.mark.parametrize("each", ALL, ids=lambda each: each.kind)
def test_lists_of_named_things_merge_by_name(each: Definition) -> None:
    """Or two appliers of one list overwrite each other."""
    for name, schema in _walk(each.schema):
        if schema.get("type") != "array":
            continue
        keys = schema.get("x-kubernetes-list-map-keys", [])
        assert schema.get("x-kubernetes-list-type") == ("map" if keys else "atomic"), name
        if "name" in schema["items"].get("properties", {}) and name not in ATOMIC_ON_PURPOSE:
            assert keys == ["name"], name


@pytest.mark.parametrize("each", ALL, ids=lambda each: each.kind)
def test_every_field_is_explained(each: Definition) -> None:
    """`kubectl explain` is where users look first."""
    silent = [
        name
        for name, schema in _walk(each.schema)
        if not name.endswith(("[]", "{}")) and not schema.get("description", "").endswith(".") and name
    ]

    assert silent == []


def test_a_replica_takes_the_pod_template_of_its_deployment() -> None:
    deployment, replica = (
        next(schema for name, schema in _walk(KIND[kind].schema) if name == "members[]")
        for kind in ("ModelDeployment", "ModelReplica")
    )

    assert replica["properties"]["template"] == deployment["properties"]["template"]
    assert replica["properties"]["worker"] == deployment["properties"]["worker"]


def test_what_a_cluster_publishes_of_a_device_is_what_its_class_declares() -> None:
    declared = next(schema for name, schema in _walk(KIND["InferenceClass"].schema) if name == "devices[]")
    published = next(schema for name, schema in _walk(KIND["InferenceCluster"].schema) if name == "devices[]")

    assert set(published["properties"]) == set(declared["properties"])
    for field in ("attributes", "capacity"):
        kinds = [
            {
                name: value["type"]
                for name, value in each["properties"][field]["additionalProperties"]["properties"].items()
            }
            for each in (declared, published)
        ]
        assert kinds[0] == kinds[1], field


def test_labels_have_one_rule_wherever_they_stand() -> None:
    places = [schema for name, schema in _walk(KIND["ModelDeployment"].schema) if name == "metadata"]
    rules = [[rule for rule in each["x-kubernetes-validations"] if "labels" in rule["rule"]] for each in places]

    assert len(rules) == 2
    assert rules[0] == rules[1]
