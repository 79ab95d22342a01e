"""provider-helm's Release: one chart on another cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from modelplane.contract import names
from modelplane.remote.config import ConfigRef

API_VERSION: Final = "helm.m.crossplane.io/v1beta1"
EXTERNAL_NAME: Final = "crossplane.io/external-name"
#: A release that failed is tried again only while rollbacks are left (provider-helm issue 193).
ROLLBACK_LIMIT: Final = 1000


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart in a repository, and the namespace that it is installed in."""

    name: str
    repository: str
    version: str
    namespace: str

    @property
    def release(self) -> str:
        """The name of the Helm release: short, and with a prefix, so that no release of a user's is adopted."""
        wanted = f"mp-{self.name}"
        return wanted if len(wanted) <= names.RELEASE else names.name(wanted, limit=names.RELEASE)


def wrap(chart: Chart, config: ConfigRef, values: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The Release that keeps a chart installed; it is Ready once Helm has waited for all that the chart makes."""
    for_provider: dict[str, Any] = {
        "chart": {"name": chart.name, "repository": chart.repository, "version": chart.version},
        "namespace": chart.namespace,
        "wait": True,
    }
    if values:
        for_provider["values"] = values
    return {
        "apiVersion": API_VERSION,
        "kind": "Release",
        "metadata": {"annotations": {EXTERNAL_NAME: chart.release}},
        "spec": {
            "providerConfigRef": config.plain(),
            "rollbackLimit": ROLLBACK_LIMIT,
            "forProvider": for_provider,
        },
    }
