"""Processes of the lab end when it ends, however it ends, and a failed wait shows why."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.lab.process import NotReadyError, Process, Processes, free_ports, wait_until
from e2e.lab.records import Record, birth

SLEEP = (sys.executable, "-c", "import time; print('up', flush=True); time.sleep(60)")
STUBBORN = (
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(60)",
)
ROOT = Path(__file__).parents[2]


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    with Processes(tmp_path / "lab") as running:
        yield running


def up(process: Process) -> Process:
    process.wait(lambda: "up" in process.said(), timeout_s=20)
    return process


def test_leaving_the_lab_ends_what_runs_there(tmp_path: Path) -> None:
    with Processes(tmp_path / "lab") as running:
        pids = [up(running.run(f"sleep-{number}", SLEEP)).pid for number in range(2)]
        running.folder.joinpath("kept").touch()

    assert [birth(pid) for pid in pids] == ["", ""]
    assert (tmp_path / "lab" / "sleep-0.log").read_text() == "up\n", "the logs stay"


def test_a_paused_process_ends_too(tmp_path: Path) -> None:
    with Processes(tmp_path / "lab") as running:
        process = up(running.run("sleep", SLEEP))
        process.pause()
        pid = process.pid

    assert birth(pid) == ""


def test_one_that_does_not_listen_is_killed(processes: Processes) -> None:
    process = up(processes.run("stubborn", STUBBORN))

    process.stop(grace_s=0.2)

    assert birth(process.pid) == ""


def test_a_lab_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "lab"
    script = f"""
        import os, pathlib, signal, sys
        from e2e.lab.process import Processes
        with Processes(pathlib.Path({str(folder)!r})) as running:
            running.run("sleep", {SLEEP!r})
            os.kill(os.getpid(), signal.SIGKILL)
    """
    ended = subprocess.run(  # noqa: S603 - this file's own script
        [sys.executable, "-c", textwrap.dedent(script)], cwd=ROOT, check=False
    )
    record = Record(folder / "processes")

    assert ended.returncode == -signal.SIGKILL
    assert record.path.read_text() != ""
    wait_until(lambda: record.living() == [], "the guard has stopped the rest", timeout_s=20)


def test_a_process_of_somebody_else_with_a_recorded_id_is_let_be(tmp_path: Path, processes: Processes) -> None:
    stranger = up(processes.run("sleep", SLEEP))
    record = Record(tmp_path / "old")
    record.path.write_text(f"{stranger.pid}\tlong ago\tetcd\n{os.getpid()}\t\tgone before it was written down\n")

    record.stop_all(grace_s=0)

    assert record.living() == []
    assert birth(stranger.pid) != ""


ENDS = "print('no such flag'); exit(3)"
HANGS = "print('waiting for etcd', flush=True); import time; time.sleep(60)"


@pytest.mark.parametrize(
    ("reason", "program", "happened", "says"),
    [
        ("a program that ends says with what, and its last words", ENDS, "ended with 3", "no such flag"),
        ("a program that never gets ready shows its last words", HANGS, "not within", "waiting for etcd"),
    ],
)
def test_a_failed_wait_shows_the_end_of_the_log(
    processes: Processes, reason: str, program: str, happened: str, says: str
) -> None:
    process = processes.run("program", (sys.executable, "-c", program))
    wait_until(lambda: says in process.said(), "its words are there", timeout_s=20)

    with pytest.raises(NotReadyError) as failed:
        process.wait(lambda: False, timeout_s=0.3)

    assert [part in str(failed.value) for part in (happened, says, str(process.log))] == [True] * 3, reason


def test_a_restart_goes_on_in_the_same_log(processes: Processes) -> None:
    process = up(processes.run("sleep", SLEEP))
    first = process.pid
    process.kill()

    process.start()
    process.wait(lambda: process.said() == "up\nup\n", timeout_s=20)

    assert birth(first) == ""
    assert birth(process.pid) != ""


def test_ports_asked_for_together_differ() -> None:
    assert len(set(free_ports(20))) == 20
