"""The same verdict as Kubernetes' own CEL, on every case of the corpus; `make_corpus.py` says how that is made."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from modelplane import selector
from modelplane.value.device import Facts

HERE = Path(__file__).parent
SLICES = 16


def lines() -> list[list[str | int]]:
    return [json.loads(line) for line in (HERE / "corpus.jsonl").read_text().splitlines()]


def verdict(facts: Facts, expression: str) -> tuple[str, int]:
    """Our verdict and estimated cost, in the form of the corpus."""
    try:
        compiled = selector.compile(expression)
    except selector.CompileError:
        return "does not compile", 0
    return compiled.check(facts).outcome, compiled.cost


@pytest.mark.parametrize("part", range(SLICES))
def test_every_verdict_is_kubernetes_own(part: int, devices: dict[str, Facts]) -> None:
    cases = lines()[part::SLICES]

    want = {(device, expression): (outcome, cost) for device, expression, outcome, cost in cases}
    got = {(device, expression): verdict(devices[str(device)], str(expression)) for device, expression, *_ in cases}

    assert got == want


def test_the_corpus_is_large_and_even() -> None:
    cases = lines()

    assert len(cases) >= 2_000, "the least that was asked for"
    for outcome in ("match", "no match", "error", "does not compile"):
        assert sum(case[2] == outcome for case in cases) >= 1_000, f"too few cases of {outcome}"
    assert len({(case[0], case[1]) for case in cases}) == len(cases), "a case stands twice"


@pytest.mark.skipif(
    "SELECTOR_ORACLE" not in os.environ and "SELECTOR_CHECK" not in os.environ,
    reason="builds Kubernetes' CEL from its Go modules, minutes on a cold cache: set SELECTOR_CHECK=1, or "
    "SELECTOR_ORACLE to a built oracle",
)
@pytest.mark.skipif(shutil.which("go") is None and "SELECTOR_ORACLE" not in os.environ, reason="needs Go")
def test_the_oracle_still_says_so() -> None:
    run = subprocess.run(  # noqa: S603 - the project's own script
        [sys.executable, str(HERE / "make_corpus.py"), "--check"], capture_output=True, text=True, check=False
    )

    assert run.returncode == 0, run.stdout + run.stderr
