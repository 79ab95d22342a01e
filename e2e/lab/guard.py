"""Waits for the end of the process that started it, then stops what that one left: `guard RECORD`.

Its standard input is a pipe whose other end only the starter holds, so the end comes also when that one is killed.
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from e2e.lab.records import Record


def main() -> None:
    """Blocks until standard input ends."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # a Ctrl-C is meant for the starter; the pipe says when it is gone
    sys.stdin.buffer.read()
    Record(Path(sys.argv[1])).stop_all()


if __name__ == "__main__":
    main()
