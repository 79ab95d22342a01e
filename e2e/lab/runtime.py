"""The containers of a cluster that are real programs: controllers that a chart installs, and the proxies they make.

A pod of theirs is a pod like any other to Kubernetes; where its image is known here, its program runs with the pod's
address, service account, environment and volumes, and is started again when it ends.
"""

from __future__ import annotations

import base64
import re
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from e2e.lab.accounts import token
from e2e.lab.api import RefusedError
from e2e.lab.control_plane import ControlPlane
from e2e.lab.network import Ranges
from e2e.lab.objects import Manifest, without_tag
from e2e.lab.process import Process
from e2e.lab.sandbox import Spec
from e2e.lab.watch import Watch

#: Image without its tag, and the program that is in it.
PROGRAMS = {
    "docker.io/envoyproxy/gateway": "envoy-gateway",
    "docker.io/envoyproxy/envoy": "envoy",
    "registry.k8s.io/lws/lws": "lws",
}
_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount"
_POLL_S = 0.5


@dataclass(slots=True)
class _Pod:
    """One pod that is run: its processes by container, and what of the API its volumes show."""

    manifest: Manifest
    folder: Path
    processes: dict[str, Process] = field(default_factory=dict)


class Runtime:
    """A thread that keeps the real containers of one cluster running."""

    def __init__(self, plane: ControlPlane, ranges: Ranges, programs: Mapping[str, Path]) -> None:
        self._plane = plane
        self._ranges = ranges
        self._programs = programs
        self._folder = plane.folder / "pods"
        self._pods: dict[str, _Pod] = {}
        self._watch = Watch(plane.api, "v1", "Pod")
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"runtime-{plane.name}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the keeping; the processes are ended with the lab's others."""
        self._stopped.set()
        self._watch.stop()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(_POLL_S):
            found = {pod["metadata"]["uid"]: pod for pod in self._watch.objects() if self._is_real(pod)}
            for uid in self._pods.keys() - found.keys():
                for process in reversed(self._pods.pop(uid).processes.values()):
                    process.stop()
            for uid, manifest in found.items():
                pod = self._pods.setdefault(uid, _Pod(manifest, self._folder / manifest["metadata"]["name"]))
                try:
                    self._keep(pod)
                except (OSError, RefusedError, httpx.TransportError):
                    continue  # its volumes are not there yet, or the server is down: as a kubelet, try again

    def _is_real(self, pod: Manifest) -> bool:
        # a Job's pod is over at once for the pretended kubelet, and its program has to run all the same
        runs = pod.get("status", {}).get("phase") in {"Running", "Succeeded"} and "podIP" in pod["status"]
        return runs and any(_program(each) in self._programs for each in pod["spec"]["containers"])

    def _keep(self, pod: _Pod) -> None:
        volumes = self._write_volumes(pod)
        for container in pod.manifest["spec"]["containers"]:
            if _program(container) not in self._programs:
                continue
            process = pod.processes.get(container["name"])
            if process is None:
                pod.processes[container["name"]] = self._start(pod, container, volumes)
            elif process.ended and pod.manifest["spec"].get("restartPolicy", "Always") == "Always":
                process.start()

    def _start(self, pod: _Pod, container: Manifest, volumes: Mapping[str, Path]) -> Process:
        meta = pod.manifest["metadata"]
        first = next(iter(pod.processes.values()), None)
        environment = self._environment(pod.manifest, container)
        # an image's entry point is the program; a command that names it again says the same
        command = container.get("command", [])[1:]
        words = [*command, *container.get("args", ())]
        root = pod.folder / f"root-{container['name']}"
        root.mkdir(parents=True)
        spec = Spec(
            program=str(self._programs[_program(container)]),
            arguments=[_expanded(word, environment) for word in words],
            environment=environment,
            mounts=[*_mounts(container, volumes), (str(volumes[_ACCOUNT]), _ACCOUNT)],
            root=str(root),
            address=pod.manifest["status"]["podIP"],
            gateway=self._ranges.machine,
            nameserver=self._ranges.machine,
            joins=first.pid if first else 0,
        )
        path = pod.folder / f"{container['name']}.json"
        spec.write(path)
        name = f"{self._plane.name}-{meta['namespace']}-{meta['name']}-{container['name']}"
        return self._plane.processes.run(name, [sys.executable, "-m", "e2e.lab.sandbox", str(path)])

    def _environment(self, pod: Manifest, container: Manifest) -> dict[str, str]:
        host, _, port = self._plane.url.rpartition("/")[2].partition(":")
        del host  # the pod is not on the machine that 127.0.0.1 means
        found = {
            "PATH": "/usr/bin:/bin",
            "HOME": "/tmp",  # noqa: S108 - the container's own
            "KUBERNETES_SERVICE_HOST": self._ranges.machine,
            "KUBERNETES_SERVICE_PORT": port,
        }
        for each in container.get("env", ()):
            if "value" in each:
                found[each["name"]] = _expanded(each["value"], found)
            elif "fieldRef" in each.get("valueFrom", {}):
                found[each["name"]] = _field(pod, each["valueFrom"]["fieldRef"]["fieldPath"])
        return found

    def _write_volumes(self, pod: _Pod) -> dict[str, Path]:
        """Each volume's folder with what its Secret or ConfigMap holds now; raises where that is not there."""
        meta, found = pod.manifest["metadata"], {}
        for volume in pod.manifest["spec"].get("volumes", ()):
            folder = pod.folder / "volumes" / volume["name"]
            folder.mkdir(parents=True, exist_ok=True)
            for key, value in self._contents(meta["namespace"], volume).items():
                _replace(folder / key, value)
            found[volume["name"]] = folder
        found[_ACCOUNT] = self._account(pod)
        return found

    def _contents(self, namespace: str, volume: Manifest) -> dict[str, bytes]:
        sources = [volume, *volume.get("projected", {}).get("sources", ())]
        contents: dict[str, bytes] = {}
        for source in sources:
            if "secret" in source:
                name = source["secret"].get("secretName") or source["secret"]["name"]
                found = self._plane.api.get(_named("Secret", namespace, name))
                contents |= {key: base64.b64decode(value) for key, value in found.get("data", {}).items()}
            if "configMap" in source:
                found = self._plane.api.get(_named("ConfigMap", namespace, source["configMap"]["name"]))
                contents |= {key: value.encode() for key, value in found.get("data", {}).items()}
            if "serviceAccountToken" in source:
                asked = source["serviceAccountToken"]
                contents[asked["path"]] = b""  # written by _account where a program asks for it
        return contents

    def _account(self, pod: _Pod) -> Path:
        folder = pod.folder / "account"
        if not folder.exists():
            namespace = pod.manifest["metadata"]["namespace"]
            given = token(self._plane.api, namespace, pod.manifest["spec"].get("serviceAccountName", "default"))
            folder.mkdir(parents=True)
            _replace(folder / "token", given.encode())
            _replace(folder / "namespace", namespace.encode())
            _replace(folder / "ca.crt", (self._plane.folder / "serving" / "ca.crt").read_bytes())
        return folder


