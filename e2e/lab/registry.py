"""The chart registries of the world, answered on this machine: `registry PORT CERTIFICATES`.

It is a proxy: a client with HTTPS_PROXY set asks it for docker.io, and gets docker.io's API (OCI distribution, reading
only) with a certificate of the lab's authority. Everything else it refuses, so nothing leaves the machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import ssl
import sys
from pathlib import Path

from e2e.lab import charts

_MANIFEST = re.compile(r"/v2/(?P<repository>.+)/manifests/(?P<reference>[^/]+)")
_BLOB = re.compile(r"/v2/(?P<repository>.+)/blobs/(?P<digest>[^/]+)")
_IDLE_S = 30.0


class Registry:
    """The charts that were asked for, by digest."""

    def __init__(self, certificates: Path) -> None:
        self._tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._tls.load_cert_chain(certificates / "tls.crt", certificates / "tls.key")
        self._manifests: dict[str, bytes] = {}
        self._blobs: dict[str, bytes] = {}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection: CONNECT, then TLS, then requests."""
        try:
            async with asyncio.timeout(_IDLE_S):
                head = await _head(reader)
                method, target = head.split(" ")[:2]
                host = target.partition(":")[0]
                if method != "CONNECT" or host not in charts.hosts():
                    print(f"registry: refused {method} {target}", flush=True)
                    writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
                    return
                writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
                await writer.drain()
                await writer.start_tls(self._tls)
            await self._answer_all(host, reader, writer)
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            pass  # the client is done
        finally:
            with contextlib.suppress(OSError):
                writer.close()

    async def _answer_all(self, host: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            async with asyncio.timeout(_IDLE_S):
                head = await _head(reader)
            method, path = head.split(" ")[:2]
            status, kind, content = self._find(host, path)
            print(f"registry: {method} {host}{path} {status}", flush=True)
            fields = f"Content-Type: {kind}\r\nContent-Length: {len(content)}\r\n"
            if content:
                fields += f"Docker-Content-Digest: {charts.digest(content)}\r\n"
            writer.write(f"HTTP/1.1 {status}\r\n{fields}\r\n".encode() + (b"" if method == "HEAD" else content))
            await writer.drain()

    def _find(self, host: str, path: str) -> tuple[str, str, bytes]:
        if path in {"/v2", "/v2/"}:
            return "200 OK", "application/json", b"{}"
        if (asked := _MANIFEST.fullmatch(path)) and (chart := charts.find(host, asked["repository"])):
            reference = asked["reference"]
            if not reference.startswith("sha256:"):
                manifest, blobs = charts.artifact(chart, reference.replace("_", "+"))  # a tag has no `+`
                self._manifests[reference] = self._manifests[charts.digest(manifest)] = manifest
                self._blobs |= blobs
            if reference in self._manifests:
                return "200 OK", charts.MANIFEST, self._manifests[reference]
        if (asked := _BLOB.fullmatch(path)) and asked["digest"] in self._blobs:
            return "200 OK", "application/octet-stream", self._blobs[asked["digest"]]
        return "404 Not Found", "application/json", b'{"errors":[{"code":"NAME_UNKNOWN"}]}'


async def _head(reader: asyncio.StreamReader) -> str:
    return (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")


async def _run(port: int, certificates: Path) -> None:
    server = await asyncio.start_server(Registry(certificates).serve, "127.0.0.1", port)
    async with server:
        await server.serve_forever()


def main() -> None:
    """The command line."""
    port, certificates = sys.argv[1:]
    asyncio.run(_run(int(port), Path(certificates)))


if __name__ == "__main__":
    main()
