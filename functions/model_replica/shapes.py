"""Which workload an engine becomes, by the role of its head. A new shape is a function and a row of `BY_HEAD`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from model_replica import pods
from model_replica.read import Engine, Replica
from modelplane.contract import labels, names, ports
from modelplane.remote import object as remote


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of workload.

    Args:
        kind: in words of its composition key and its hashed name, so that an engine that changes its shape gets another
            Object: one whose manifest changes its kind would forget the workload that it made, GPUs and all.
        name_limit: the most characters of the workload's name.
        readiness: when the Object counts as Ready.
        available: the field of the workload's status that counts the copies that can serve.
        write: the workload of that name.
    """

    kind: str
    name_limit: int
    readiness: remote.Readiness
    available: str
    write: Callable[[Replica, Engine, str], dict[str, Any]]

    def key(self, engine: Engine) -> str:
        """The composition key of the engine's workload."""
        return f"{self.kind}-{engine.name}"

    def name(self, replica: Replica, engine: Engine) -> str:
        """The name of the engine's workload on its cluster."""
        return names.name(replica.name, engine.name, hidden=(self.kind,), limit=self.name_limit)


def _deployment(replica: Replica, engine: Engine, name: str) -> dict[str, Any]:
    selector = {labels.WORKLOAD: name}
    # The variables of a gang of one, so that one command works in every shape.
    env = {ports.LEADER_ADDRESS: "localhost", ports.RANK: "0"}
    managed = {labels.SERVING: names.label(replica.name), **selector}
    spec = {
        "replicas": engine.copies,
        "selector": {"matchLabels": selector},
        "strategy": _strategy(engine.copies),
        "template": pods.template(replica, engine, engine.head, env=env, managed=managed),
    }
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": _metadata(replica, name), "spec": spec}


def _strategy(copies: int) -> dict[str, Any]:
    """How pods are replaced: never with a surge, whose pod would wait for devices that the old one holds.

    One copy is recreated: with one unavailable pod allowed, a Deployment of one would count as Available with none.
    """
    if copies == 1:
        return {"type": "Recreate"}
    return {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}}


def _gang(replica: Replica, engine: Engine, name: str) -> dict[str, Any]:
    # LeaderWorkerSet puts its own variables before these, so that the references resolve.
    env = {ports.LEADER_ADDRESS: "$(LWS_LEADER_ADDRESS)", ports.RANK: "$(LWS_WORKER_INDEX)"}
    managed = {labels.SERVING: names.label(replica.name), labels.LWS_ROLE: "leader"}
    worker = engine.worker
    if worker is None:
        msg = f"engine {engine.name} has no worker"
        raise ValueError(msg)
    group = {
        "size": 1 + worker.followers,
        "leaderTemplate": pods.template(replica, engine, engine.head, env=env, managed=managed),
        "workerTemplate": pods.template(replica, engine, worker, env=env, managed=None),
    }
    return {
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": _metadata(replica, name),
        "spec": {"replicas": engine.copies, "leaderWorkerTemplate": group},
    }


def _metadata(replica: Replica, name: str) -> dict[str, str]:
    return {"name": name, "namespace": names.tenant_namespace(replica.namespace)}


BY_HEAD: Final[Mapping[str, Shape]] = MappingProxyType(
    {
        "Standalone": Shape("deployment", names.LABEL, remote.DEPLOYMENT_AVAILABLE, "availableReplicas", _deployment),
        "Leader": Shape("gang", names.LEADER_WORKER_SET, remote.GANG_AVAILABLE, "readyReplicas", _gang),
    }
)


def of(engine: Engine) -> Shape:
    """The shape of an engine."""
    return BY_HEAD[engine.head.role]


def is_workload(key: str) -> bool:
    """Whether a composition key is that of a workload, of whichever shape and engine."""
    return key.startswith(tuple(f"{shape.kind}-" for shape in BY_HEAD.values()))
