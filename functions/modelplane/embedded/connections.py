"""How a provider reaches a workload cluster: provider config, Secret, kubeconfig, the cluster of that server's name."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import yaml

from modelplane.embedded.cluster import WorkloadCluster
from modelplane.embedded.refusals import NotFound, Refused, Unreachable
from modelplane.embedded.store import Store
from modelplane.embedded.things import Key, Plain

IN_USE: Final = "in-use.crossplane.io"
_SUFFIX: Final = ".embedded"


@dataclass(slots=True)
class Connections:
    """Finds clusters, and holds the configs in place that are in use."""

    store: Store
    clusters: Mapping[str, WorkloadCluster]
    _users: dict[Key, set[Key]] = field(default_factory=dict)
    _uses: dict[Key, Key] = field(default_factory=dict)

    def config(self, managed: Mapping[str, Any], group: str) -> Key:
        """The key of the config that a managed resource names."""
        reference = managed["spec"].get("providerConfigRef", {"kind": "ClusterProviderConfig", "name": "default"})
        kind = reference.get("kind", "ClusterProviderConfig")
        namespace = managed["metadata"]["namespace"] if kind == "ProviderConfig" else ""
        return Key(group, kind, namespace, reference["name"])

    def connect(self, user: Key, config: Key) -> WorkloadCluster:
        """The cluster behind a config; the config then stays while the user does.

        Raises:
            NotFound: the config, its Secret or the cluster does not exist.
            Unreachable: the cluster does not answer.
        """
        found = self.store.get(config)
        self._use(user, config)
        cluster = self.clusters.get(self._server(found))
        if cluster is None:
            msg = f"{config}: no such host"
            raise Unreachable(msg)
        if not cluster.reachable:
            msg = f"dial tcp {cluster.name}{_SUFFIX}:6443: i/o timeout"
            raise Unreachable(msg)
        return cluster

    def leave(self, user: Key) -> None:
        """The user is gone: its config may go."""
        config = self._uses.pop(user, None)
        if config is not None:
            self._users[config].discard(user)
            if not self._users[config]:
                self.store.finalize(config, IN_USE, hold=False)

    def _use(self, user: Key, config: Key) -> None:
        if self._uses.get(user) != config:
            self.leave(user)
            self._uses[user] = config
            self._users.setdefault(config, set()).add(user)
        self.store.finalize(config, IN_USE, hold=True)

    def _server(self, config: Plain) -> str:
        reference = config["spec"]["credentials"]["secretRef"]
        key = Key("", "Secret", reference["namespace"], reference["name"])
        secret = self.store.get(key)
        text = secret.get("stringData", {}).get(reference["key"])
        if text is None:
            msg = f"{key} has no key {reference['key']!r}"
            raise NotFound(msg)
        try:
            return _server(text)
        except (yaml.YAMLError, KeyError, IndexError, TypeError) as error:
            msg = f"{key}: not a kubeconfig: {error}"
            raise Refused(msg) from error


@functools.cache
def _server(kubeconfig: str) -> str:
    """The name of the cluster whose API server a kubeconfig names."""
    server = yaml.safe_load(kubeconfig)["clusters"][0]["cluster"]["server"]
    return str(server).removeprefix("https://").removesuffix(f"{_SUFFIX}:6443")


def kubeconfig(cluster: str) -> str:
    """A kubeconfig for a cluster of the embedded loop."""
    server = {"name": cluster, "cluster": {"server": f"https://{cluster}{_SUFFIX}:6443"}}
    context = {"name": cluster, "context": {"cluster": cluster, "user": "modelplane"}}
    head = {"apiVersion": "v1", "kind": "Config", "current-context": cluster}
    return yaml.safe_dump({**head, "clusters": [server], "contexts": [context], "users": [{"name": "modelplane"}]})
