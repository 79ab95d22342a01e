"""What a cloud and its nodes do around the clusters, in one process: `surroundings FOLDER`.

The folder has a file `CLUSTER.json` for each cluster, with its server, token, authority and range of addresses; they
may come and go. Its file `silent` names the pods whose engine hangs, one a line. Its file `real` is there where
addresses can be listened on, and names the images whose programs run; its file `gateways` where no gateway controller
runs, so that Gateways are to be pretended.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from e2e.lab.api import Api
from e2e.lab.balancers import Balancers, Services
from e2e.lab.engines import Engines
from e2e.lab.gateways import Gateways
from e2e.lab.names import Names
from e2e.lab.objects import Manifest
from e2e.lab.probes import Probes
from e2e.lab.watch import Seen, Watch

_POLL_S = 0.3
_DNS = 53


class Surroundings:
    """Follows the folder, and each cluster in it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        real = folder / "real"
        self._real = real.exists()
        self._pretends_gateways = (folder / "gateways").exists()
        self._engines = Engines()
        self._probes = Probes(frozenset(real.read_text().split()) if self._real else None)
        self._clusters: dict[str, list[Watch]] = {}
        self._transports: list[asyncio.DatagramTransport] = []
        self._running: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()

    async def run(self) -> None:
        """Until the process ends."""
        while True:
            found = {path.stem: path for path in self._folder.glob("*.json")}
            for name in found.keys() - self._clusters.keys():
                self._clusters[name] = self._join(name, json.loads(found[name].read_text()))
            for name in self._clusters.keys() - found.keys():
                for watch in self._clusters.pop(name):
                    watch.stop()
            silent = self._folder / "silent"
            self._engines.silent = frozenset(silent.read_text().split()) if silent.exists() else frozenset()
            await asyncio.sleep(_POLL_S)

    def _join(self, name: str, cluster: dict[str, str]) -> list[Watch]:
        api = Api(cluster["server"], cluster["token"], Path(cluster["authority"]), manager="surroundings")
        services = Services()
        balancers = Balancers(api, cluster["balancers"], self._real, services)
        if self._real:
            self._start(self._answer_names(services, cluster["machine"]))

        async def pod(item: Manifest, *, gone: bool) -> None:
            self._probes.follow(api, item, gone=gone)
            if self._real:
                await self._engines.follow(name, item, gone=gone)

        async def endpoints(item: Manifest, *, gone: bool) -> None:
            services.follow_slice(item, gone=gone)

        followed = [
            Watch(api, "v1", "Pod", self._soon(pod)),
            Watch(api, "v1", "Service", self._soon(balancers.follow)),
            Watch(api, "discovery.k8s.io/v1", "EndpointSlice", self._soon(endpoints)),
        ]
        if self._pretends_gateways:
            gateways = Gateways(api, cluster["balancers"])
            followed.append(Watch(api, "gateway.networking.k8s.io/v1", "Gateway", self._soon(gateways.follow)))
        return followed

    async def _answer_names(self, services: Services, address: str) -> None:
        transport, _ = await self._loop.create_datagram_endpoint(lambda: Names(services), local_addr=(address, _DNS))
        self._transports.append(transport)

    def _soon(self, follow: Any) -> Seen:  # noqa: ANN401 - a coroutine function with a keyword, which Callable cannot say
        """Hands what a watching thread sees over to the loop."""

        def seen(item: Manifest, gone: bool) -> None:  # noqa: FBT001 - the shape that Watch calls
            self._loop.call_soon_threadsafe(self._start, follow(item, gone=gone))

        return seen

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._running.add(task)  # the loop itself keeps no reference
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            print(f"surroundings: {error!r}", file=sys.stderr, flush=True)


async def _run(folder: Path) -> None:
    await Surroundings(folder).run()


def main() -> None:
    """The command line."""
    asyncio.run(_run(Path(sys.argv[1])))


if __name__ == "__main__":
    main()
