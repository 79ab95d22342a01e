"""Services as a cloud and its nodes serve them: addresses at which connections reach the ready pods.

Every Service has its cluster's address, as kube-proxy would serve it (which wants to be alone in a network and needs
nftables on the machine); one of type LoadBalancer gets another from the cluster's range. TCP alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from e2e.lab.api import Api, RefusedError
from e2e.lab.objects import Manifest

_SERVICE = "kubernetes.io/service-name"
_CHUNK = 64 * 1024
Owner = tuple[str, str]  # namespace and name of a Service


@dataclass(slots=True)
class Services:
    """Services and their endpoints as last seen: what a name or an address of theirs leads to."""

    by_owner: dict[Owner, Manifest] = field(default_factory=dict)
    _slices: dict[Owner, Manifest] = field(default_factory=dict)

    def follow_slice(self, found: Manifest, *, gone: bool) -> None:
        """Remembers where a service's pods are."""
        key = (found["metadata"]["namespace"], found["metadata"]["name"])
        if gone:
            self._slices.pop(key, None)
        else:
            self._slices[key] = found

    def endpoints(self, owner: Owner, *, ready: bool) -> Iterator[tuple[Manifest, Manifest]]:
        """The service's endpoints with their slices, all or the ready ones."""
        for (namespace, _), each in sorted(self._slices.items()):
            if namespace == owner[0] and each["metadata"].get("labels", {}).get(_SERVICE) == owner[1]:
                for endpoint in each.get("endpoints") or ():
                    if not ready or endpoint.get("conditions", {}).get("ready", True):
                        yield each, endpoint

    def targets(self, owner: Owner, port_name: str) -> list[tuple[str, int]]:
        """Where connections to a port of the service go."""
        return [
            (host, int(port["port"]))
            for found, endpoint in self.endpoints(owner, ready=True)
            for port in found.get("ports") or ()
            if (port.get("name") or "") == port_name
            for host in endpoint["addresses"]
        ]


@dataclass(slots=True)
class Balancers:
    """The addresses of one cluster's services."""

    api: Api
    prefix: str  # of its load balancers' addresses, with the dot
    real: bool  # addresses can be listened on
    services: Services
    _given: dict[Owner, str] = field(default_factory=dict)
    _serving: dict[tuple[str, int], tuple[Owner, asyncio.Server]] = field(default_factory=dict)
    _turns: itertools.count[int] = field(default_factory=itertools.count)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)  # events are handled in their order, one at a time

    async def follow(self, service: Manifest, *, gone: bool) -> None:
        """Gives the service its addresses and opens its ports, or takes them back."""
        async with self._lock:
            await self._follow(service, gone=gone)

    async def _follow(self, service: Manifest, *, gone: bool) -> None:
        owner = (service["metadata"]["namespace"], service["metadata"]["name"])
        if gone:
            self.services.by_owner.pop(owner, None)
            self._given.pop(owner, None)
        else:
            self.services.by_owner[owner] = service
        balanced = not gone and service["spec"].get("type") == "LoadBalancer"
        if balanced:
            self._given[owner] = self._given.get(owner) or self._next(service)
        await self._serve(owner, set() if gone else self._wanted(owner, service))
        if balanced:
            await self._publish(owner, service)

    def _wanted(self, owner: Owner, service: Manifest) -> set[tuple[str, int, str]]:
        """Address, port and the port's name, each of which is listened on."""
        addresses = [service["spec"].get("clusterIP", "None"), self._given.get(owner, "None")]
        ports = [(int(port["port"]), port.get("name", "")) for port in service["spec"].get("ports", ())]
        return {(address, *port) for address in addresses if address not in {"None", ""} for port in ports}

    async def _serve(self, owner: Owner, wanted: set[tuple[str, int, str]]) -> None:
        if not self.real:
            return
        open_now = {where for where, (whose, _) in self._serving.items() if whose == owner}
        for where in open_now - {(address, port) for address, port, _ in wanted}:
            self._serving.pop(where)[1].close()
        for address, port, name in sorted(wanted):
            if (address, port) not in open_now:
                self._serving[address, port] = (owner, await self._listen(owner, address, port, name))

    async def _listen(self, owner: Owner, address: str, port: int, name: str) -> asyncio.Server:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await self._relay(reader, writer, owner, name)

        return await asyncio.start_server(serve, address, port)

    async def _publish(self, owner: Owner, service: Manifest) -> None:
        ingress = [{"ip": self._given[owner], "ipMode": "VIP"}]
        if service.get("status", {}).get("loadBalancer", {}).get("ingress") == ingress:
            return
        metadata = {"namespace": owner[0], "name": owner[1]}
        identity: Manifest = {"apiVersion": "v1", "kind": "Service", "metadata": metadata}
        with contextlib.suppress(OSError, RefusedError):  # gone meanwhile, or the server is: it comes again
            await asyncio.to_thread(self.api.set_status, identity, {"loadBalancer": {"ingress": ingress}})

    def _next(self, service: Manifest) -> str:
        """The address that it has already, or the first that is free."""
        for each in service.get("status", {}).get("loadBalancer", {}).get("ingress", ()):
            if str(each.get("ip", "")).startswith(self.prefix):
                return str(each["ip"])
        taken = set(self._given.values())
        return next(host for host in (f"{self.prefix}{n}" for n in range(1, 255)) if host not in taken)

    async def _relay(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, owner: Owner, port_name: str
    ) -> None:
        targets = self.services.targets(owner, port_name)
        try:
            if not targets:
                return
            far_reader, far_writer = await asyncio.open_connection(*targets[next(self._turns) % len(targets)])
            await asyncio.gather(_copy(reader, far_writer), _copy(far_reader, writer))
        except OSError:
            pass  # the pod is gone: the client sees a closed connection, as behind a real balancer
        finally:
            writer.close()


async def _copy(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while chunk := await source.read(_CHUNK):
            sink.write(chunk)
            await sink.drain()
    with contextlib.suppress(OSError):
        sink.close()
