"""A Kubernetes control plane as three processes on loopback: etcd, kube-apiserver, kube-controller-manager."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from pathlib import Path

from e2e.lab.api import Api
from e2e.lab.objects import Manifest
from e2e.lab.pki import Authority, new_key, private_pem
from e2e.lab.process import Process, Processes, free_ports

#: Enough where no node and no pod exists; `*` has all of them.
ENGINE_CONTROLLERS = (
    "clusterrole-aggregation-controller",
    "garbage-collector-controller",
    "namespace-controller",
    "serviceaccount-controller",
)
_ALL = "0.0.0.0"  # noqa: S104 - only where the lab has a network of its own


class ControlPlane:
    """One control plane. Its user is a member of system:masters; others come by their own tokens."""

    def __init__(
        self,
        name: str,
        processes: Processes,
        programs: Mapping[str, Path],
        controllers: tuple[str, ...] = ("*",),
        *,
        api_server_flags: Mapping[str, str] | None = None,
        hosts: tuple[str, ...] = (),
    ) -> None:
        """Starts everything at once and returns when the API server is ready and namespaces have their accounts.

        `api_server_flags` come on top of ours and win; `_` stands for `-` in their names. `hosts` are addresses at
        which the API server answers beside loopback.
        """
        self.name = name
        self.folder = processes.folder / name
        self.folder.mkdir(parents=True)
        self.processes = processes
        self._programs = programs
        self._hosts = ("127.0.0.1", "localhost", *hosts)
        self._api_server_flags = {**({"bind_address": _ALL} if hosts else {}), **(api_server_flags or {})}
        self._client_port, self._peer_port, self._port = free_ports(3)
        self.url = f"https://127.0.0.1:{self._port}"
        self._token = secrets.token_hex(16)
        self._write_files()
        self.etcd = self._start_etcd()
        self.api_server = self._start_api_server()
        self.api = Api(self.url, self._token, self.folder / "serving" / "ca.crt")
        self.api_server.wait(self.api.healthy)
        self.controller_manager = self._start_controller_manager(controllers)
        account: Manifest = {
            "apiVersion": "v1",
            "kind": "ServiceAccount",
            "metadata": {"namespace": "default", "name": "default"},
        }
        self.controller_manager.wait(lambda: self.api.find(account) is not None)

    @property
    def kubeconfig(self) -> Path:
        """A kubeconfig of its administrator."""
        return self.folder / "kubeconfig"

    def close(self) -> None:
        """Closes the connections to it; the processes end with the lab."""
        self.api.close()

    def namespace(self, name: str) -> None:
        """Makes the namespace where it does not exist."""
        self.api.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})

    def _write_files(self) -> None:
        Authority.create(f"{self.name}-ca").issue(self.folder / "serving", self.name, self._hosts)
        (self.folder / "accounts.key").write_bytes(private_pem(new_key()))
        (self.folder / "tokens.csv").write_text(f"{self._token},admin,admin,system:masters\n")
        cluster = {"server": self.url, "certificate-authority": str(self.folder / "serving" / "ca.crt")}
        config: Manifest = {  # JSON is YAML, so no writer of YAML is needed
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "admin",
            "clusters": [{"name": self.name, "cluster": cluster}],
            "users": [{"name": "admin", "user": {"token": self._token}}],
            "contexts": [{"name": "admin", "context": {"cluster": self.name, "user": "admin"}}],
        }
        self.kubeconfig.write_text(json.dumps(config, indent=1))
        for path in (self.kubeconfig, self.folder / "tokens.csv", self.folder / "accounts.key"):
            path.chmod(0o600)

    def _run(self, program: str, **flags: str) -> Process:
        argv = [str(self._programs[program]), *(f"--{k.replace('_', '-')}={v}" for k, v in flags.items())]
        return self.processes.run(f"{self.name}-{program}", argv)

    def _start_etcd(self) -> Process:
        client, peer = (f"http://127.0.0.1:{port}" for port in (self._client_port, self._peer_port))
        return self._run(
            "etcd",
            data_dir=str(self.folder / "etcd"),
            listen_client_urls=client,
            advertise_client_urls=client,
            listen_peer_urls=peer,
            initial_advertise_peer_urls=peer,
            initial_cluster=f"default={peer}",
            unsafe_no_fsync="true",  # the state lives as long as the lab, so no write waits for the disk
            log_level="warn",
        )

    def _start_api_server(self) -> Process:
        flags = {
            "etcd_servers": f"http://127.0.0.1:{self._client_port}",
            "bind_address": "127.0.0.1",
            "advertise_address": "127.0.0.1",
            "endpoint_reconciler_type": "none",  # it would publish the loopback address, which endpoints refuse
            "secure_port": str(self._port),
            "cert_dir": str(self.folder / "certificates"),
            "tls_cert_file": str(self.folder / "serving" / "tls.crt"),
            "tls_private_key_file": str(self.folder / "serving" / "tls.key"),
            "token_auth_file": str(self.folder / "tokens.csv"),
            "authorization_mode": "RBAC",
            "service_account_issuer": "https://kubernetes.default.svc",
            "service_account_key_file": str(self.folder / "accounts.key"),
            "service_account_signing_key_file": str(self.folder / "accounts.key"),
            "service_cluster_ip_range": "10.96.0.0/16",
            "profiling": "false",
        }
        return self._run("kube-apiserver", **{**flags, **self._api_server_flags})

    def _start_controller_manager(self, controllers: tuple[str, ...]) -> Process:
        return self._run(
            "kube-controller-manager",
            kubeconfig=str(self.kubeconfig),
            service_account_private_key_file=str(self.folder / "accounts.key"),
            root_ca_file=str(self.folder / "serving" / "ca.crt"),
            controllers=",".join(controllers),
            leader_elect="false",
            secure_port="0",
            profiling="false",
        )
