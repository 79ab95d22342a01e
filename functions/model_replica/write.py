"""What a replica becomes on its cluster, by composition key."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from model_replica import claims, shapes
from model_replica.read import Engine, Replica
from modelplane.contract import labels, names
from modelplane.remote import object as remote
from modelplane.remote.config import ConfigRef

TENANT: Final = "tenant-namespace"


@dataclass(frozen=True, slots=True)
class Workload:
    """An engine's workload: its key, its Object, and how many copies are wanted."""

    key: str
    manifest: dict[str, Any]
    engine: Engine
    available: str


def tenant(replica: Replica, config: ConfigRef) -> dict[str, Any]:
    """The Object of the tenant's namespace. It is never deleted with a replica: the tenant's others live there too."""
    metadata = {"name": names.tenant_namespace(replica.namespace), "labels": {labels.TENANT: replica.namespace}}
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}
    return remote.wrap(namespace, config, policies=remote.ORPHAN)


def workloads(replica: Replica, config: ConfigRef) -> Iterator[Workload]:
    """One workload for each engine, in the order of the spec."""
    for engine in replica.engines:
        shape = shapes.of(engine)
        manifest = shape.write(replica, engine, shape.name(replica, engine))
        wrapped = remote.wrap(manifest, config, readiness=shape.readiness)
        yield Workload(shape.key(engine), wrapped, engine, shape.available)


def claim_templates(replica: Replica, config: ConfigRef) -> Iterator[tuple[str, dict[str, Any]]]:
    """Key and Object of a claim template for each member that claims devices."""
    for engine in replica.engines:
        for member in engine.members:
            if member.requests:
                manifest = claims.write(replica, engine, member)
                yield claims.key(replica, engine, member), remote.wrap(manifest, config)
