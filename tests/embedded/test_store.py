"""The embedded API server, in the parts of the real one's behaviour that stories depend on."""

from __future__ import annotations

from typing import Any

import pytest

from modelplane.embedded.clock import Clock
from modelplane.embedded.fields import Shape
from modelplane.embedded.refusals import Conflict, Invalid, NotFound
from modelplane.embedded.store import Store
from modelplane.embedded.things import Key, Plain, Rules

KEY = Key("", "ConfigMap", "default", "n")
ITEMS = Shape(fields={"spec": Shape(fields={"items": Shape(keys=("name",)), "set": Shape(unique=True)})})


def store(rules: Rules | None = None) -> Store:
    made = Store("s", Clock(), rules={("", "ConfigMap"): rules or Rules(shape=ITEMS)})
    made.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}}, "setup")
    return made


def manifest(spec: Any = None, **metadata: Any) -> Plain:
    named = {"name": "n", "namespace": "default", **metadata}
    body = {} if spec is None else {"spec": spec}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": named, **body}


Step = tuple[str, Any]
APPLY: list[tuple[str, list[Step], Any]] = [
    ("a field that is left out is removed", [("us", {"a": 1, "b": 2}), ("us", {"a": 1})], {"a": 1}),
    ("a field of another manager stays", [("them", {"b": 2}), ("us", {"a": 1}), ("us", {})], {"b": 2}),
    ("a field that both applied stays when one lets go", [("them", {"a": 1}), ("us", {"a": 1}), ("us", {})], {"a": 1}),
    ("the last one to apply wins", [("them", {"a": 1}), ("us", {"a": 2})], {"a": 2}),
    ("nested maps merge", [("us", {"m": {"x": 1}}), ("them", {"m": {"y": 2}})], {"m": {"x": 1, "y": 2}}),
    ("a map that becomes empty goes", [("us", {"m": {"x": 1}, "a": 1}), ("us", {"a": 1})], {"a": 1}),
    (
        "items of a list-map merge by key",
        [("us", {"items": [{"name": "x", "v": 1}]}), ("them", {"items": [{"name": "y", "v": 2}]})],
        {"items": [{"name": "y", "v": 2}, {"name": "x", "v": 1}]},
    ),
    (
        "an item that is left out is removed, another manager's stays",
        [
            ("us", {"items": [{"name": "x"}, {"name": "z"}]}),
            ("them", {"items": [{"name": "y"}]}),
            ("us", {"items": [{"name": "z"}]}),
        ],
        {"items": [{"name": "z"}, {"name": "y"}]},
    ),
    (
        "a field within an item is removed alone",
        [("us", {"items": [{"name": "x", "a": 1, "b": 2}]}), ("us", {"items": [{"name": "x", "a": 1}]})],
        {"items": [{"name": "x", "a": 1}]},
    ),
    ("a set merges", [("us", {"set": ["a"]}), ("them", {"set": ["b"]}), ("us", {"set": ["c"]})], {"set": ["c", "b"]}),
    ("an atomic list is replaced", [("us", {"args": [1, 2]}), ("us", {"args": [3]})], {"args": [3]}),
    ("a status is no business of a plain apply", [("us", {"a": 1})], {"a": 1}),
]


@pytest.mark.parametrize(("reason", "steps", "spec"), APPLY, ids=[case[0] for case in APPLY])
def test_apply(reason: str, steps: list[Step], spec: Any) -> None:
    made = store()
    for manager, applied in steps:
        made.apply({**manifest(applied), "status": {"never": 1}}, manager)
    found = made.get(KEY)
    assert (found.get("spec", {}), "status" in found) == (spec, False), reason


def test_an_update_takes_over_what_it_changes_and_nothing_else() -> None:
    made = store()
    live = made.apply(manifest({"a": 1, "b": 1, "keep": 1}), "us")
    made.update({**live, "spec": {"a": 2, "keep": 1, "c": 3}}, "them")
    made.apply(manifest({"b": 5}), "us")
    assert made.get(KEY)["spec"] == {"a": 2, "c": 3, "b": 5}, "keep was ours and goes; a became theirs and stays"


def test_managed_fields_as_the_api_server_writes_them() -> None:
    made = store()
    made.apply(manifest({"items": [{"name": "x", "v": 1}], "args": [1]}, labels={"l": "1"}), "us")
    (record,) = made.get(KEY)["metadata"]["managedFields"]
    assert record == {
        "manager": "us",
        "operation": "Apply",
        "apiVersion": "v1",
        "time": "2026-01-01T00:00:00Z",
        "fieldsType": "FieldsV1",
        "fieldsV1": {
            "f:metadata": {"f:labels": {"f:l": {}}},
            "f:spec": {"f:args": {}, "f:items": {'k:{"name":"x"}': {".": {}, "f:name": {}, "f:v": {}}}},
        },
    }


