"""The name server of one cluster: services, headless ones by their pods, and pods by their host name (RFC 1035, A)."""

from __future__ import annotations

import asyncio
import ipaddress
import struct

from e2e.lab.balancers import Services

_DOMAIN = ("svc", "cluster", "local")
_A, _IN = 1, 1
_TTL_S = 2
_OK, _NO_SUCH_NAME = 0, 3


def resolve(services: Services, name: str) -> list[str] | None:
    """The addresses of a name, none where it has no ready pod, None where there is no such name."""
    labels = tuple(name.lower().rstrip(".").split("."))
    host, rest = ("", labels) if len(labels) == 5 else (labels[0], labels[1:])
    if len(rest) != 5 or rest[2:] != _DOMAIN:
        return None
    owner = (rest[1], rest[0])
    service = services.by_owner.get(owner)
    if service is None:
        return None
    spec = service["spec"]
    if not host and spec.get("clusterIP", "None") != "None":
        return [spec["clusterIP"]]
    # members of a gang look for each other before any of them is Ready
    early = bool(spec.get("publishNotReadyAddresses"))
    found = [each for _, each in services.endpoints(owner, ready=not early)]
    if host:
        found = [each for each in found if each.get("hostname") == host]
    return [address for each in found for address in each["addresses"]] or (None if host else [])


class Names(asyncio.DatagramProtocol):
    """Answers on UDP."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keeps the transport, by which it answers."""
        if isinstance(transport, asyncio.DatagramTransport):
            self._transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        """One question."""
        if self._transport is not None and (answer := self.answer(data)):
            self._transport.sendto(answer, addr)

    def answer(self, asked: bytes) -> bytes:
        """The answer to a message with one question; empty where it is none."""
        try:
            number, _, questions = struct.unpack_from("!HHH", asked)
            name, end = _name(asked, 12)
            kind, category = struct.unpack_from("!HH", asked, end)
        except (struct.error, IndexError, UnicodeDecodeError):
            return b""
        if questions != 1:
            return b""
        found = resolve(self._services, name)
        addresses = (found or []) if (kind, category) == (_A, _IN) else []
        code = _NO_SUCH_NAME if found is None else _OK
        head = struct.pack("!HHHHHH", number, 0x8580 | code, 1, len(addresses), 0, 0)
        records = [
            struct.pack("!HHHIH", 0xC00C, _A, _IN, _TTL_S, 4) + ipaddress.IPv4Address(each).packed for each in addresses
        ]
        return head + asked[12 : end + 4] + b"".join(records)


def _name(message: bytes, at: int) -> tuple[str, int]:
    """The name at an offset, without compression, and the offset after it."""
    labels = []
    while length := message[at]:
        labels.append(message[at + 1 : at + 1 + length].decode("ascii"))
        at += 1 + length
    return ".".join(labels), at + 1
