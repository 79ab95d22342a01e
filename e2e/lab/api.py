"""A client in kubectl's shape: apply, get, list, delete, wait. Validation is strict, and warnings are kept."""

from __future__ import annotations

import contextlib
import json
import ssl
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import httpx

from e2e.lab.objects import Manifest, is_true, label
from e2e.lab.process import NotReadyError

_APPLY = {"Content-Type": "application/apply-patch+yaml"}
_MERGE = {"Content-Type": "application/merge-patch+json"}
_POLL_S = 0.1
_DISCOVERY_S = 5.0
_NOT_FOUND = 404

Listed = list[Manifest]  # the class has a method `list`


class RefusedError(Exception):
    """The server's refusal: its HTTP status, its reason, and its message in full."""

    def __init__(self, what: str, answer: httpx.Response) -> None:
        try:
            said = answer.json()
        except ValueError:
            said = {"message": answer.text}
        self.status = answer.status_code
        self.reason = str(said.get("reason", ""))
        self.message = str(said.get("message", ""))
        super().__init__(f"{what}: {self.status} {self.reason}: {self.message}")


@dataclass(frozen=True, slots=True)
class _Resource:
    path: str
    namespaced: bool


class Api:
    """One API server as one user. `warnings` grows with every warning that the server sends."""

    def __init__(self, url: str, token: str, authority: Path, manager: str = "lab") -> None:
        verified = ssl.create_default_context(cafile=str(authority))
        # trust_env: a proxy of the machine must never stand between the lab and its own loopback
        self._http = httpx.Client(
            base_url=url, verify=verified, headers={"Authorization": f"Bearer {token}"}, timeout=60.0, trust_env=False
        )
        self._known: dict[tuple[str, str], _Resource] = {}
        self._manager = manager
        self.warnings: list[str] = []

    def close(self) -> None:
        """Closes its connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def healthy(self, path: str = "/readyz") -> bool:
        """Whether the server answers that it is ready."""
        try:
            return self._http.get(path).is_success
        except httpx.TransportError:
            return False

    def apply(self, obj: Manifest, *, dry_run: bool = False, manager: str = "", subresource: str = "") -> Manifest:
        """Server-side apply, conflicts taken over; the object as the server has it now.

        Raises:
            RefusedError: the server does not accept it.
        """
        query = {"fieldManager": manager or self._manager, "force": "true", "fieldValidation": "Strict"}
        if dry_run:
            query["dryRun"] = "All"
        path = self._path(obj, subresource)
        return self._send("PATCH", path, f"apply {label(obj)}", query=query, body=obj, headers=_APPLY)

    def set_status(self, obj: Manifest, status: Manifest) -> Manifest:
        """Merges into the status subresource, as a controller does."""
        path = self._path(obj, "status")
        query = {"fieldManager": self._manager, "fieldValidation": "Strict"}
        body: Manifest = {"status": status}
        return self._send("PATCH", path, f"status of {label(obj)}", query=query, body=body, headers=_MERGE)

    def merge(self, obj: Manifest, change: Manifest) -> Manifest:
        """A JSON merge patch of the object itself."""
        query = {"fieldManager": self._manager, "fieldValidation": "Strict"}
        return self._send("PATCH", self._path(obj), f"patch {label(obj)}", query=query, body=change, headers=_MERGE)

    def create(self, obj: Manifest, *, dry_run: bool = False) -> Manifest:
        """Creates it, with a generated name where it has none."""
        query = {"fieldManager": self._manager, "fieldValidation": "Strict", **({"dryRun": "All"} if dry_run else {})}
        path = self._path(obj, collection=True)
        return self._send("POST", path, f"create {label(obj)}", query=query, body=obj)

    def read(self, path: str) -> Manifest:
        """What the server answers to a GET of a path."""
        return self._send("GET", path, path)

    def token(self, namespace: str, name: str, asked: Manifest) -> Manifest:
        """A token of the service account, as a TokenRequest that is answered."""
        path = f"/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token"
        return self._send("POST", path, f"token of {namespace}/{name}", body=asked)

    def find(self, obj: Manifest) -> Manifest | None:
        """The object of this identity, or None."""
        try:
            return self._send("GET", self._path(obj), f"get {label(obj)}")
        except RefusedError as refusal:
            if refusal.status == _NOT_FOUND:
                return None
            raise

    def get(self, obj: Manifest) -> Manifest:
        """The object of this identity.

        Raises:
            RefusedError: there is none.
        """
        return self._send("GET", self._path(obj), f"get {label(obj)}")

    def list(self, api_version: str, kind: str, namespace: str = "", labels: str = "") -> list[Manifest]:
        """All objects of a kind, in one namespace or in all, in the order of namespace and name."""
        return self.listing(api_version, kind, namespace, labels)[0]

    def listing(self, api_version: str, kind: str, namespace: str = "", labels: str = "") -> tuple[Listed, str]:
        """Like `list`, with the version from which a watch goes on."""
        query = {"labelSelector": labels} if labels else {}
        answer = self._send("GET", self._collection(api_version, kind, namespace), f"list {kind}", query=query)
        items = [{"apiVersion": api_version, "kind": kind, **item} for item in answer["items"]]
        return items, answer["metadata"]["resourceVersion"]

    @contextlib.contextmanager
    def watching(self, api_version: str, kind: str, version: str, quiet_s: float) -> Iterator[Iterator[str]]:
        """The lines of a watch, a JSON event each, until the server closes it.

        Raises:
            httpx.TransportError: the connection broke, or was silent for `quiet_s`.
        """
        query = {"watch": "true", "resourceVersion": version, "allowWatchBookmarks": "true"}
        wait = httpx.Timeout(30.0, read=quiet_s)
        path = self._collection(api_version, kind)
        with self._http.stream("GET", path, params=query, timeout=wait) as answer:
            if not answer.is_success:
                answer.read()
                what = f"watch {kind}"
                raise RefusedError(what, answer)
            yield answer.iter_lines()

    def delete(self, obj: Manifest, propagation: str = "Background") -> None:
        """Deletes it; one that is already gone is no error."""
        query = {"propagationPolicy": propagation}
        try:
            self._send("DELETE", self._path(obj), f"delete {label(obj)}", query=query)
        except RefusedError as refusal:
            if refusal.status != _NOT_FOUND:
                raise

    def wait(self, obj: Manifest, until: str | Callable[[Manifest | None], bool], timeout_s: float = 60.0) -> Manifest:
        """Waits for a condition to be True, or for what `until` asks; the object then, empty where it is gone.

        Raises:
            NotReadyError: it is not so within the time; the message has the status.
        """
        asked = until if callable(until) else lambda seen: is_true(seen, until)
        end = time.monotonic() + timeout_s
        while not asked(seen := self.find(obj)):
            if time.monotonic() > end:
                what = until if isinstance(until, str) else "what is asked"
                status = json.dumps((seen or {}).get("status"), indent=1) if seen else "it does not exist"
                msg = f"{label(obj)}: {what} not within {timeout_s:g} s; its status: {status}"
                raise NotReadyError(msg)
            time.sleep(_POLL_S)
        return seen or {}

    def _collection(self, api_version: str, kind: str, namespace: str = "") -> str:
        found = self._resource(api_version, kind)
        scope = f"namespaces/{namespace}/" if namespace else ""
        return f"/{'api' if '/' not in api_version else 'apis'}/{api_version}/{scope}{found.path}"

    def _path(self, obj: Manifest, subresource: str = "", *, collection: bool = False) -> str:
        api_version, meta = obj["apiVersion"], obj["metadata"]
        found = self._resource(api_version, obj["kind"])
        group = "api" if "/" not in api_version else "apis"
        scope = f"namespaces/{meta.get('namespace', 'default')}/" if found.namespaced else ""
        path = f"/{group}/{api_version}/{scope}{found.path}"
        if not collection:
            path += f"/{meta['name']}"
        return f"{path}/{subresource}" if subresource else path

    def _resource(self, api_version: str, kind: str) -> _Resource:
        """How the server names a kind; discovery lags a little behind a definition that is Established."""
        until = time.monotonic() + _DISCOVERY_S
        while (api_version, kind) not in self._known:  # definitions come and go, so only a hit is remembered
            self._discover(api_version)
            if (api_version, kind) not in self._known:
                if time.monotonic() > until:
                    msg = f"the server has no {kind} in {api_version}"
                    raise LookupError(msg)
                time.sleep(_POLL_S)
        return self._known[api_version, kind]

    def _discover(self, api_version: str) -> None:
        group = "api" if "/" not in api_version else "apis"
        try:
            answer = self._send("GET", f"/{group}/{api_version}", f"discovery of {api_version}")
        except RefusedError as refusal:
            if refusal.status != _NOT_FOUND:
                raise
            return
        for each in answer.get("resources") or ():  # null while the group is being set up
            if "/" not in each["name"]:
                self._known[api_version, each["kind"]] = _Resource(each["name"], each["namespaced"])

    def _send(
        self,
        method: str,
        path: str,
        what: str,
        *,
        query: dict[str, str] | None = None,
        body: Manifest | None = None,
        headers: dict[str, str] | None = None,
    ) -> Manifest:
        content = None if body is None else json.dumps(body)
        sent = {"Content-Type": "application/json", **(headers or {})}
        answer = self._http.request(method, path, params=query, content=content, headers=sent)
        self.warnings.extend(answer.headers.get_list("Warning"))
        if not answer.is_success:
            raise RefusedError(what, answer)
        found: Any = answer.json()
        return dict(found)
