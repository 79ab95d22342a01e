"""Users of a control plane: a service account with a token of its own, bound to roles that a person would apply."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from e2e.lab.api import Api
from e2e.lab.control_plane import ControlPlane
from e2e.lab.objects import Manifest

_HOURS = 24


def account(plane: ControlPlane, namespace: str, name: str, roles: tuple[str, ...] = ()) -> str:
    """Makes the service account, binds the cluster roles to it everywhere, and returns a token that lasts the lab."""
    plane.namespace(namespace)
    identity: Manifest = {"namespace": namespace, "name": name}
    plane.api.apply({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": identity})
    for role in roles:
        bind(plane.api, role, identity)
    return token(plane.api, namespace, name)


def token(api: Api, namespace: str, name: str) -> str:
    """A token of a service account that exists, good for the life of a lab."""
    asked: Manifest = {
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "TokenRequest",
        "metadata": {},
        "spec": {"expirationSeconds": _HOURS * 3600},
    }
    return str(api.token(namespace, name, asked)["status"]["token"])


def bind(api: Api, role: str, account_of: Mapping[str, str]) -> None:
    """Binds a ClusterRole to a service account in every namespace."""
    reference = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role}
    binding: Manifest = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": f"{account_of['namespace']}:{account_of['name']}:{role}"},
        "roleRef": reference,
        "subjects": [{"kind": "ServiceAccount", **account_of}],
    }
    api.apply(binding)


def kubeconfig(plane: ControlPlane, path: Path, token: str) -> Path:
    """Writes the administrator's kubeconfig with another user's token."""
    config = json.loads(plane.kubeconfig.read_text())
    config["users"][0]["user"] = {"token": token}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(config, indent=1))
    path.chmod(0o600)
    return path
