"""Whether a cluster may take a new replica, before any look at its pools: labels, deletion, health, gateway, taints."""

from __future__ import annotations

from modelplane.placement.facts import Cluster, Effect, LabelRule, Taint, Toleration
from modelplane.placement.reasons import (
    ClusterNotReady,
    ClusterTerminating,
    ConflictingLabels,
    LabelMismatch,
    NoGateway,
    Refusal,
    Tainted,
)


def conflicts(rules: tuple[LabelRule, ...]) -> tuple[Refusal, ...]:
    """A refusal for each label, in order of its key, for which the rules want different values."""
    by_key: dict[str, list[LabelRule]] = {}
    for rule in sorted(set(rules), key=lambda rule: (rule.key, rules.index(rule))):
        by_key.setdefault(rule.key, []).append(rule)
    return tuple(
        ConflictingLabels(key=key, values=tuple(r.value for r in same), sources=tuple(r.source for r in same))
        for key, same in by_key.items()
        if len({rule.value for rule in same}) > 1
    )


def mismatches(cluster: Cluster, rules: tuple[LabelRule, ...]) -> tuple[Refusal, ...]:
    """A refusal for each rule that the cluster's labels do not meet."""
    if not rules:
        return ()
    labels = dict(cluster.labels)
    return tuple(
        LabelMismatch(
            cluster=cluster.name, key=rule.key, wanted=rule.value, found=labels.get(rule.key), source=rule.source
        )
        for rule in rules
        if labels.get(rule.key) != rule.value
    )


def unavailable(cluster: Cluster, tolerations: tuple[Toleration, ...]) -> tuple[Refusal, ...]:
    """Every reason why the cluster takes nothing new at present, whatever is asked."""
    found: list[Refusal] = []
    if cluster.terminating:
        found.append(ClusterTerminating(cluster=cluster.name))
    if cluster.unready:
        found.append(ClusterNotReady(cluster=cluster.name, why=cluster.unready))
    if not cluster.gateway:
        found.append(NoGateway(cluster=cluster.name))
    found.extend(
        Tainted(cluster=cluster.name, key=taint.key, value=taint.value, effect=taint.effect)
        for taint in cluster.taints
        if not tolerated(taint, tolerations)
    )
    return tuple(found)


def untolerated(cluster: Cluster, tolerations: tuple[Toleration, ...], effect: Effect) -> Taint | None:
    """The first taint with this effect that no toleration matches."""
    for taint in cluster.taints:
        if taint.effect == effect and not tolerated(taint, tolerations):
            return taint
    return None


def tolerated(taint: Taint, tolerations: tuple[Toleration, ...]) -> bool:
    """Kubernetes' rule: some toleration has the taint's effect or none, and matches its key and value.

    Exists matches any value, and any key where it names none. Equal with an empty key matches nothing.
    """
    return any(
        toleration.effect in {"", taint.effect}
        and (
            toleration.key in {"", taint.key}
            if toleration.operator == "Exists"
            else (toleration.key, toleration.value) == (taint.key, taint.value)
        )
        for toleration in tolerations
    )
