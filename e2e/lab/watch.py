"""What a server holds of one kind, followed as it changes; also what each change was, for those who keep a story."""

from __future__ import annotations

import contextlib
import json
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import httpx

from e2e.lab.api import Api, RefusedError
from e2e.lab.objects import Manifest

#: Called in the watching thread for each object: as it is now, and whether it is gone.
Seen = Callable[[Manifest, bool], None]
_RETRY_S = 0.5
_QUIET_S = 30.0  # a watch that says nothing is opened anew: its server may have been paused or killed


class Watch:
    """A thread that lists and watches one kind on one server until it is stopped; it outlives the server's failures."""

    def __init__(self, api: Api, api_version: str, kind: str, seen: Seen | None = None) -> None:
        self._api = api
        self._what = (api_version, kind)
        self._seen = seen
        self._lock = threading.Lock()
        self._objects: dict[tuple[str, str], Manifest] = {}
        self._stopped = threading.Event()
        self.synced = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"watch-{kind}", daemon=True)
        self._thread.start()

    def objects(self) -> list[Manifest]:
        """All objects as last seen, in the order of namespace and name."""
        with self._lock:
            return [self._objects[key] for key in sorted(self._objects)]

    def stop(self) -> None:
        """Ends it, without waiting for an answer that may never come."""
        self._stopped.set()

    def _run(self) -> None:
        while not self._stopped.is_set():
            with contextlib.suppress(httpx.TransportError, RefusedError, LookupError):
                version = self._list()
                self.synced.set()
                self._follow(version)
            self._stopped.wait(_RETRY_S)

    def _list(self) -> str:
        items, version = self._api.listing(*self._what)
        fresh = {_key(item): item for item in items}
        with self._lock:
            before, self._objects = self._objects, fresh
        for key, old in before.items():
            if key not in fresh:
                self._tell(old, gone=True)
        for key, item in fresh.items():
            if before.get(key, {}).get("metadata", {}).get("resourceVersion") != item["metadata"]["resourceVersion"]:
                self._tell(item, gone=False)
        return version

    def _follow(self, version: str) -> None:
        with self._api.watching(*self._what, version, _QUIET_S) as lines:
            for line in lines:
                event: dict[str, Any] = json.loads(line)
                if self._stopped.is_set() or event["type"] == "ERROR":
                    return
                if event["type"] == "BOOKMARK":
                    continue
                item, gone = event["object"], event["type"] == "DELETED"
                with self._lock:
                    if gone:
                        self._objects.pop(_key(item), None)
                    else:
                        self._objects[_key(item)] = item
                self._tell(item, gone=gone)

    def _tell(self, item: Manifest, *, gone: bool) -> None:
        if self._seen is not None:
            self._seen(item, gone)


class Timeline:
    """Moments of a story, in seconds since it began, each with a word; printed at its end."""

    def __init__(self, title: str) -> None:
        self.title = title
        self._began = time.monotonic()
        self._moments: list[tuple[float, str]] = []

    def mark(self, text: str) -> float:
        """Writes a moment down; the seconds since the beginning."""
        at = time.monotonic() - self._began
        self._moments.append((at, text))
        print(f"{self.title}: {at:6.1f} s  {text}", file=sys.stderr, flush=True)  # shown while it goes on, too
        return at

    def __str__(self) -> str:
        lines = (f"  {at:7.1f} s  {text}" for at, text in self._moments)
        return "\n".join((f"timeline of {self.title}:", *lines))


def _key(item: Manifest) -> tuple[str, str]:
    return item["metadata"].get("namespace", ""), item["metadata"]["name"]
