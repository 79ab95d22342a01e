"""CustomResourceDefinitions of others, read from their Go modules and never committed here.

The versions stand in `crds/go.mod` (and `crossplane/go.mod`), their hashes in the go.sum beside it.
"""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path

from e2e.lab.objects import Manifest, documents
from e2e.tools.build import HERE, required
from e2e.tools.toolchain import environment, find_go, needed

CROSSPLANE = "github.com/crossplane/crossplane/v2"
PROVIDER_KUBERNETES = "github.com/crossplane-contrib/provider-kubernetes"
PROVIDER_HELM = "github.com/crossplane-contrib/provider-helm"
GATEWAY_API = "sigs.k8s.io/gateway-api"
INFERENCE_EXTENSION = "sigs.k8s.io/gateway-api-inference-extension"
LEADER_WORKER_SET = "sigs.k8s.io/lws"
ENVOY_GATEWAY = "github.com/envoyproxy/gateway"

#: Where each module keeps its definitions.
_FOLDERS = {
    CROSSPLANE: "cluster/crds",
    PROVIDER_KUBERNETES: "package/crds",
    PROVIDER_HELM: "package/crds",
    GATEWAY_API: "config/crd/standard",
    INFERENCE_EXTENSION: "config/crd/bases",
    LEADER_WORKER_SET: "config/crd/bases",
    ENVOY_GATEWAY: "charts/gateway-helm/charts/crds/crds/generated",
}


@cache
def source(module: str) -> Path:
    """The module's folder in the Go module cache, downloaded and checked against go.sum where it is not there.

    Raises:
        RuntimeError: it cannot be downloaded, or is not what go.sum says.
    """
    folder = HERE / ("crossplane" if module == CROSSPLANE else "crds")
    version = required(folder, module)
    asked = subprocess.run(
        [find_go(needed(folder)), "mod", "download", "-json", f"{module}@{version}"],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    answer = json.loads(asked.stdout or "{}")
    if asked.returncode or "Error" in answer:
        msg = f"{module} {version}: {answer.get('Error') or asked.stderr}"
        raise RuntimeError(msg)
    return Path(answer["Dir"])


def folder_of(module: str) -> Path:
    """The folder with the module's definitions."""
    return source(module) / _FOLDERS[module]


def definitions(module: str, *names: str) -> list[Manifest]:
    """The module's CustomResourceDefinitions, all or those of these names, in the order of their files' names.

    A conversion webhook is dropped: nothing answers it where only the definitions are installed.

    Raises:
        LookupError: the module has no definition of one of the names.
    """
    found = {}
    for path in sorted(folder_of(module).glob("*.yaml")):
        for document in documents(path.read_text()):
            if document["kind"] == "CustomResourceDefinition":
                document["spec"].pop("conversion", None)
                found[document["metadata"]["name"]] = document
    if unknown := [name for name in names if name not in found]:
        msg = f"{module} has no {', '.join(unknown)}; it has {', '.join(found)}"
        raise LookupError(msg)
    return [found[name] for name in names or found]
