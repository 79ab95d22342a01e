"""Mock engines: at each Running serving pod's own address one answers as long as the pod runs, with the pod's name."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from e2e.lab.objects import ENGINE, Manifest

_LINGER_S = 20.0


@dataclass(slots=True)
class Address:
    """Where one engine listens, and for which pod."""

    cluster: str
    namespace: str
    pod: str
    host: str
    port: int

    @property
    def name(self) -> str:
        """The pod in one word, as the file of silenced engines has it."""
        return f"{self.cluster}/{self.namespace}/{self.pod}"


def addresses(cluster: str, pod: Manifest) -> Iterator[Address]:
    """Where the pod's engine listens: the declared ports of its model container, while it runs."""
    status, meta = pod.get("status", {}), pod["metadata"]
    if status.get("phase") != "Running" or "podIP" not in status or "deletionTimestamp" in meta:
        return
    for container in pod["spec"]["containers"]:
        if container["name"] == ENGINE:
            for port in container.get("ports", ()):
                yield Address(cluster, meta["namespace"], meta["name"], status["podIP"], port["containerPort"])


@dataclass(slots=True)
class Engines:
    """The engines that listen now. `silent` has the names of pods whose engine hangs: it accepts, and never answers."""

    silent: frozenset[str] = frozenset()
    _serving: dict[tuple[str, str, str], list[asyncio.Server]] = field(default_factory=dict)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)  # two events of one pod are handled in their order

    async def follow(self, cluster: str, pod: Manifest, *, gone: bool) -> None:
        """Opens or closes the pod's engine, as the pod is now."""
        key = (cluster, pod["metadata"]["namespace"], pod["metadata"]["name"])
        wanted = [] if gone else list(addresses(cluster, pod))
        async with self._turn:
            if wanted and key not in self._serving:
                self._serving[key] = [await self._open(address) for address in wanted]
            if not wanted:
                for server in self._serving.pop(key, []):
                    server.close()

    async def _open(self, address: Address) -> asyncio.Server:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await self._serve(address, reader, writer)

        return await asyncio.start_server(serve, address.host, address.port)

    async def _serve(self, address: Address, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await asyncio.wait_for(_read_request(reader), _LINGER_S):
                while address.name in self.silent:  # noqa: ASYNC110 - the names come from a file, which is polled
                    await asyncio.sleep(0.2)
                writer.write(_answer(address, *request))
                await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # the client went away, or has nothing more to ask
        finally:
            writer.close()


async def _read_request(reader: asyncio.StreamReader) -> tuple[str, bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    lines = head.split("\r\n")
    fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    body = await reader.readexactly(int(fields.get("content-length", "0")))
    return lines[0].split(" ")[1], body


def _answer(address: Address, path: str, body: bytes) -> bytes:
    said = f"{address.pod} on {address.cluster}"
    if path == "/health":
        return _http("200 OK", {"status": "ok"})
    model = _asked_model(body)
    if path == "/v1/chat/completions":
        message = {"role": "assistant", "content": said}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return _http("200 OK", {"object": "chat.completion", "model": model, "choices": [choice]})
    if path == "/v1/messages":
        content = [{"type": "text", "text": said}]
        return _http("200 OK", {"type": "message", "role": "assistant", "model": model, "content": content})
    return _http("404 Not Found", {"error": f"{said} has no {path}"})


def _asked_model(body: bytes) -> str:
    try:
        return str(json.loads(body or b"{}").get("model", ""))
    except (ValueError, AttributeError):
        return ""


def _http(status: str, answer: dict[str, object]) -> bytes:
    content = json.dumps(answer).encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    return head.encode() + content