def _program(container: Manifest) -> str:
    return PROGRAMS.get(without_tag(container["image"]), "")


def _mounts(container: Manifest, volumes: Mapping[str, Path]) -> list[tuple[str, str]]:
    found = []
    for mount in container.get("volumeMounts", ()):
        source = volumes[mount["name"]] / mount.get("subPath", "")
        found.append((str(source), mount["mountPath"]))
    return found


def _expanded(text: str, environment: Mapping[str, str]) -> str:
    return re.sub(r"\$\(([A-Za-z_][A-Za-z0-9_]*)\)", lambda found: environment.get(found[1], found[0]), text)


def _field(pod: Manifest, path: str) -> str:
    """A field of the pod by its path, such as metadata.name or metadata.labels['app']."""
    if found := re.fullmatch(r"metadata\.(labels|annotations)\['(.+)'\]", path):
        return str(pod["metadata"].get(found[1], {}).get(found[2], ""))
    value: object = pod
    for part in path.split("."):
        value = value.get(part, "") if isinstance(value, dict) else ""
    return str(value)


def _named(kind: str, namespace: str, name: str) -> Manifest:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"namespace": namespace, "name": name}}


def _replace(path: Path, content: bytes) -> None:
    if path.exists() and path.read_bytes() == content:
        return
    fresh = path.with_name(f".{path.name}.fresh")
    fresh.write_bytes(content)
    fresh.chmod(0o600)
    fresh.rename(path)
