"""Processes of the lab: started, waited for, paused, killed and stopped by their recorded ids, with their logs kept."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from e2e.lab.records import Record

_POLL_S = 0.05
_TAIL_LINES = 30
_ROOT = Path(__file__).parents[2]


class NotReadyError(AssertionError):
    """A wait that failed; the message ends with the end of the log that tells why."""


def free_ports(count: int) -> list[int]:
    """Ports of the loopback address that nobody has now, all different."""
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def wait_until(ready: Callable[[], bool], what: str, timeout_s: float, log: Path | None = None) -> None:
    """Returns when `ready` says so.

    Raises:
        NotReadyError: it did not within the time.
    """
    until = time.monotonic() + timeout_s
    while not ready():
        if time.monotonic() > until:
            msg = f"{what}: not within {timeout_s:g} s{_tail(log)}"
            raise NotReadyError(msg)
        time.sleep(_POLL_S)


def _tail(log: Path | None) -> str:
    if log is None or not log.exists():
        return ""
    lines = log.read_text(errors="replace").splitlines()[-_TAIL_LINES:]
    return "\n".join((f"; the end of {log}:", *lines))


class Process:
    """One program: how it is started, and the process that runs it now. Restarts go on in the same log."""

    def __init__(self, name: str, argv: Sequence[str], *, log: Path, env: Mapping[str, str], record: Record) -> None:
        self.name = name
        self.argv = tuple(argv)
        self.log = log
        self._env = dict(env)
        self._record = record
        self._running: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The id of the process that runs now."""
        return self._now().pid

    @property
    def ended(self) -> bool:
        """Whether it is over, by itself or by us."""
        return self._now().poll() is not None

    def start(self) -> None:
        """Starts it, in a session of its own so that a Ctrl-C reaches us alone and the order of stopping is ours."""
        with self.log.open("ab") as out:
            self._running = subprocess.Popen(
                self.argv,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, **self._env},
                cwd=_ROOT,
                start_new_session=True,
            )
        self._record.add(self._running.pid, self.name)

    def wait(self, ready: Callable[[], bool], timeout_s: float = 60.0) -> None:
        """Returns when it is ready.

        Raises:
            NotReadyError: it ended, or is not ready within the time.
        """

        def ready_or_gone() -> bool:
            if self._now().poll() is not None:
                msg = f"{self.name} ended with {self._now().returncode}{_tail(self.log)}"
                raise NotReadyError(msg)
            return ready()

        wait_until(ready_or_gone, f"{self.name} ready", timeout_s, self.log)

    def finish(self, timeout_s: float = 120.0) -> int:
        """Waits for its end; the exit code."""
        try:
            return self._now().wait(timeout_s)
        except subprocess.TimeoutExpired as error:
            msg = f"{self.name} runs longer than {timeout_s:g} s{_tail(self.log)}"
            raise NotReadyError(msg) from error

    def said(self) -> str:
        """The whole log."""
        return self.log.read_text(errors="replace")

    def stop(self, grace_s: float = 10.0) -> None:
        """Asks it to end, and kills it after the grace."""
        if self._running is None or self._running.poll() is not None:
            return
        self.resume()
        self._running.terminate()
        try:
            self._running.wait(grace_s)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """Ends it without a chance to tidy up, as a crash does."""
        self._now().kill()
        self._now().wait()

    def pause(self) -> None:
        """Stops its clock, as a machine that hangs."""
        self._now().send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Lets it go on after a pause."""
        self._now().send_signal(signal.SIGCONT)

    def _now(self) -> subprocess.Popen[bytes]:
        if self._running is None:
            msg = f"{self.name} was not started"
            raise RuntimeError(msg)
        return self._running


class Processes:
    """All processes of one lab. Leaving the context stops them, the latest first; so does our own death."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._record = Record(folder / "processes")
        self._all: list[Process] = []
        self._guard: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._guard = subprocess.Popen(
            [sys.executable, "-m", "e2e.lab.guard", str(self._record.path)],
            stdin=subprocess.PIPE,
            cwd=_ROOT,
            start_new_session=True,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for each in reversed(self._all):
            each.stop()
        if self._guard is not None and self._guard.stdin is not None:
            self._guard.stdin.close()
            self._guard.wait()

    def run(self, name: str, argv: Sequence[str], env: Mapping[str, str] | None = None) -> Process:
        """Starts a program whose log is `NAME.log` in the lab's folder."""
        made = Process(name, argv, log=self.folder / f"{name}.log", env=env or {}, record=self._record)
        self._all.append(made)
        made.start()
        return made
