"""Condition types, each with the closed list of its reasons; the XRDs' tables are compared with these by a test.

A reason fixes the condition's status, so no code can set ``True`` with a reason that means trouble. Polarity is
positive throughout: ``True`` is what a user wants to see, and partial is not ``True``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Status = Literal["True", "False", "Unknown"]


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason of a condition: the status that it stands for, what it means, and what a user does about it."""

    name: str
    status: Status
    means: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition with its status derived from the reason; `message` is one sentence with the numbers in it."""

    type: str
    status: Status
    reason: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class ConditionType:
    """A condition type and all its reasons, in the order of the XRD's table."""

    type: str
    reasons: tuple[Reason, ...]

    def __call__(self, reason: str, message: str = "") -> Condition:
        """The condition with this reason.

        Raises:
            ValueError: the reason is not declared for this type.
        """
        for known in self.reasons:
            if known.name == reason:
                return Condition(self.type, known.status, reason, message)
        msg = f"{self.type} has no reason {reason!r}; declared are {[r.name for r in self.reasons]}"
        raise ValueError(msg)


def _true(name: str, means: str, remedy: str = "") -> Reason:
    return Reason(name, "True", means, remedy)


def _false(name: str, means: str, remedy: str) -> Reason:
    return Reason(name, "False", means, remedy)


def _unknown(name: str, means: str, remedy: str) -> Reason:
    return Reason(name, "Unknown", means, remedy)


# --- ModelDeployment

MODEL_CACHE_RESOLVED: Final = ConditionType(
    "ModelCacheResolved",
    (
        _true("ModelCacheResolved", "The ModelCache named by modelCacheRef was found."),
        _false("ModelCacheUnresolved", "The ModelCache has not been fetched yet.", "Wait; it is read within seconds."),
        _false(
            "ModelCacheNotFound",
            "No ModelCache of that name is in the deployment's namespace; what runs stays, nothing new is placed.",
            "Create the ModelCache, or correct spec.template.spec.modelCacheRef.name.",
        ),
    ),
)

REPLICAS_SCHEDULED: Final = ConditionType(
    "ReplicasScheduled",
    (
        _true("ReplicasCreated", "Every wanted replica has a cluster."),
        _true("ScaledToZero", "spec.replicas is 0: the deployment is parked."),
        _unknown("FleetUnresolved", "The clusters and replicas have not been fetched yet.", "Wait; it takes seconds."),
        _false("Scheduling", "Replicas were given clusters; their objects are being created.", "Wait."),
        _false(
            "PartiallyScheduled",
            "Some wanted replicas have no cluster; the message counts them, status.refusals says why.",
            "Free or add what the refusals name, or lower spec.replicas.",
        ),
        _false(
            "InsufficientCapacity",
            "No replica fits: the hardware exists, but not enough of it is free.",
            "Add nodes, scale other deployments down, or ask for less.",
        ),
        _false(
            "NoMatchingDevices",
            "No pool has devices that meet the device requests, even when empty.",
            "Compare the selectors with the InferenceClusters' status.gpuPools; the message names the clause.",
        ),
        _false(
            "ClustersUnavailable",
            "The clusters that could serve are not Ready, have no gateway address, are tainted, or are being deleted.",
            "See status.refusals; tolerate the taint, or mend the cluster.",
        ),
        _false(
            "NoMatchingClusters",
            "No InferenceCluster has the labels that clusterSelector and the cache ask for.",
            "Correct the labels in clusterSelector, in the ModelCache, or on the InferenceClusters.",
        ),
        _false(
            "ConflictingSelectors",
            "clusterSelector and the ModelCache's clusterSelector ask for different values of one label.",
            "Make the two agree on the label that the message names.",
        ),
        _false("NoClusters", "The fleet has no InferenceCluster.", "Create an InferenceCluster."),
        _false(
            "InvalidNodeSelector",
            "A device selector does not compile, so nothing is placed; what runs stays as it is.",
            "Correct the CEL expression at the field, line and column that the message names.",
        ),
        _false(
            "PlacementHeld",
            "Placement waits for an input that the message names, such as a ModelCache that does not exist.",
            "Create what is missing, or remove the reference to it.",
        ),
        _false(
            "Paused",
            "spec.paused is true and the placement is not what spec asks for.",
            "Set spec.paused to false to let placement go on.",
        ),
    ),
)

REPLICAS_CURRENT: Final = ConditionType(
    "ReplicasCurrent",
    (
        _true("AllCurrent", "Every placed replica has the shape and template of the spec."),
        _false(
            "GrowthBlocked",
            "A placed replica keeps its former shape, because the wanted one needs more than is free beside it.",
            "Free or add the nodes that the message counts, or undo the growth.",
        ),
        _false("Paused", "spec.paused is true, so edits do not reach the replicas.", "Set spec.paused to false."),
        _false("InvalidNodeSelector", "The spec cannot be applied while a selector does not compile.", "Correct it."),
        _unknown("FleetUnresolved", "The clusters and replicas have not been fetched yet.", "Wait; it takes seconds."),
    ),
)

REPLICAS_READY: Final = ConditionType(
    "ReplicasReady",
    (
        _true("AllReplicasReady", "Every wanted replica is Ready."),
        _true("ScaledToZero", "spec.replicas is 0: no replica is wanted."),
        _false("NoReplicasScheduled", "No replica has a cluster.", "See ReplicasScheduled."),
        _false(
            "ModelStarting",
            "Fewer replicas are Ready than wanted; the message has both numbers.",
            "See the ModelReplicas' conditions.",
        ),
        _false(
            "ReplicasTerminating",
            "Replicas that are no longer wanted have not gone yet.",
            "Wait; see the ModelReplicas.",
        ),
    ),
)

