from __future__ import annotations

from typing import Any

import pytest

from modelplane.remote import release
from modelplane.remote.config import ConfigRef
from modelplane.remote.release import Chart

EU = ConfigRef("eu-1", "ProviderConfig")
LONG = "a-chart-whose-name-is-about-as-long-as-a-name-may-be-at-all"


@pytest.mark.parametrize(
    ("values", "more", "reason"),
    [
        pytest.param(None, {}, "a chart without values says nothing of values", id="plain"),
        pytest.param({"a": {"b": 1}}, {"values": {"a": {"b": 1}}}, "values pass as they are", id="values"),
    ],
)
def test_wrap(values: dict[str, Any] | None, more: dict[str, Any], reason: str) -> None:
    chart = Chart("gateway-helm", "oci://registry.example/charts", "v1.8.1", "envoy-gateway-system")

    assert release.wrap(chart, EU, values) == {
        "apiVersion": "helm.m.crossplane.io/v1beta1",
        "kind": "Release",
        "metadata": {"annotations": {"crossplane.io/external-name": "mp-gateway-helm"}},
        "spec": {
            "providerConfigRef": {"kind": "ProviderConfig", "name": "eu-1"},
            "rollbackLimit": 1000,
            "forProvider": {
                "chart": {"name": "gateway-helm", "repository": "oci://registry.example/charts", "version": "v1.8.1"},
                "namespace": "envoy-gateway-system",
                "wait": True,
                **more,
            },
        },
    }, reason


def test_a_release_keeps_within_helms_limit() -> None:
    made = [Chart(name, "r", "1", "n").release for name in (LONG, LONG + "-too")]

    assert [len(name) <= 53 for name in made] == [True, True]
    assert made[0] != made[1]
