"""What a story is told with: what a person does with kubectl, waits with a limit, and the moments to print."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from e2e.lab.lab import Lab
from e2e.lab.objects import Manifest, condition, is_true, label, read_manifests
from e2e.lab.process import NotReadyError
from e2e.lab.watch import Timeline

EXAMPLES = Path(__file__).parents[2] / "examples"
GROUP = "modelplane.ai/v1alpha1"
_POLL_S = 0.1
#: What all waits and limits are multiplied by, for a machine that has other things to do.
PATIENCE = float(os.environ.get("LAB_PATIENCE", "1"))


class Story:
    """A lab, and the story that is told on it."""

    def __init__(self, title: str, lab: Lab) -> None:
        self.lab = lab
        self.api = lab.api
        self.timeline = Timeline(title)

    def apply(self, *manifests: Manifest) -> None:
        """`kubectl apply --server-side`."""
        for each in manifests:
            self.api.apply(each)

    def apply_file(self, path: str) -> list[Manifest]:
        """`kubectl apply -f` of a file of the examples; its objects."""
        found = read_manifests(EXAMPLES / path)
        self.apply(*found)
        return found

    def get(self, kind: str, name: str, namespace: str = "") -> Manifest | None:
        """`kubectl get`."""
        return self.api.find(named(kind, name, namespace))

    def patch(self, kind: str, name: str, spec: Manifest, namespace: str = "") -> None:
        """`kubectl patch --type merge` of the spec."""
        self.api.merge(named(kind, name, namespace), {"spec": spec})

    def wait(self, kind: str, name: str, condition_type: str, *, namespace: str = "", timeout_s: float) -> Manifest:
        """`kubectl wait --for=condition=...`; the object then."""
        return self.api.wait(named(kind, name, namespace), condition_type, timeout_s * PATIENCE)

    def until(self, what: str, holds: Callable[[], bool], timeout_s: float) -> float:
        """Waits for anything else, and marks the moment; how long it took in seconds.

        Raises:
            NotReadyError: it did not come to hold; the message has the state of the fleet.
        """
        began = time.monotonic()
        while not holds():
            if time.monotonic() - began > timeout_s * PATIENCE:
                msg = f"{what}: not within {timeout_s:g} s\n{self.timeline}\n{self.state()}"
                raise NotReadyError(msg)
            time.sleep(_POLL_S)
        took = time.monotonic() - began
        self.timeline.mark(f"{what} ({took:.1f} s)")
        return took

    def within(self, what: str, took_s: float, limit_s: float) -> None:
        """Holds a figure that has to be reached against its limit.

        Raises:
            AssertionError: it took longer.
        """
        assert took_s <= limit_s * PATIENCE, f"{what} took {took_s:.1f} s; the limit is {limit_s:g} s"

    def replicas(self, deployment: str = "", namespace: str = "") -> list[Manifest]:
        """The ModelReplicas, of one deployment or of all."""
        labels = f"modelplane.ai/deployment={deployment}" if deployment else ""
        return self.api.list(GROUP, "ModelReplica", namespace, labels)

    def placed(self, deployment: str, namespace: str) -> dict[str, str]:
        """The uid of each replica that is there for good, by its cluster; two on one cluster are joined by a comma."""
        found: dict[str, str] = {}
        for each in self.replicas(deployment, namespace):
            if "deletionTimestamp" not in each["metadata"]:
                cluster = each["spec"]["clusterName"]
                found[cluster] = ",".join(filter(None, (found.get(cluster), each["metadata"]["uid"])))
        return found

    def managed(self) -> list[Manifest]:
        """What the providers keep on workload clusters."""
        kinds = (("kubernetes.m.crossplane.io/v1alpha1", "Object"), ("helm.m.crossplane.io/v1beta1", "Release"))
        return [each for version, kind in kinds for each in self.api.list(version, kind)]

    def state(self) -> str:
        """The conditions of everything of ours, for the message of a failure."""
        lines = []
        for kind in ("InferenceCluster", "ModelDeployment", "ModelReplica", "ModelEndpoint"):
            for each in self.api.list(GROUP, kind):
                lines.append(label(each))
                lines += [f"    {one_line(found)}" for found in each.get("status", {}).get("conditions", ())]
        for each in self.managed():
            going = "deletionTimestamp" in each["metadata"]
            if going or not is_true(each, "Ready") or not is_true(each, "Synced"):
                lines.append(f"{label(each)}{' (being deleted)' if going else ''}")
                lines += [f"    {one_line(found)}" for found in each.get("status", {}).get("conditions", ())]
        return "\n".join(lines)


def named(kind: str, name: str, namespace: str = "") -> Manifest:
    """The identity of one of our objects."""
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": GROUP, "kind": kind, "metadata": metadata}


def one_line(found: Manifest) -> str:
    """A condition as one line."""
    words = [f"{found['type']}={found['status']}", found.get("reason", ""), found.get("message", "")[:300]]
    return " ".join(word for word in words if word)


def message(obj: Manifest | None, kind: str) -> str:
    """The message of one condition."""
    found = [each for each in (obj or {}).get("status", {}).get("conditions", ()) if each["type"] == kind]
    return str(found[0].get("message", "")) if found else ""


def reason(obj: Manifest | None, kind: str) -> tuple[str, str]:
    """Status and reason of one condition."""
    return condition(obj, kind)


@contextmanager
def told(title: str, lab: Lab) -> Iterator[Story]:
    """A story whose timeline is printed at its end, however it ends."""
    story = Story(title, lab)
    try:
        yield story
    finally:
        print(f"\n{story.timeline}", flush=True)
