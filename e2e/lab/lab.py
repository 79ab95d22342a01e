"""A whole fleet on one machine: `with Lab(folder) as lab: lab.cluster("eu-west", [Node("gpu-eu-west")])`."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from e2e.lab import charts, runtime
from e2e.lab.accounts import token
from e2e.lab.api import Api
from e2e.lab.cluster import Cluster
from e2e.lab.fleet import Node
from e2e.lab.management import NAMESPACE, ROOT, Management
from e2e.lab.network import isolate
from e2e.lab.objects import Manifest, read_manifests
from e2e.lab.pki import Authority
from e2e.lab.process import Process, Processes, free_ports
from e2e.tools.build import build

#: What a lab runs; all are built before it leaves the machine's network.
PROGRAMS = (
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "crossplane",
    "kwok",
    "provider-kubernetes",
    "provider-helm",
    "envoy-gateway",
    "lws",
)
_AGENT = ("modelplane-agent", "modelplane")  # namespace and name
_SECRET_KEY = "kubeconfig"  # noqa: S105 - the name of a key in a Secret


class Lab:
    """The control plane, the workload clusters, and what is around them. Leaving the context ends all of it."""

    def __init__(
        self, folder: Path, *, crossplane_poll: str = "30s", poll: str = "1m", programs: tuple[str, ...] = PROGRAMS
    ) -> None:
        """`crossplane_poll` and `poll`: how often Crossplane and the providers look without being told to.

        Without `envoy-gateway` among the programs, gateways are pretended, which saves a process a cluster.
        """
        self.folder = folder
        self._programs = build(programs)
        self.real = isolate()
        self.processes = Processes(folder / "run")
        self._polls = (crossplane_poll, poll)
        self.clusters: dict[str, Cluster] = {}
        self._around = folder / "surroundings"

    def __enter__(self) -> Self:
        self._began = time.monotonic()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self._around.mkdir()
        if self.real:
            running = [image for image, program in runtime.PROGRAMS.items() if program in self._programs]
            (self._around / "real").write_text("\n".join(running))
        if not self.real or "envoy-gateway" not in self._programs:
            (self._around / "gateways").touch()
        self.processes.__enter__()
        try:
            self.surroundings = self._start_surroundings()
            crossplane_poll, poll = self._polls
            self.management = Management(
                self.processes,
                self._programs,
                crossplane_poll=crossplane_poll,
                poll=poll,
                helm_environment=self._start_registry(),
                say=self._say,
            )
        except BaseException:
            self.processes.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for cluster in self.clusters.values():
            cluster.stop()
        self.processes.__exit__(kind, value, trace)
        self.management.plane.close()

    @property
    def api(self) -> Api:
        """The control plane, as its administrator."""
        return self.management.api

    def cluster(self, name: str, nodes: Sequence[Node]) -> Cluster:
        """Starts a workload cluster; its number gives it its addresses."""
        cluster = Cluster(name, len(self.clusters) + 1, self.processes, self._programs, nodes, real=self.real)
        self.clusters[name] = cluster
        self._say(f"cluster {name} is ready")
        self._surround(cluster)
        return cluster

    def connect(self, cluster: Cluster, secret: str) -> None:
        """Puts a kubeconfig for the cluster into a Secret, as a platform engineer does before the InferenceCluster.

        The user in it is the account of `examples/install-workload/`, with the role that comes with it.
        """
        for each in read_manifests(ROOT / "examples" / "install-workload"):
            cluster.api.apply(each)
        content: Manifest = {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"namespace": NAMESPACE, "name": secret},
            "stringData": {_SECRET_KEY: cluster.kubeconfig(token(cluster.api, *_AGENT))},
        }
        self.api.apply(content)

    def revive(self) -> list[str]:
        """Starts what ended by itself, as a kubelet would; the names of those parts."""
        parts = dict(self.management.processes)
        for cluster in self.clusters.values():
            parts |= {f"{cluster.name}-{name}": process for name, process in cluster.processes.items()}
        ended = [name for name, process in parts.items() if process.ended]
        for name in ended:
            parts[name].start()
        return ended

    def silence(self, *pods: str) -> None:
        """Lets the engines of these pods hang, each `cluster/namespace/pod`; all others answer."""
        _replace(self._around / "silent", "\n".join(pods))

    def _say(self, text: str) -> None:
        print(f"lab: {time.monotonic() - self._began:5.1f} s  {text}", file=sys.stderr, flush=True)

    def _surround(self, cluster: Cluster) -> None:
        config = json.loads(cluster.plane.kubeconfig.read_text())
        around = {
            "server": cluster.plane.url,
            "token": config["users"][0]["user"]["token"],
            "authority": str(cluster.plane.folder / "serving" / "ca.crt"),
            "balancers": cluster.ranges.balancers,
            "machine": cluster.ranges.machine,
        }
        _replace(self._around / f"{cluster.name}.json", json.dumps(around))

    def _start_registry(self) -> dict[str, str]:
        """Starts the registry of charts; the environment of a program that is to use it."""
        certificates = self.folder / "registry"
        Authority.create("registries").issue(certificates, "registries", charts.hosts())
        port = free_ports(1)[0]
        argv = [sys.executable, "-m", "e2e.lab.registry", str(port), str(certificates)]
        self.processes.run("registry", argv)
        proxy = f"http://127.0.0.1:{port}"
        return {"HTTPS_PROXY": proxy, "https_proxy": proxy, "SSL_CERT_FILE": str(certificates / "ca.crt")}

    def _start_surroundings(self) -> Process:
        argv = [sys.executable, "-m", "e2e.lab.surroundings", str(self._around)]
        return self.processes.run("surroundings", argv)


def _replace(path: Path, content: str) -> None:
    """Writes the file at once: a reader sees the old one or the new one."""
    fresh = path.with_suffix(".fresh")
    fresh.write_text(content)
    fresh.chmod(0o600)
    fresh.rename(path)
