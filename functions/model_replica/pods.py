"""What every engine pod has in common, whatever the shape of its workload."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from model_replica import claims
from model_replica.read import Engine, Member, Replica
from modelplane.contract import labels, names, ports

CONTAINER: Final = "engine"
_CLAIM: Final = "devices"
_SHM: Final = "dshm"
_CACHE: Final = "model-cache"
#: Where engines are told of a model by an option of their own; any of them means that the user chose the path.
_MODEL_OPTIONS: Final = ("--model", "--model-path")
#: GPU nodes carry this taint on most clouds.
_TOLERATION: Final = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}


def template(
    replica: Replica, engine: Engine, member: Member, *, env: Mapping[str, str], managed: Mapping[str, str] | None
) -> dict[str, Any]:
    """The pod template of a member.

    Args:
        replica: whose pods they are.
        engine: the member's engine.
        member: the member.
        env: variables of ours by name; they come first, so that the user's may refer to them.
        managed: labels of a pod that serves requests; None for one that does not.
    """
    container = _container(replica, member, env, serving=managed is not None)
    spec: dict[str, Any] = {
        "containers": [container],
        "nodeSelector": {labels.POOL: member.pool},
        "tolerations": [_TOLERATION],
        "volumes": _volumes(replica),
    }
    if member.requests:
        claim = {"name": _CLAIM, "resourceClaimTemplateName": claims.name(replica, engine, member)}
        spec["resourceClaims"] = [claim]
    if member.pull_secrets:
        spec["imagePullSecrets"] = [{"name": secret} for secret in member.pull_secrets]
    metadata = _metadata(member, managed or {})
    return {**({"metadata": metadata} if metadata else {}), "spec": spec}


def _metadata(member: Member, managed: Mapping[str, str]) -> dict[str, Any]:
    both = {"labels": {**member.labels, **managed}, "annotations": member.annotations}
    return {name: pairs for name, pairs in both.items() if pairs}


def _container(replica: Replica, member: Member, env: Mapping[str, str], *, serving: bool) -> dict[str, Any]:
    given = member.container
    made: dict[str, Any] = {"name": CONTAINER, "image": given.image, "volumeMounts": _mounts(replica)}
    if given.command:
        made["command"] = list(given.command)
    args = [*given.args, *(_model_args(replica, member) if serving else ())]
    if args:
        made["args"] = args
    # A second entry of a name would win over ours, and a gang with a wrong rank never forms.
    made["env"] = [{"name": k, "value": v} for k, v in env.items()] + [e for e in given.env if e.get("name") not in env]
    if member.requests:
        # One entry for the whole claim, however many requests it has: entries are keyed by the claim's name alone.
        made["resources"] = {"claims": [{"name": _CLAIM}]}
    if serving:
        made["ports"] = [{"name": "http", "containerPort": ports.ENGINE}]
        made["readinessProbe"] = _probe(ports.ENGINE)
    return made


def _model_args(replica: Replica, member: Member) -> tuple[str, ...]:
    """The option that points an engine at the cache, where the user has neither a command nor such an option."""
    given = member.container
    chosen = any(arg == o or arg.startswith(f"{o}=") for arg in given.args for o in _MODEL_OPTIONS)
    return (f"--model={ports.MODELS_MOUNT}",) if replica.cache and not given.command and not chosen else ()


def _probe(port: int) -> dict[str, Any]:
    """An engine's health takes about a second, so the default timeout of one second flaps."""
    return {
        "httpGet": {"path": ports.HEALTH_PATH, "port": port},
        "initialDelaySeconds": 30,
        "periodSeconds": 10,
        "timeoutSeconds": 5,
    }


def _volumes(replica: Replica) -> list[dict[str, Any]]:
    volumes: list[dict[str, Any]] = [{"name": _SHM, "emptyDir": {"medium": "Memory"}}]
    if replica.cache:
        claim = names.cache_claim(replica.namespace, replica.cache)
        volumes.append({"name": _CACHE, "persistentVolumeClaim": {"claimName": claim}})
    return volumes


def _mounts(replica: Replica) -> list[dict[str, Any]]:
    mounts: list[dict[str, Any]] = [{"name": _SHM, "mountPath": ports.SHM_MOUNT}]
    if replica.cache:
        # Read-only: the weights are shared by every engine of the tenant.
        mounts.append({"name": _CACHE, "mountPath": ports.MODELS_MOUNT, "readOnly": True})
    return mounts
