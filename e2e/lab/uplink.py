"""The line between the control plane and one workload cluster: `uplink PORT TARGET STATE`, a relay that can fail.

The file STATE says how the line is: `open`; `slow SECONDS`, each answer comes so much later; `cut`, nothing comes
through and nothing is refused, as when packets are lost. Everything that reaches the cluster from outside goes here.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from pathlib import Path

_POLL_S = 0.1
_CHUNK = 64 * 1024


class Uplink:
    """The relay, with the state that was last read."""

    def __init__(self, target: int, state: Path) -> None:
        self._target = target
        self._state = state
        self._delay = 0.0
        self._passes = asyncio.Event()
        self._passes.set()

    async def follow_state(self) -> None:
        """Reads the state again and again."""
        while True:
            word, _, amount = self._state.read_text().strip().partition(" ")
            self._delay = float(amount) if word == "slow" else 0.0
            if word == "cut":
                self._passes.clear()
            else:
                self._passes.set()
            await asyncio.sleep(_POLL_S)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection from outside."""
        try:
            await self._passes.wait()
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:  # the API server is down: refused here, too
            writer.close()
            return
        there = asyncio.create_task(self._copy(reader, far_writer, slow=False))
        back = asyncio.create_task(self._copy(far_reader, writer, slow=True))
        await asyncio.gather(there, back)

    async def _copy(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, slow: bool) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while chunk := await source.read(_CHUNK):
                if slow and self._delay:
                    await asyncio.sleep(self._delay)
                await self._passes.wait()
                sink.write(chunk)
                await sink.drain()
        with contextlib.suppress(OSError):
            sink.close()


async def _run(port: int, target: int, state: Path) -> None:
    uplink = Uplink(target, state)
    following = asyncio.create_task(uplink.follow_state())
    server = await asyncio.start_server(uplink.serve, "127.0.0.1", port)
    async with server:
        await asyncio.gather(server.serve_forever(), following)


def main() -> None:
    """The command line."""
    port, target, state = sys.argv[1:]
    asyncio.run(_run(int(port), int(target), Path(state)))


if __name__ == "__main__":
    main()
