"""Keeping a child means emitting exactly the fields that Crossplane's apply manager holds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelplane.embedded.clock import Clock
from modelplane.embedded.fields import Shape
from modelplane.embedded.store import Store
from modelplane.embedded.things import Rules
from modelplane.kit.owned import owned

OURS = "apiextensions.crossplane.io/composed/0123"
HEAD = {"apiVersion": "v1", "kind": "ConfigMap"}


def entry(fields: dict[str, Any], manager: str = OURS, **more: Any) -> dict[str, Any]:
    return {"manager": manager, "operation": "Apply", "fieldsType": "FieldsV1", "fieldsV1": fields, **more}


CASES = [
    (
        "a default and a status of somebody else are not ours, and emitting them would make them so",
        {"spec": {"a": 1, "defaulted": 2}, "status": {"x": 1}},
        [entry({"f:spec": {"f:a": {}}})],
        {"spec": {"a": 1}},
    ),
    (
        "of a list-map only our items come back, each with its key",
        {"spec": {"ports": [{"name": "a", "port": 1, "protocol": "TCP"}, {"name": "b", "port": 2}]}},
        [entry({"f:spec": {"f:ports": {'k:{"name":"a"}': {".": {}, "f:name": {}, "f:port": {}}}}})],
        {"spec": {"ports": [{"name": "a", "port": 1}]}},
    ),
    (
        "of a set only our values come back",
        {"spec": {"hosts": ["mine", "theirs"]}},
        [entry({"f:spec": {"f:hosts": {'v:"mine"': {}}}})],
        {"spec": {"hosts": ["mine"]}},
    ),
    (
        "an atomic list is owned whole",
        {"spec": {"args": ["a", "b"]}},
        [entry({"f:spec": {"f:args": {}}})],
        {"spec": {"args": ["a", "b"]}},
    ),
    (
        "what Crossplane itself writes into the metadata is written again by it",
        {"metadata": {"labels": {"l": "1"}, "ownerReferences": [{"uid": "u"}], "finalizers": ["f"]}, "spec": {}},
        [
            entry(
                {
                    "f:metadata": {
                        "f:labels": {"f:l": {}},
                        "f:ownerReferences": {'k:{"uid":"u"}': {".": {}, "f:uid": {}}},
                        "f:finalizers": {'v:"f"': {}},
                    }
                }
            )
        ],
        {"metadata": {"labels": {"l": "1"}}},
    ),
    (
        "spec.crossplane is that of the child's own reconcile, also where an old record claims it",
        {"spec": {"a": 1, "crossplane": {"compositionRef": {"name": "x"}}}},
        [entry({"f:spec": {"f:a": {}, "f:crossplane": {"f:compositionRef": {"f:name": {}}}}})],
        {"spec": {"a": 1}},
    ),
    (
        "two records of the manager, as after a change of the apiVersion, count together",
        {"spec": {"a": 1, "b": 2}},
        [entry({"f:spec": {"f:a": {}}}), entry({"f:spec": {"f:b": {}}}, apiVersion="v0")],
        {"spec": {"a": 1, "b": 2}},
    ),
    (
        "other managers, updates, and the status subresource are not ours",
        {"spec": {"a": 1, "b": 2, "c": 3}, "status": {"s": 1}},
        [
            entry({"f:spec": {"f:a": {}}}),
            entry({"f:spec": {"f:b": {}}}, manager="kubectl"),
            entry({"f:spec": {"f:c": {}}}) | {"operation": "Update"},
            entry({"f:status": {"f:s": {}}}, subresource="status"),
        ],
        {"spec": {"a": 1}},
    ),
    (
        "without any record of the manager the object was made by other means; too much is kept rather than deleted",
        {"metadata": {"labels": {"l": "1"}}, "spec": {"a": 1, "crossplane": {}}, "status": {"s": 1}},
        [],
        {"metadata": {"labels": {"l": "1"}}, "spec": {"a": 1}},
    ),
]


@pytest.mark.parametrize(("reason", "body", "records", "kept"), CASES, ids=[case[0] for case in CASES])
def test_owned_fields(reason: str, body: dict[str, Any], records: list[Any], kept: dict[str, Any]) -> None:
    named = {"name": "n", "namespace": "team"}
    metadata = {**named, "uid": "u", "managedFields": records, **body.get("metadata", {})}
    expected = {**HEAD, **kept, "metadata": {**kept.get("metadata", {}), **named}}
    assert owned({**HEAD, **body, "metadata": metadata}) == expected, reason


scalars = st.one_of(st.text("ab", min_size=1, max_size=3), st.integers(0, 9), st.booleans())
names = st.text("xyz", min_size=1, max_size=2)
items = st.lists(st.fixed_dictionaries({"name": names, "v": scalars}), unique_by=lambda i: i["name"], max_size=3)
specs = st.fixed_dictionaries(
    {"map": st.dictionaries(names, scalars, min_size=1, max_size=3)},
    optional={
        "items": items.filter(bool),
        "set": st.lists(names, unique=True, min_size=1, max_size=3),
        "args": st.lists(scalars, min_size=1, max_size=3),
    },
)
SHAPE = Shape(
    fields={"spec": Shape(fields={"items": Shape(keys=("name",)), "set": Shape(unique=True)})},
)


@settings(max_examples=60, deadline=None)
@given(first=specs, second=specs, foreign=specs)
def test_keeping_gives_back_what_was_applied(
    first: dict[str, Any], second: dict[str, Any], foreign: dict[str, Any]
) -> None:
    """Whatever was applied, edited by somebody and applied again: what is kept is the last thing that we applied."""
    store = Store("s", Clock(), rules={("", "ConfigMap"): Rules(shape=SHAPE)})
    store.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}}, "t")
    head = {**HEAD, "metadata": {"name": "n", "namespace": "default"}}
    store.apply({**head, "spec": first}, OURS)
    live = store.apply({**head, "spec": {"foreign": foreign["map"]}}, "kubectl")
    live = store.update({**live, "spec": {**live["spec"], "other": 1}}, "somebody")
    live = store.apply({**head, "spec": second}, OURS)
    kept = owned(live)
    assert kept == {**head, "spec": second}
    assert store.apply(kept, OURS)["metadata"]["resourceVersion"] == live["metadata"]["resourceVersion"]