# --- ModelReplica

MODEL_ACCEPTED: Final = ConditionType(
    "ModelAccepted",
    (
        _true("Accepted", "Every workload exists on its cluster."),
        _false(
            "Deploying",
            "Some workload is not on its cluster yet; the message counts.",
            "Wait; see the Objects' conditions.",
        ),
        _false(
            "WaitingForCluster",
            "The InferenceCluster is missing or not connected; what runs is kept.",
            "See the InferenceCluster.",
        ),
        _false(
            "InvalidTemplate",
            "An engine's template cannot be rendered; what runs is kept.",
            "Correct the field that the message names.",
        ),
    ),
)

MODEL_READY: Final = ConditionType(
    "ModelReady",
    (
        _true("Serving", "Every workload is available."),
        _false(
            "ModelStarting",
            "The workloads exist and are not all available; the message counts.",
            "Wait; look at the engine's pods.",
        ),
        _false("WaitingForModel", "Not every workload exists yet.", "See ModelAccepted."),
    ),
)

SERVED: Final = ConditionType(
    "Served",
    (
        _true("HasServed", "The replica was Ready at least once; it never yields its nodes to another."),
        _false("NeverServed", "The replica was never Ready; it yields when a pool was promised twice.", "None needed."),
    ),
)

# --- ModelEndpoint

ENDPOINT_ROUTING_READY: Final = ConditionType(
    "RoutingReady",
    (
        _true("BackendConfigured", "The Service and its EndpointSlice exist."),
        _false("WaitingForBackend", "The Service or its EndpointSlice does not exist yet.", "Wait."),
        _false(
            "InvalidURL",
            "spec.url cannot be routed to; what routes now is kept.",
            "Correct spec.url as the message says.",
        ),
    ),
)

# --- InferenceClass

CLASS_ACCEPTED: Final = ConditionType(
    "Accepted",
    (
        _true("Available", "InferenceClusters may use the class."),
        _false(
            "InvalidDevice",
            "A device's attribute or capacity has no valid value.",
            "Correct the field that the message names.",
        ),
    ),
)

# --- InferenceCluster

CLUSTER_READY: Final = ConditionType(
    "ClusterReady",
    (
        _true("ClusterRunning", "The cluster exists and its credentials are known."),
        _unknown("ClassesUnresolved", "The InferenceClasses have not been fetched yet.", "Wait; it takes seconds."),
        _false(
            "WaitingForClasses",
            "An InferenceClass that a pool names does not exist; pools that were published stay published.",
            "Create the InferenceClass, or correct nodePools[].className.",
        ),
        _false(
            "InvalidNodePool", "A pool contradicts its class or its source; the message names it.", "Correct the pool."
        ),
        _false("Provisioning", "The cloud cluster is being made.", "Wait; see the cluster resource of the cloud."),
        _false(
            "SourceNotSupported",
            "This version of Modelplane does not provision clusters of this source yet; what exists is kept.",
            "Use source Existing with a kubeconfig Secret.",
        ),
    ),
)

BACKEND_READY: Final = ConditionType(
    "BackendReady",
    (
        _true("BackendHealthy", "The serving stack is Ready and the gateway has an address."),
        _false(
            "Installing",
            "The serving stack is being installed, or its gateway has no address yet.",
            "Wait; see the ServingStack.",
        ),
        _false("WaitingForCluster", "The cluster is not ready, so nothing is installed.", "See ClusterReady."),
    ),
)

# --- ServingStack

GATEWAY_READY: Final = ConditionType(
    "GatewayReady",
    (
        _true("AddressAssigned", "The cluster's gateway has an address."),
        _false(
            "WaitingForAddress",
            "The gateway has no address yet.",
            "Wait; if it lasts, check that the cluster serves Services of type LoadBalancer.",
        ),
        _false("Connecting", "The provider configs or the gateway's objects do not exist yet.", "Wait."),
    ),
)

# --- ModelService, ModelCache, InferenceGateway: their functions come later, and say so

SUPPORTED: Final = ConditionType(
    "Supported",
    (
        _false(
            "NotSupportedYet",
            "This version of Modelplane accepts the kind and does not act on it yet; what exists is kept.",
            "Upgrade Modelplane when a version that serves the kind is released.",
        ),
    ),
)

#: The condition types of each kind that is served, in the order of the XRD's table.
BY_KIND: Final[dict[str, tuple[ConditionType, ...]]] = {
    "ModelDeployment": (MODEL_CACHE_RESOLVED, REPLICAS_SCHEDULED, REPLICAS_CURRENT, REPLICAS_READY),
    "ModelReplica": (MODEL_ACCEPTED, MODEL_READY, SERVED),
    "ModelEndpoint": (ENDPOINT_ROUTING_READY,),
    "ModelService": (SUPPORTED,),
    "ModelCache": (SUPPORTED,),
    "InferenceGateway": (SUPPORTED,),
    "InferenceClass": (CLASS_ACCEPTED,),
    "InferenceCluster": (CLUSTER_READY, BACKEND_READY),
    "ServingStack": (GATEWAY_READY,),
}