def test_generation_counts_changes_of_the_spec_and_writing_the_same_is_no_write() -> None:
    made = store()
    seen = [made.apply(manifest({"a": 1}), "us")["metadata"]["generation"]]
    version = made.version
    made.apply(manifest({"a": 1}), "us")
    made.set_status(KEY, {}, "us")
    assert made.version == version + 1, "the first status is a write, the same manifest is none"
    made.set_status(KEY, {}, "us")
    assert made.version == version + 1
    seen.append(made.set_status(KEY, {"s": 1}, "them")["metadata"]["generation"])
    seen.append(made.apply(manifest({"a": 1}, labels={"l": "1"}), "us")["metadata"]["generation"])
    seen.append(made.apply(manifest({"a": 2}, labels={"l": "1"}), "us")["metadata"]["generation"])
    assert seen == [1, 1, 1, 2]


def test_finalizers_hold_an_object_and_foreground_is_one() -> None:
    made = store()
    made.apply(manifest(), "us")
    made.finalize(KEY, "f", hold=True)
    made.delete(KEY, foreground=True)
    found = made.get(KEY)["metadata"]
    assert (found["finalizers"], "deletionTimestamp" in found) == (["f", "foregroundDeletion"], True)
    made.finalize(KEY, "late", hold=True)
    assert "late" not in made.get(KEY)["metadata"]["finalizers"], "a terminating object takes no new finalizer"
    made.finalize(KEY, "f", hold=False)
    made.finalize(KEY, "foregroundDeletion", hold=False)
    assert made.find(KEY) is None


def test_a_second_object_of_a_name_is_another_object_and_uids_do_not_depend_on_the_order_of_writes() -> None:
    made, other = store(), store()
    first = made.apply(manifest(), "us")["metadata"]["uid"]
    other.apply({**manifest(), "metadata": {"name": "before", "namespace": "default"}}, "us")
    assert other.apply(manifest(), "us")["metadata"]["uid"] == first
    made.delete(KEY)
    assert made.apply(manifest(), "us")["metadata"]["uid"] != first


def test_what_is_refused() -> None:
    made = store()
    with pytest.raises(NotFound, match='namespaces "nowhere" not found'):
        made.apply(manifest(namespace="nowhere"), "us")
    with pytest.raises(Invalid, match=r"metadata\.name is required"):
        made.apply(manifest(name=""), "us")
    with pytest.raises(NotFound, match="ConfigMap default/n not found"):
        made.delete(KEY)
    made.create(manifest(), "us")
    with pytest.raises(Conflict, match="already exists"):
        made.create(manifest(), "us")
    with pytest.raises(Conflict, match="another object"):
        made.delete(KEY, uid="other")
    owners = [{"uid": uid, "controller": True} for uid in ("a", "b")]
    with pytest.raises(Invalid, match="only one owner reference"):
        made.apply(manifest(ownerReferences=owners), "us")


def test_rules_default_and_refuse_and_see_the_old_object() -> None:
    def admit(new: Plain, old: Plain | None) -> Plain:
        if old is not None and old["spec"]["fixed"] != new["spec"]["fixed"]:
            msg = "fixed is immutable"
            raise Invalid(msg)
        return {**new, "spec": {"defaulted": 1, **new["spec"]}}

    made = store(Rules(admit=admit))
    assert made.apply(manifest({"fixed": 1}), "us")["spec"] == {"defaulted": 1, "fixed": 1}
    with pytest.raises(Invalid, match="fixed is immutable"):
        made.apply(manifest({"fixed": 2}), "us")
    assert made.get(KEY)["spec"]["fixed"] == 1
    (record,) = made.get(KEY)["metadata"]["managedFields"]
    assert record["fieldsV1"] == {"f:spec": {"f:fixed": {}}}, "nobody owns a default"


def test_lists_are_ordered_and_select_by_namespace_and_labels() -> None:
    made = store()
    made.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}}, "us")
    for namespace, name, labels in (
        ("default", "z", {"l": "1"}),
        ("default", "y", {}),
        ("a", "x", {"l": "1", "m": "2"}),
    ):
        made.apply(manifest(namespace=namespace, name=name, labels=labels), "us")

    def listed(*args: Any) -> list[str]:
        return [found["metadata"]["name"] for found in made.list("", "ConfigMap", *args)]

    assert listed() == ["x", "y", "z"]
    assert listed("default") == ["y", "z"]
    assert listed("", {"l": "1"}) == ["x", "z"]
    assert listed("default", {"l": "1", "m": "2"}) == []
