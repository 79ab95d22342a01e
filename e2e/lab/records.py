"""The record of started processes, by which they are stopped: also by somebody else, after a crash.

A process id is used again some day, so a line has the moment of the process's birth too: only a process that has
both is ours.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

_GRACE_S = 10.0


def birth(pid: int) -> str:
    """The moment at which the process began, in the system's own words; empty where it is gone or a zombie."""
    stat = Path(f"/proc/{pid}/stat")
    if Path("/proc/self/stat").exists():
        with contextlib.suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            return "" if fields[0] in {"Z", "X"} else fields[19]  # proc(5): state, and starttime as field 22
        return ""
    asked = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return asked.stdout.strip()


class Record:
    """A file with a line for each process: its id, its birth, its name. Lines are only ever added."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, pid: int, name: str) -> None:
        """Writes a process down, before anything else can fail."""
        with self.path.open("a") as file:
            file.write(f"{pid}\t{birth(pid)}\t{name}\n")

    def living(self) -> list[tuple[int, str]]:
        """Id and name of the recorded processes that still run, the latest first."""
        if not self.path.exists():
            return []
        lines = [line.split("\t") for line in self.path.read_text().splitlines()]
        return [(int(pid), name) for pid, born, name in reversed(lines) if born and birth(int(pid)) == born]

    def stop_all(self, grace_s: float = _GRACE_S) -> None:
        """Ends what still runs: asked first, then killed after the grace."""
        for pid, _ in self.living():
            _signal(pid, signal.SIGCONT)  # one that is paused could not answer
            _signal(pid, signal.SIGTERM)
        until = time.monotonic() + grace_s
        while self.living() and time.monotonic() < until:
            time.sleep(0.05)
        for pid, _ in self.living():
            _signal(pid, signal.SIGKILL)


def _signal(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
