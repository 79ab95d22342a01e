"""Objects out of the templates of Crossplane's own chart: the few whose only variables are its name and its labels."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from e2e.lab.objects import Manifest

_NAME = "crossplane"


def rendered(template: Path) -> list[Manifest]:
    """The template's objects with the chart's default values.

    Raises:
        ValueError: it has an action that is not understood, so its objects would not be what Helm makes.
    """
    lines = []
    for line in template.read_text().splitlines():
        text = re.sub(r'\{\{\s*(?:template|include) "crossplane.name" \.\s*\}\}', _NAME, line)
        if re.search(r'\{\{-? (?:include "crossplane.labels"|if|end)', text):
            continue  # every switch of these templates is on by default
        if re.search(r"\{\{-?\s*end\s*-?\}\}", text):
            continue
        if "{{" in text:
            msg = f"{template.name}: not understood: {line.strip()}"
            raise ValueError(msg)
        lines.append(text)
    return [document for document in yaml.safe_load_all("\n".join(lines)) if document]


def roles(module: Path) -> list[Manifest]:
    """The ClusterRoles of Crossplane and of its RBAC manager."""
    folder = module / "cluster" / "charts" / "crossplane" / "templates"
    names = ("clusterrole.yaml", "rbac-manager-clusterrole.yaml", "rbac-manager-managed-clusterroles.yaml")
    found = [each for name in names for each in rendered(folder / name)]
    return [each for each in found if each["kind"] == "ClusterRole"]
