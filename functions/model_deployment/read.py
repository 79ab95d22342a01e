"""Reads the request: the cache, and the world as placement sees it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from model_deployment import clusters, demand, keys
from model_deployment.replicas import held, stated_identity, stranger
from modelplane.contract import names
from modelplane.contract.conditions import MODEL_CACHE_RESOLVED, Condition
from modelplane.kit.seen import Answer, Child, Found, Missing, Pending, Seen, Thing
from modelplane.kit.view import NOTHING
from modelplane.placement.facts import Held, LabelRule, Owner, World

#: The names of the requirements.
CLUSTERS: Final = "clusters"
REPLICAS: Final = "all-replicas"
CACHE: Final = "cache"


@dataclass(frozen=True, slots=True)
class Cache:
    """What the deployment's ModelCache contributes: label rules, or why placement is held, and a condition.

    All empty where the deployment refers to no cache.
    """

    rules: tuple[LabelRule, ...] = ()
    hold: str = ""
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Fleet:
    """The world, the gateways' addresses by cluster, and how many replicas of the deployment are not gone yet."""

    world: World
    gateways: Mapping[str, str]
    existing: int


def cache(name: str, namespace: str, answer: Answer) -> Cache:
    """What the answer to the requirement for the ModelCache of that name means; nothing for an empty name."""
    if not name:
        return Cache()
    match answer:
        case Pending():
            text = f"ModelCache {name} has not been read yet"
            return Cache(hold=text, condition=MODEL_CACHE_RESOLVED("ModelCacheUnresolved", text))
        case Missing():
            text = f"ModelCache {name} does not exist in namespace {namespace}"
            told = f"{text}; create it, or correct spec.template.spec.modelCacheRef.name"
            return Cache(hold=text, condition=MODEL_CACHE_RESOLVED("ModelCacheNotFound", told))
        case Found((first, *_)):
            rules = demand.rules(first.spec.view("clusterSelector"), f"modelCacheRef {name}")
            return Cache(rules, condition=MODEL_CACHE_RESOLVED("ModelCacheResolved"))
        case Found():  # pragma: no cover  # the kit answers Missing where nothing was found
            return Cache()


def fleet(seen: Seen[Any], found: Iterable[Thing], replicas: Iterable[Thing]) -> Fleet:
    """The fleet of one request: the clusters found, and the replicas of all deployments.

    A composed replica counts also where the list of all replicas is too old to have it; one in both counts once.
    """
    owner = Owner(seen.composite.namespace, seen.composite.name)
    children = [child for key, child in seen.children.items() if keys.identity(key)]
    own = [_child(owner, child) for child in children]
    listed, strangers = _split(owner, replicas, frozenset(child.name for child in children))
    own.extend(listed)
    read = clusters.read(found)
    return Fleet(
        world=World(read, (*own, *_others(owner, own, strangers))),
        gateways={cluster.name: cluster.gateway for cluster in read},
        existing=len(own),
    )


def _child(owner: Owner, child: Child) -> Held:
    # By its key, not by its labels: those anyone may edit, and the key says which placement it stands for.
    cluster, index = keys.identity(child.key) or ("", 0)
    return held(child, owner, cluster, index)


def _split(owner: Owner, replicas: Iterable[Thing], children: frozenset[str]) -> tuple[list[Held], list[Thing]]:
    """The deployment's own replicas that are no children, and everybody else's."""
    label = names.label(owner.name)
    own: list[Held] = []
    others: list[Thing] = []
    for thing in replicas:
        # Through the decoded fields: this runs for every replica of the fleet.
        metadata = thing.view.fields.get("metadata", NOTHING).struct_value.fields
        if metadata.get("namespace", NOTHING).string_value != owner.namespace:
            others.append(thing)
        elif (name := thing.name) not in children:
            deployment, cluster, index = stated_identity(thing)
            # One that nobody but this deployment can have made: it is going, or the children were read too early.
            # Whatever else carries the label is charged, and is nobody's.
            if deployment == label and name == names.replica(*owner, cluster, index):
                own.append(held(thing, owner, cluster, index))
            else:
                others.append(thing)
    return own, others


def _others(owner: Owner, own: Iterable[Held], strangers: Iterable[Thing]) -> Iterator[Held]:
    """What everybody else holds.

    Races are settled where a replica of this deployment never served, and there each stranger's age and health count.
    """
    contested = {one.cluster for one in own if not (one.served or one.ready)}
    for thing in strangers:
        if contested and thing.spec.text("clusterName") in contested:
            deployment, cluster, index = stated_identity(thing)
            whose = Owner(thing.namespace, deployment)
            yield held(thing, whose if whose != owner else Owner(thing.namespace, ""), cluster, index)
        else:
            yield stranger(thing)
