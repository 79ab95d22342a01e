"""`modelplane demo`: the story comes true, the output is the same each time, and a story that fails says so."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.embedded.world import EXAMPLES

PROGRAM = "import sys; from modelplane.cli.main import main; sys.exit(main())"
STORY = EXAMPLES / "s1-two-regions"


def run(*args: str, seed: str = "0") -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-c", PROGRAM, *args],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONHASHSEED": seed, "TERM": "dumb", "COLUMNS": ""},
        timeout=300,
    )


@pytest.fixture(scope="module")
def played() -> subprocess.CompletedProcess[str]:
    return run("demo", "--examples", str(STORY))


def test_the_story_comes_true(played: subprocess.CompletedProcess[str]) -> None:
    assert (played.returncode, played.stderr) == (0, "")
    assert "[ ]" not in played.stdout
    assert played.stdout.count("[x]") >= 15
    assert played.stdout.endswith("all as told.\n")


def test_it_is_readable_without_a_terminal(played: subprocess.CompletedProcess[str]) -> None:
    assert max(map(len, played.stdout.splitlines())) <= 100
    assert "\x1b" not in played.stdout


def test_it_is_the_same_each_time(played: subprocess.CompletedProcess[str]) -> None:
    assert run("demo", "--examples", str(STORY), seed="7").stdout == played.stdout


def test_a_story_that_does_not_come_true_ends_with_1(tmp_path: Path) -> None:
    shutil.copytree(STORY, tmp_path / "story")
    platform = tmp_path / "story" / "platform.yaml"
    platform.write_text(platform.read_text().replace("nodeCount: 1", "nodeCount: 2"))
    ended = run("demo", "--examples", str(tmp_path / "story"))
    assert ended.returncode == 1
    assert "FAILED: 1 of 2 are scheduled, and the condition names the taint" in ended.stdout


@pytest.mark.parametrize(
    ("reason", "args", "code", "says"),
    [
        ("no manifests", ("demo", "--examples", "/nonexistent"), 1, "no manifests in /nonexistent"),
        ("an unknown command", ("nope",), 2, "No such command"),
        ("help", ("--help",), 0, "demo"),
    ],
)
def test_calls(reason: str, args: tuple[str, ...], code: int, says: str) -> None:
    ended = run(*args)
    assert (ended.returncode, says in ended.stdout + ended.stderr) == (code, True), reason
