"""Writes what is generated: the condition tables in apis/, then schemas/generated/. With --check it only compares.

Exits with 1 where --check finds a file that is not as it would be written.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# So that the script works from any folder; and the models' generator warns of what a version to come will need.
sys.path[0] = str(ROOT)
warnings.simplefilter("ignore", FutureWarning)

from tools import models, reason_tables  # noqa: E402  # after the path is set
from tools.definitions import definitions  # noqa: E402


def outputs() -> Iterator[tuple[Path, str]]:
    """Every generated file with its text. The tables come first, for models carry no table."""
    for definition in definitions():
        yield definition.path, reason_tables.rewritten(definition, definition.path.read_text())
    for definition in definitions():
        yield models.TARGET / f"{definition.module}.py", models.module(definition)


def stray(expected: set[Path]) -> list[Path]:
    """Modules of kinds that no longer exist."""
    return [path for path in sorted(models.TARGET.glob("*.py")) if path not in expected and path.name != "__init__.py"]


def main() -> int:
    """Writes or compares; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where something is stale")
    check: bool = parser.parse_args().check
    stale = []
    with contextlib.chdir(
        ROOT
    ):  # the models' generator takes settings, and what is first-party, from the folder it is in
        wanted = dict(outputs())
    for path, text in wanted.items():
        if path.exists() and path.read_text() == text:
            continue
        stale.append(path)
        if not check:
            path.write_text(text)
    for path in stray(set(wanted)):
        stale.append(path)
        if not check:
            path.unlink()
    for path in stale:
        print(f"{'stale' if check else 'wrote'}: {path.relative_to(ROOT)}")
    if check and stale:
        print("run ./task gen")
    return int(check and bool(stale))


if __name__ == "__main__":
    raise SystemExit(main())
