"""Crossplane's core on a control plane, and functions registered with it without a package."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path

import httpx

from e2e.lab.control_plane import ControlPlane
from e2e.lab.objects import Manifest
from e2e.lab.pki import Authority
from e2e.lab.process import NotReadyError, Process, free_ports

NAMESPACE = "crossplane-system"
_CA_SECRET = "crossplane-root-ca"  # noqa: S105 - the name of a Secret, not a secret
_CLIENT_SECRET = "crossplane-tls-client"  # noqa: S105 - likewise
_INIT_TRIES = 3
_PAUSED = {"crossplane.io/paused": "true"}  # the package manager would look for the package for ever


class Crossplane:
    """Crossplane with external package runtimes and without webhooks: nothing in the cluster could answer them."""

    def __init__(
        self,
        plane: ControlPlane,
        program: Path,
        definitions: Path,
        *,
        poll_interval: str = "1m",
        user: Path | None = None,
        flags: Mapping[str, str] | None = None,
    ) -> None:
        """Runs `core init`, then `core start`, and returns when it answers its readiness probe.

        `user` is the kubeconfig of whom `core start` acts as; the control plane's administrator where it is absent.
        `flags` are more flags of `core start`.
        """
        self._plane = plane
        self._user = user or plane.kubeconfig
        self._program = program
        self._folder = plane.folder / "crossplane"
        plane.namespace(NAMESPACE)
        self._initialise(definitions)
        for folder, secret in (("client", _CLIENT_SECRET), ("authority", _CA_SECRET)):
            self._write_secret(self._folder / folder, secret)
        authority = self._folder / "authority"
        self.authority = Authority.load((authority / "tls.crt").read_bytes(), (authority / "tls.key").read_bytes())
        self.process = self._start({"poll-interval": poll_interval, **(flags or {})})

    def certificates(self, name: str) -> Path:
        """A folder with tls.crt, tls.key and ca.crt for a function that listens on localhost."""
        folder = self._folder / "functions" / name
        self.authority.issue(folder, name, ["localhost", "127.0.0.1"])
        return folder

    def register(self, name: str, port: int) -> None:
        """Tells Crossplane that the function of this name listens on a port of localhost.

        Crossplane looks for an active revision's endpoint and capabilities, so no package is needed; the package
        named here is never fetched.
        """
        package = f"modelplane.invalid/{name}:v0.0.0"
        function: Manifest = {
            "apiVersion": "pkg.crossplane.io/v1",
            "kind": "Function",
            "metadata": {"name": name, "annotations": _PAUSED},
            "spec": {"package": package, "revisionActivationPolicy": "Manual", "packagePullPolicy": "Never"},
        }
        revision: Manifest = {
            "apiVersion": "pkg.crossplane.io/v1",
            "kind": "FunctionRevision",
            "metadata": {
                "name": f"{name}-1",
                "labels": {"pkg.crossplane.io/package": name},
                "annotations": _PAUSED,
            },
            "spec": {
                "image": package,
                "desiredState": "Active",
                "revision": 1,
                "packagePullPolicy": "Never",
                "tlsServerSecretName": f"{name}-tls",
            },
        }
        self._plane.api.apply(function)
        self._plane.api.apply(revision)
        status: Manifest = {"endpoint": f"dns:///localhost:{port}", "capabilities": ["composition"]}
        self._plane.api.set_status(revision, status)

    def _environment(self) -> dict[str, str]:
        return {"KUBECONFIG": str(self._plane.kubeconfig), "POD_NAMESPACE": NAMESPACE, "ENABLE_WEBHOOKS": "false"}

    def _initialise(self, definitions: Path) -> None:
        secrets = {"TLS_CA_SECRET_NAME": _CA_SECRET, "TLS_CLIENT_SECRET_NAME": _CLIENT_SECRET}
        env = {**self._environment(), **secrets, "CRDS_PATH": str(definitions)}
        for _ in range(_INIT_TRIES):
            init = self._plane.processes.run(
                f"{self._plane.name}-crossplane-init", [str(self._program), "core", "init"], env
            )
            if init.finish() == 0:
                return
            if "no matches for kind" not in init.said():  # its own definitions may not be served yet
                break
        msg = f"crossplane core init failed:\n{init.said()[-3000:]}"
        raise NotReadyError(msg)

    def _write_secret(self, folder: Path, name: str) -> None:
        wanted: Manifest = {"apiVersion": "v1", "kind": "Secret", "metadata": {"namespace": NAMESPACE, "name": name}}
        folder.mkdir(parents=True)
        for key, value in self._plane.api.get(wanted)["data"].items():
            (folder / key).write_bytes(base64.b64decode(value))

    def _start(self, more: Mapping[str, str]) -> Process:
        metrics, health = free_ports(2)
        flags = {
            "package-runtime": "External",
            "tls-client-certs-dir": str(self._folder / "client"),
            "cache-dir": str(self._folder / "packages"),
            "metrics-port": str(metrics),
            "health-probe-port": str(health),
            **more,
        }
        env = {**self._environment(), "KUBECONFIG": str(self._user)}
        argv = [str(self._program), "core", "start", *(f"--{key}={value}" for key, value in flags.items())]
        started = self._plane.processes.run(f"{self._plane.name}-crossplane", argv, env)
        started.wait(lambda: _answers(f"http://127.0.0.1:{health}/readyz"))
        return started


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, trust_env=False).is_success
    except httpx.TransportError:
        return False
