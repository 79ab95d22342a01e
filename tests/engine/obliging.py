"""An obliging stand-in for the providers on a real control plane: every Object and Release is done at once.

It writes what provider-kubernetes and provider-helm write to the status, and nothing else: no cluster is behind it.
"""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from e2e.lab.api import Api, RefusedError
from e2e.lab.objects import Manifest, identity

KINDS = (("kubernetes.m.crossplane.io/v1alpha1", "Object"), ("helm.m.crossplane.io/v1beta1", "Release"))
_PAUSE_S = 0.2
_GONE = 404


@contextmanager
def obliging(api: Api) -> Iterator[None]:
    """Plays the providers while the context lasts.

    Raises:
        Exception: what ended the stand-in early.
    """
    stop = threading.Event()
    failed: list[Exception] = []
    thread = threading.Thread(target=_play, args=(api, stop, failed), name="obliging", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
    if failed:
        raise failed[0]


def _play(api: Api, stop: threading.Event, failed: list[Exception]) -> None:
    try:
        while not stop.wait(_PAUSE_S):
            for api_version, kind in KINDS:
                for each in api.list(api_version, kind):
                    _serve(api, each)
    except Exception as error:  # noqa: BLE001  # handed to the test, which raises it
        failed.append(error)


def _serve(api: Api, thing: Manifest) -> None:
    generation = thing["metadata"]["generation"]
    seen = {each.get("observedGeneration") for each in thing.get("status", {}).get("conditions", ())}
    if seen == {generation} or "deletionTimestamp" in thing["metadata"]:
        return
    now = dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    reasons = {"Synced": "ReconcileSuccess", "Ready": "Available"}
    stamp = {"status": "True", "lastTransitionTime": now, "observedGeneration": generation}
    status: Manifest = {"conditions": [{"type": kind, "reason": why, **stamp} for kind, why in reasons.items()]}
    if thing["kind"] == "Object":
        status["atProvider"] = {"manifest": remote(thing)}
    try:
        api.set_status(thing, status)
    except RefusedError as refusal:
        if refusal.status != _GONE:
            raise


def remote(thing: Manifest) -> Manifest:
    """The object on the workload cluster as it is once all is well there."""
    manifest = thing["spec"]["forProvider"]["manifest"]
    meta = {"name": thing["metadata"]["name"], **manifest["metadata"], "generation": 1}
    return {**manifest, "metadata": meta, **_status(manifest)}


def _status(manifest: Manifest) -> Manifest:
    copies = manifest.get("spec", {}).get("replicas", 1)
    available: dict[str, Any] = {"type": "Available", "status": "True", "reason": "MinimumReplicasAvailable"}
    if manifest["kind"] == "Deployment":
        counts = dict.fromkeys(("replicas", "readyReplicas", "availableReplicas", "updatedReplicas"), copies)
        return {"status": {"observedGeneration": 1, **counts, "conditions": [available]}}
    if manifest["kind"] == "LeaderWorkerSet":
        return {"status": {"replicas": copies, "readyReplicas": copies, "conditions": [available]}}
    if manifest["kind"] == "Gateway":
        number = sum(map(ord, identity(manifest)[3])) % 200 + 1
        return {"status": {"addresses": [{"type": "IPAddress", "value": f"10.201.0.{number}"}]}}
    return {}
