"""Prints the figures as one JSON object."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from bench import call, core
from bench.process import rss_mb, served


def main() -> None:
    """Measure everything; some two minutes."""
    small = call.measure(clusters=200, pools=4, replicas=2_000)
    large = call.measure(clusters=1_000, pools=8, replicas=20_000)
    figures: dict[str, Any] = {
        "function": small,
        "large": large,
        # How much longer the call takes, over how much more there is to read: 1 is linear.
        "growth": round((large["call_s"] / small["call_s"]) / (large["request_mb"] / small["request_mb"]), 2),
        "placement": core.placement(),
        "selector": core.selectors(),
        "rss_mb": {"function": _idle("model-deployment"), "all": _idle("--all"), "selector": _selector()},
    }
    print(json.dumps(figures, indent=2))  # noqa: T201  # what a benchmark is for


def _idle(argument: str) -> float:
    with served(argument) as (pid, _):
        return round(rss_mb(pid), 1)


def _selector() -> float:
    """What importing the selector room adds to a Python process."""
    return round(_after("import modelplane.selector") - _after("import modelplane"), 1)


def _after(statement: str) -> float:
    tell = "import os; from bench.process import rss_mb; print(rss_mb(os.getpid()))"
    done = subprocess.run([sys.executable, "-c", f"{statement}; {tell}"], capture_output=True, text=True, check=True)  # noqa: S603  # our own interpreter
    return float(done.stdout)


if __name__ == "__main__":
    main()
