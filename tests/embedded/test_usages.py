"""Usages refuse a deletion, say why, and repeat it when their user is gone."""

from __future__ import annotations

import pytest

from modelplane.embedded.loop import Loop
from modelplane.embedded.refusals import InUse
from modelplane.embedded.things import Key, Plain
from modelplane.kit.seen import Seen
from modelplane.kit.want import Ready, Want
from tests.embedded.world import conditions, configmap, key, loop, names, thing

CONFIG = Key("", "ConfigMap", "default", "config")


def used(seen: Seen[Plain], want: Want[Plain]) -> None:
    """A config that outlives its user."""
    want.add("config", configmap("config"), ready=Ready.YES, outlives="user")
    if seen.xr["spec"].get("user", True):
        want.add("user", configmap("user"), ready=Ready.YES)


def settled() -> Loop:
    made = loop(used)
    made.apply(thing())
    made.settle()
    return made


def test_a_used_object_is_not_deleted_and_the_refusal_names_the_user() -> None:
    made = settled()
    with pytest.raises(InUse, match=r"in use by 1 usage\(s\), the first with user: ConfigMap default/user"):
        made.delete(CONFIG)
    assert names(made, "ConfigMap") == ["config", "user"]


def test_a_reason_is_given_where_there_is_no_user() -> None:
    made = settled()
    made.apply(
        {
            "apiVersion": "protection.crossplane.io/v1beta1",
            "kind": "Usage",
            "metadata": {"name": "by-hand"},
            "spec": {
                "of": {"apiVersion": "v1", "kind": "ConfigMap", "resourceRef": {"name": "user"}},
                "reason": "mine",
            },
        }
    )
    made.settle()
    with pytest.raises(InUse, match="reason: 'mine'"):
        made.delete(Key("", "ConfigMap", "default", "user"))


def test_the_composite_goes_user_first_and_nothing_hangs() -> None:
    made = settled()
    order: list[list[str]] = []
    made.watchers.append(lambda at: order.append(names(at, "ConfigMap")))
    made.delete(key())
    made.settle()
    seen = [list(state) for state in dict.fromkeys(tuple(state) for state in order)]
    assert seen in (
        [["config", "user"], ["config"], []],
        [["config"], []],
    )
    assert made.control.find(key()) is None
    assert names(made, "Usage", "protection.crossplane.io") == []


def test_the_user_that_is_left_out_goes_and_the_used_one_stays() -> None:
    made = settled()
    made.apply(thing(user=False))
    made.settle()
    assert names(made, "ConfigMap") == ["config"]
    assert names(made, "Usage", "protection.crossplane.io") == []
    made.delete(CONFIG)


def test_a_child_that_a_stranger_uses_blocks_the_whole_reconcile_as_in_crossplane() -> None:
    made = settled()
    made.apply(
        {
            "apiVersion": "protection.crossplane.io/v1beta1",
            "kind": "Usage",
            "metadata": {"name": "by-hand"},
            "spec": {
                "of": {"apiVersion": "v1", "kind": "ConfigMap", "resourceRef": {"name": "user"}},
                "reason": "mine",
                "replayDeletion": True,
            },
        }
    )
    made.settle()
    made.apply(thing(user=False))
    made.settle()
    assert conditions(made.get(key()))["Synced"][0] == "False"
    assert names(made, "ConfigMap") == ["config", "user"]
    made.delete(Key("protection.crossplane.io", "Usage", "default", "by-hand"), foreground=False)
    made.settle()
    assert names(made, "ConfigMap") == ["config"]
    assert conditions(made.get(key()))["Synced"][0] == "True"
