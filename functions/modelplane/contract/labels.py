"""Labels and annotations, the API groups, and the fixed names of namespaces and objects."""

from __future__ import annotations

from typing import Final

GROUP: Final = "modelplane.ai"
API_VERSION: Final = "modelplane.ai/v1alpha1"
INFRASTRUCTURE_API_VERSION: Final = "infrastructure.modelplane.ai/v1alpha1"

#: Users may not set labels under this prefix on what a deployment composes.
RESERVED_PREFIX: Final = "modelplane.ai/"

DEPLOYMENT: Final = "modelplane.ai/deployment"
CLUSTER: Final = "modelplane.ai/cluster"
REPLICA_INDEX: Final = "modelplane.ai/replica-index"
POOL: Final = "modelplane.ai/pool"
#: Annotation of a ModelReplica: which device requests were current when its spec was last written.
ASKED: Final = "modelplane.ai/asked"
#: On serving pods: the ModelReplica's name; the InferencePool and users' PodMonitors select on it.
SERVING: Final = "modelplane.ai/serving"
#: On the pods of one workload: its name; the Deployment's selector.
WORKLOAD: Final = "modelplane.ai/workload"
LWS_ROLE: Final = "modelplane.ai/lws-role"
#: On remote namespaces: the tenant (control plane namespace) that it belongs to.
TENANT: Final = "modelplane.ai/tenant"
RESOURCE: Final = "modelplane.ai/resource"
USAGE_CONSUMER: Final = "modelplane.ai/usage-consumer"

#: The control plane namespace of cluster internals, and the workload cluster's namespace of the gateway.
SYSTEM_NAMESPACE: Final = "modelplane-system"
GATEWAY: Final = "inference-gateway"
