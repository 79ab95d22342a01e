"""Readiness as a kubelet finds it: a pod with a probe is Ready while its address answers, and only then."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import UTC, datetime
from typing import Any

from e2e.lab.api import Api, RefusedError
from e2e.lab.objects import ENGINE, Manifest, without_tag

#: A kubelet waits as long as the pod says; here nothing is loaded, so every delay and period is at most this.
_AT_MOST_S = 1.0
_FAILURES = 3


class Probes:
    """One task for each pod with a readiness probe."""

    def __init__(self, images: frozenset[str] | None) -> None:
        """`images` are those whose programs run, without their tags; engines always do. None: no address answers.

        The probe of what does not run passes once its delay is over.
        """
        self._images = images
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._pods: dict[str, Manifest] = {}

    def follow(self, api: Api, pod: Manifest, *, gone: bool) -> None:
        """Starts, goes on with or ends the probing of a pod, as it is now."""
        uid = pod["metadata"]["uid"]
        if gone or "deletionTimestamp" in pod["metadata"]:
            self._pods.pop(uid, None)
            if task := self._tasks.pop(uid, None):
                task.cancel()
            return
        self._pods[uid] = pod
        runs = pod.get("status", {}).get("phase") == "Running"
        if runs and uid not in self._tasks and any("readinessProbe" in each for each in pod["spec"]["containers"]):
            self._tasks[uid] = asyncio.create_task(self._probe(api, uid))

    async def _probe(self, api: Api, uid: str) -> None:
        failures = 0
        while uid in self._pods:
            await asyncio.sleep(_AT_MOST_S)
            pod = self._pods.get(uid)
            if pod is None:
                return
            passed = await self._ask(pod)
            failures = 0 if passed else failures + 1
            if passed != _is_ready(pod) and (passed or failures >= _FAILURES):
                # the server may be paused or gone in a story; the next round tells it again
                with contextlib.suppress(OSError, RefusedError):
                    await asyncio.to_thread(api.set_status, _identity(pod), _status(pod, ready=passed))

    async def _ask(self, pod: Manifest) -> bool:
        asked = [each["readinessProbe"] for each in pod["spec"]["containers"] if self._answers(each)]
        return all([await _get(pod["status"]["podIP"], probe["httpGet"]) for probe in asked if "httpGet" in probe])

    def _answers(self, container: Manifest) -> bool:
        if self._images is None or "readinessProbe" not in container:
            return False
        return container["name"] == ENGINE or without_tag(container["image"]) in self._images


async def _get(host: str, probe: Manifest) -> bool:
    try:
        async with asyncio.timeout(_AT_MOST_S):
            reader, writer = await asyncio.open_connection(host, int(probe["port"]))
            try:
                request = f"GET {probe.get('path', '/')} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
                writer.write(request.encode())
                status = (await reader.readline()).split(b" ")
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return False
    return len(status) > 1 and status[1].startswith(b"2")


def _is_ready(pod: Manifest) -> bool:
    return any(each["type"] == "Ready" and each["status"] == "True" for each in pod["status"].get("conditions", ()))


def _identity(pod: Manifest) -> Manifest:
    meta = pod["metadata"]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": meta["namespace"], "name": meta["name"]}}


def _status(pod: Manifest, *, ready: bool) -> Manifest:
    """The parts of the pod's status that its readiness changes; a merge patch replaces a list whole."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    turned: dict[str, Any] = {"status": "True" if ready else "False", "lastTransitionTime": now}
    conditions = [
        {**each, **(turned if each["type"] in {"Ready", "ContainersReady"} else {})}
        for each in pod["status"].get("conditions", ())
    ]
    containers = [{**each, "ready": ready} for each in pod["status"].get("containerStatuses", ())]
    return {"conditions": conditions, "containerStatuses": containers}
