"""The two providers on a control plane, as processes: provider-kubernetes with watches, and provider-helm.

Each is an active ProviderRevision without a package, so that Crossplane's own RBAC manager gives it, and
Crossplane, the permissions that an installed one would have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx

from e2e.lab.accounts import account, kubeconfig
from e2e.lab.control_plane import ControlPlane
from e2e.lab.objects import Manifest
from e2e.lab.pki import Authority
from e2e.lab.process import Process, free_ports
from e2e.tools.definitions import PROVIDER_HELM, PROVIDER_KUBERNETES, definitions

NAMESPACE = "crossplane-system"


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider: its name, the module with its definitions, and the flags it runs with."""

    name: str
    module: str
    flags: tuple[str, ...]


KUBERNETES = Provider(
    "provider-kubernetes", PROVIDER_KUBERNETES, ("--enable-watches", "--sanitize-secrets", "--max-reconcile-rate=20")
)
HELM = Provider("provider-helm", PROVIDER_HELM, ("--max-reconcile-rate=5", "--timeout=3m"))


def install(plane: ControlPlane, provider: Provider) -> None:
    """Applies the definitions of the provider's namespaced kinds and registers it, as the package manager would.

    It waits for a kind's definition before it looks for objects of that kind, and nothing of ours uses the older,
    cluster-scoped ones, which would cost the API server memory.
    """
    kinds = [each for each in definitions(provider.module) if each["spec"]["group"].endswith(".m.crossplane.io")]
    for each in kinds:
        plane.api.apply(each)
    package = f"modelplane.invalid/{provider.name}:v0.0.0"
    revision: Manifest = {
        **_revision(provider),
        "spec": {
            "image": package,
            "desiredState": "Active",
            "revision": 1,
            "packagePullPolicy": "Never",
            "tlsServerSecretName": f"{provider.name}-tls",
            "tlsClientSecretName": f"{provider.name}-client-tls",
        },
    }
    plane.api.apply(revision)
    references = [
        {"apiVersion": each["apiVersion"], "kind": each["kind"], "name": each["metadata"]["name"]} for each in kinds
    ]
    plane.api.set_status(revision, {"objectRefs": references, "capabilities": ["SafeStart"]})


def settle(plane: ControlPlane, provider: Provider) -> None:
    """Lets the package manager forget the revision: it would look for the package for ever."""
    plane.api.merge(_revision(provider), {"metadata": {"annotations": {"crossplane.io/paused": "true"}}})


def _revision(provider: Provider) -> Manifest:
    return {
        "apiVersion": "pkg.crossplane.io/v1",
        "kind": "ProviderRevision",
        "metadata": {"name": f"{provider.name}-1", "labels": {"pkg.crossplane.io/package": provider.name}},
    }


def start(
    plane: ControlPlane,
    provider: Provider,
    program: Path,
    authority: Authority,
    *,
    poll: str,
    roles: tuple[str, ...],
    environment: Mapping[str, str],
) -> Process:
    """Starts the provider as the service account of its name and returns when it is ready."""
    folder = plane.folder / provider.name
    authority.issue(folder / "tls", provider.name, ["localhost", "127.0.0.1"])
    token = account(plane, NAMESPACE, provider.name, roles)
    webhook, metrics, health = free_ports(3)
    settings = {
        "KUBECONFIG": str(kubeconfig(plane, folder / "kubeconfig", token)),
        "TLS_SERVER_CERTS_DIR": str(folder / "tls"),
        "HOME": str(folder),  # helm keeps its cache there
        **environment,
    }
    argv = [str(program), f"--poll={poll}", *provider.flags]
    if provider is KUBERNETES:
        argv += [f"--webhook-port={webhook}", f"--metrics-bind-address=127.0.0.1:{metrics}"]
        argv += [f"--health-probe-bind-addr=127.0.0.1:{health}"]
    process = plane.processes.run(provider.name, argv, settings)
    if provider is KUBERNETES:
        process.wait(lambda: _answers(f"http://127.0.0.1:{health}/readyz"))
    return process


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, trust_env=False).is_success
    except httpx.TransportError:
        return False
