"""A workload cluster: a control plane with the real scheduler and DRA, and nodes whose kubelets are pretended."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from e2e.lab.control_plane import ControlPlane
from e2e.lab.fleet import Node, device_classes, node_objects, node_status
from e2e.lab.network import Ranges
from e2e.lab.objects import Manifest
from e2e.lab.process import Process, Processes, free_ports
from e2e.lab.runtime import Runtime

_STAGES = Path(__file__).with_name("stages.yaml")
#: What has nothing to do here costs memory and a watch each.
_CONTROLLERS = ("*", "-node-route-controller", "-service-lb-controller", "-cloud-node-lifecycle-controller")


class Cluster:
    """One workload cluster. From outside it is reached by its uplink alone."""

    def __init__(
        self,
        name: str,
        index: int,
        processes: Processes,
        programs: Mapping[str, Path],
        nodes: Sequence[Node],
        *,
        real: bool,
    ) -> None:
        """Starts everything and returns when its nodes are there with their devices.

        `real`: addresses of pods can be reached, so the programs of known images run.
        """
        self.name = name
        self.ranges = Ranges.of(index)
        flags = {
            "service_cluster_ip_range": self.ranges.services,
            "enable_aggregator_routing": "true",  # webhooks are called at their pods' addresses, so none needs a proxy
        }
        hosts = (self.ranges.machine,) if real else ()
        self.plane = ControlPlane(name, processes, programs, _CONTROLLERS, api_server_flags=flags, hosts=hosts)
        self.api = self.plane.api
        self._programs = programs
        self._state = self.plane.folder / "uplink.state"
        self._nodes: dict[str, Node] = {}
        self.scheduler = self._start_scheduler()
        self.kubelets = self._start_kubelets()
        self.reopen()
        self._uplink_port = free_ports(1)[0]
        self.uplink = self._start_uplink()
        for node in nodes:
            self.join(node)
        self.runtime = Runtime(self.plane, self.ranges, programs) if real else None

    def stop(self) -> None:
        """Starts no program any more; the lab ends those that run."""
        if self.runtime is not None:
            self.runtime.stop()
        self.plane.close()

    @property
    def processes(self) -> dict[str, Process]:
        """The parts that a fault can hit, by name."""
        plane = self.plane
        return {
            "etcd": plane.etcd,
            "kube-apiserver": plane.api_server,
            "kube-controller-manager": plane.controller_manager,
            "kube-scheduler": self.scheduler,
            "kubelets": self.kubelets,
            "uplink": self.uplink,
        }

    def kubeconfig(self, token: str = "") -> str:
        """The kubeconfig for use from outside, of the administrator or of whom the token names."""
        config = json.loads(self.plane.kubeconfig.read_text())
        authority = (self.plane.folder / "serving" / "ca.crt").read_bytes()
        cluster = config["clusters"][0]["cluster"]
        del cluster["certificate-authority"]
        cluster["server"] = f"https://127.0.0.1:{self._uplink_port}"
        cluster["certificate-authority-data"] = _base64(authority)
        if token:
            config["users"][0]["user"]["token"] = token
        return json.dumps(config, indent=1)

    def join(self, node: Node) -> str:
        """Adds a node with its devices; its name."""
        name = f"{self.name}-{len(self._nodes)}"
        address = f"{self.ranges.nodes}{len(self._nodes) + 1}"
        self._nodes[name] = node
        for each in device_classes({name: node}):
            self.api.apply(each)
        for each in node_objects(name, node):
            self.api.apply(each)
        self.api.set_status(_node(name), node_status(address))
        return name

    def leave(self, name: str) -> None:
        """Removes a node for good, its devices and its pods with it."""
        del self._nodes[name]
        for each in self.api.list("resource.k8s.io/v1", "ResourceSlice"):
            if each["spec"].get("nodeName") == name:
                self.api.delete(each)
        self.api.delete(_node(name))

    def cut(self) -> None:
        """Partition: what is sent from outside is lost without an answer, until `reopen`."""
        self._state.write_text("cut")

    def slow(self, seconds: float) -> None:
        """Each answer to the outside takes so much longer."""
        self._state.write_text(f"slow {seconds:g}")

    def reopen(self) -> None:
        """Ends `cut` and `slow`."""
        self._state.write_text("open")

    def _start_scheduler(self) -> Process:
        argv = [
            str(self._programs["kube-scheduler"]),
            f"--kubeconfig={self.plane.kubeconfig}",
            f"--authentication-kubeconfig={self.plane.kubeconfig}",
            f"--authorization-kubeconfig={self.plane.kubeconfig}",
            "--leader-elect=false",
            "--secure-port=0",
            "--profiling=false",
        ]
        return self.plane.processes.run(f"{self.name}-kube-scheduler", argv)

    def _start_kubelets(self) -> Process:
        argv = [
            str(self._programs["kwok"]),
            f"--kubeconfig={self.plane.kubeconfig}",
            f"--config={_STAGES}",
            f"--cidr={self.ranges.pods}",
            f"--node-ip={self.ranges.nodes}254",
            "--manage-all-nodes",
            "--node-lease-duration-seconds=40",
        ]
        return self.plane.processes.run(f"{self.name}-kubelets", argv)

    def _start_uplink(self) -> Process:
        target = self.plane.url.rpartition(":")[2]
        argv = [sys.executable, "-m", "e2e.lab.uplink", str(self._uplink_port), target, str(self._state)]
        return self.plane.processes.run(f"{self.name}-uplink", argv)


def _node(name: str) -> Manifest:
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}}


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()
