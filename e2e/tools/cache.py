"""Where built tools are kept, and the lock that keeps two builders from making the same one."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path


def root() -> Path:
    """The folder of all tools: `modelplane/tools` in the user's cache (XDG base directory specification)."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "modelplane" / "tools"


def fingerprint(files: Iterable[Path], words: Iterable[str]) -> str:
    """Twelve hexadecimal digits over the contents of the files and the words, each with its length before it."""
    digest = hashlib.sha256()
    for part in (*(path.read_bytes() for path in files), *(word.encode() for word in words)):
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()[:12]


@contextlib.contextmanager
def locked(name: str) -> Iterator[None]:
    """Holds the lock of this name; it goes with the process, so a killed builder blocks nobody."""
    folder = root()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f".{name}.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
