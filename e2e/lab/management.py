"""The control plane of a fleet as a user installs it: Crossplane, its RBAC manager, our functions, two providers.

Nothing of the product runs as an administrator: Crossplane and the providers have the roles of their charts and
packages, and what `examples/install/` adds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from e2e.lab import chart, providers
from e2e.lab.accounts import account, kubeconfig
from e2e.lab.control_plane import ENGINE_CONTROLLERS, ControlPlane
from e2e.lab.crossplane import Crossplane
from e2e.lab.objects import Manifest, read_manifests
from e2e.lab.process import Process, Processes, free_ports
from e2e.tools.definitions import CROSSPLANE, folder_of, source

ROOT = Path(__file__).parents[2]
NAMESPACE = "modelplane-system"
_RBAC = "rbac.authorization.k8s.io/v1"


class Management:
    """A control plane with everything on it but clusters."""

    def __init__(
        self,
        processes: Processes,
        programs: Mapping[str, Path],
        *,
        crossplane_poll: str,
        poll: str,
        helm_environment: Mapping[str, str],
        say: Callable[[str], None],
    ) -> None:
        """Starts it all; returns when our kinds are established and every part is ready.

        `helm_environment` is how provider-helm reaches the registries of charts; `say` is told how far it is.
        """
        self._processes = processes
        self._programs = programs
        self.plane = ControlPlane("control", processes, programs, ENGINE_CONTROLLERS)
        self.api = self.plane.api
        say("the control plane's API server is ready")
        for each in chart.roles(source(CROSSPLANE)):
            self.api.apply(each)
        self.crossplane = self._start_crossplane(crossplane_poll)
        say("Crossplane is ready")
        for provider in (providers.KUBERNETES, providers.HELM):
            providers.install(self.plane, provider)
        self._install_ours()
        say("our kinds are established, roles are granted")
        self.functions = self._start_functions()
        self.kubernetes = self._start_provider(providers.KUBERNETES, poll)
        self.helm = self._start_provider(providers.HELM, poll, helm_environment)
        say("functions and providers run")

    @property
    def processes(self) -> dict[str, Process]:
        """The parts that a fault can hit, by name."""
        return {
            "etcd": self.plane.etcd,
            "kube-apiserver": self.plane.api_server,
            "kube-controller-manager": self.plane.controller_manager,
            "crossplane": self.crossplane.process,
            "functions": self.functions,
            "provider-kubernetes": self.kubernetes,
            "provider-helm": self.helm,
        }

    def _user(self, name: str, role: str) -> Path:
        token = account(self.plane, providers.NAMESPACE, name, (role,))
        return kubeconfig(self.plane, self.plane.folder / "users" / name, token)

    def _start_crossplane(self, poll: str) -> Crossplane:
        user = self._user("crossplane", "crossplane")
        definitions = folder_of(CROSSPLANE)
        return Crossplane(self.plane, self._programs["crossplane"], definitions, poll_interval=poll, user=user)

    def _grant(self) -> None:
        """Lets Crossplane's RBAC manager give everyone the roles that follow from what is installed, then ends it.

        It and provider-helm both insist on port 8080 for their metrics.
        """
        user = self._user("rbac-manager", "crossplane-rbac-manager")
        argv = [str(self._programs["crossplane"]), "rbac", "start"]
        manager = self._processes.run("control-rbac-manager", argv, {"KUBECONFIG": str(user)})
        ours = [f"crossplane:composite:{each['metadata']['name']}" for each in _definitions()]
        wanted = {
            *(f"{name}:aggregate-to-crossplane" for name in ours),
            *(f"crossplane:provider:{each.name}-1:system" for each in (providers.KUBERNETES, providers.HELM)),
            *(
                f"crossplane:provider:{each.name}-1:aggregate-to-edit"
                for each in (providers.KUBERNETES, providers.HELM)
            ),
        }
        manager.wait(lambda: wanted <= {each["metadata"]["name"] for each in self.api.list(_RBAC, "ClusterRole")})
        manager.stop()
        for provider in (providers.KUBERNETES, providers.HELM):
            providers.settle(self.plane, provider)

    def _install_ours(self) -> None:
        self.plane.namespace(NAMESPACE)
        install = ROOT / "examples" / "install"
        ours = [*(read_manifests(install) if install.exists() else []), *read_manifests(ROOT / "apis")]
        for each in ours:
            self.api.apply(each)
        self._grant()  # Crossplane does not establish a kind that it may not watch
        for each in _definitions():
            self.api.wait(each, "Established")

    def _start_functions(self) -> Process:
        port = free_ports(1)[0]
        certificates = self.crossplane.certificates("functions")
        argv = [str(Path(sys.executable).with_name("function")), "--all"]
        argv += [f"--address=127.0.0.1:{port}", f"--tls-certs-dir={certificates}"]
        process = self._processes.run("functions", argv)
        for name in sorted(_steps(read_manifests(ROOT / "apis"))):
            self.crossplane.register(name, port)
        return process

    def _start_provider(
        self, provider: providers.Provider, poll: str, environment: Mapping[str, str] | None = None
    ) -> Process:
        role = f"crossplane:provider:{provider.name}-1:system"
        program = self._programs[provider.name]
        authority = self.crossplane.authority
        return providers.start(
            self.plane, provider, program, authority, poll=poll, roles=(role,), environment=environment or {}
        )


def _definitions() -> list[Manifest]:
    return [each for each in read_manifests(ROOT / "apis") if each["kind"] == "CompositeResourceDefinition"]


def _steps(manifests: list[Manifest]) -> set[str]:
    """The functions that the Compositions name."""
    compositions = [each for each in manifests if each["kind"] == "Composition"]
    return {step["functionRef"]["name"] for each in compositions for step in each["spec"]["pipeline"]}
