"""Make or check the corpus: expressions from `subjects`, verdicts from Kubernetes' own CEL by way of the oracle.

    python tests/selector/make_corpus.py            writes tests/selector/corpus.jsonl
    python tests/selector/make_corpus.py --check    fails where the oracle, or the expressions, no longer agree with it

A line of the corpus is [device, expression, verdict, cost]. The cost is the estimate for what compiles, else 0.
"""
# ruff: noqa: T201, S603, S607 - a script that talks to a person, and runs the project's own program

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).parent
CORPUS = HERE / "corpus.jsonl"
SUBJECTS = ("devices", "amounts", "core", "texts", "collections", "addresses", "faults", "limits")

Case = tuple[str, str]
Line = tuple[str, str, str, int]


def expressions() -> list[Case]:
    """Every case once, in the order of the subjects."""
    sys.path.insert(0, str(HERE))
    found: dict[Case, None] = {}
    for subject in SUBJECTS:
        found.update(dict.fromkeys(importlib.import_module(f"subjects.{subject}").cases()))
    return list(found)


def devices() -> dict[str, dict[str, object]]:
    """The devices by name, as the oracle reads them."""
    sys.path.insert(0, str(HERE))
    found: dict[str, dict[str, object]] = importlib.import_module("subjects.devices").DEVICES
    return found


def build_oracle(folder: Path) -> Path:
    """The oracle, built from its own Go module; a prebuilt one is named by SELECTOR_ORACLE."""
    if built := os.environ.get("SELECTOR_ORACLE"):
        return Path(built)
    program = folder / "oracle"
    subprocess.run(["go", "build", "-o", str(program), "."], cwd=HERE / "oracle", check=True)
    return program


def judge(program: Path, cases: Iterable[Case]) -> list[Line]:
    """The cases with the oracle's verdicts."""
    cases = list(cases)
    known = devices()
    text = "".join(json.dumps({**known[device], "expression": expression}) + "\n" for device, expression in cases)
    run = subprocess.run([str(program)], input=text.encode(), capture_output=True, check=True)
    answers = [json.loads(line) for line in run.stdout.decode().splitlines()]
    return [_line(case, answer) for case, answer in zip(cases, answers, strict=True)]


def _line(case: Case, answer: dict[str, object]) -> Line:
    verdict = str(answer["verdict"])
    cost = int(str(answer.get("maxCost", 0))) if verdict != "does not compile" else 0
    return (*case, verdict, cost)


def read_corpus() -> list[Line]:
    """The lines of the committed corpus."""
    return [tuple(json.loads(line)) for line in CORPUS.read_text().splitlines()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the committed corpus instead of writing it")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as folder:
        lines = judge(build_oracle(Path(folder)), expressions())
    if not check:
        CORPUS.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
        print(f"{len(lines)} cases written")
        return 0
    committed = read_corpus()
    differing = set(lines) ^ set(committed)
    for line in sorted(differing)[:20]:
        print("differs:", json.dumps(line, ensure_ascii=False))
    print(f"{len(committed)} cases checked, {len(differing)} lines differ")
    return 1 if differing else 0


if __name__ == "__main__":
    raise SystemExit(main())
