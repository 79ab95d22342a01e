"""A function as a process of its own, on a free port of this machine."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import grpc

_LIMIT: Final = 512 * 1024 * 1024
_START_SECONDS: Final = 60
_STOP_SECONDS: Final = 30


@contextmanager
def served(*arguments: str) -> Iterator[tuple[int, grpc.Channel]]:
    """Run `function` with the arguments; gives its process id and a channel that is connected.

    Raises:
        grpc.FutureTimeoutError: it does not serve within a minute.
    """
    address = f"127.0.0.1:{_free_port()}"
    program = Path(sys.executable).with_name("function")
    process = subprocess.Popen([program, *arguments, "--insecure", "--address", address], stderr=subprocess.DEVNULL)  # noqa: S603  # our own program
    options = [("grpc.max_receive_message_length", _LIMIT), ("grpc.max_send_message_length", _LIMIT)]
    try:
        with grpc.insecure_channel(address, options=options) as channel:
            grpc.channel_ready_future(channel).result(_START_SECONDS)
            yield process.pid, channel
    finally:
        process.terminate()
        process.wait(_STOP_SECONDS)


def rss_mb(pid: int) -> float:
    """The resident memory of a process, in MB of 10^6 bytes."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024 / 1e6
    msg = f"process {pid} has no resident memory"
    raise ProcessLookupError(msg)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
