"""Faults by a seed: which part fails, when, how and for how long; the same seed gives the same schedule."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from e2e.lab.lab import Lab
from e2e.lab.process import Process

_CONTROL = ("crossplane", "functions", "provider-kubernetes", "provider-helm", "kube-apiserver")
_REMOTE = ("kube-apiserver", "kube-scheduler", "kube-controller-manager", "kubelets")


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `place` is a cluster's name, or empty for the control plane."""

    at_s: float
    how: str  # kill, pause, cut or slow
    place: str
    part: str  # empty for cut and slow, which are of the line to the cluster
    for_s: float

    def __str__(self) -> str:
        where = " of ".join(filter(None, (self.part, self.place or "the control plane")))
        return f"{self.how} {where} for {self.for_s:.1f} s"


def schedule(seed: int, clusters: tuple[str, ...], count: int = 5, within_s: float = 30.0) -> list[Fault]:
    """Faults in the order of their times, each over before the next begins: two at once would tell nothing apart."""
    chosen = random.Random(seed)  # noqa: S311 - it has to be the same each time
    times = sorted(chosen.uniform(0, within_s) for _ in range(count))
    found = []
    for index, at in enumerate(times):
        room = (times[index + 1] if index + 1 < count else within_s + 5) - at
        lasts = max(0.5, min(chosen.uniform(1, 8), room))
        how = chosen.choice(("kill", "pause", "cut", "slow"))
        if how in {"cut", "slow"}:
            found.append(Fault(at, how, chosen.choice(clusters), "", lasts))
        elif chosen.random() < 0.6:
            found.append(Fault(at, how, "", chosen.choice(_CONTROL), lasts))
        else:
            found.append(Fault(at, how, chosen.choice(clusters), chosen.choice(_REMOTE), lasts))
    return found


def run(lab: Lab, faults: list[Fault], say: Callable[[str], object]) -> None:
    """Lets the faults happen at their times from now; returns when the last one is over and everything runs again."""
    began = time.monotonic()
    for fault in faults:
        time.sleep(max(0.0, began + fault.at_s - time.monotonic()))
        say(str(fault))
        for _ in _happens(lab, fault):
            time.sleep(fault.for_s)
        if ended := lab.revive():
            say(f"ended with it and started again: {', '.join(ended)}")


def _happens(lab: Lab, fault: Fault) -> Iterator[None]:
    """The fault while the caller waits; what it broke runs again afterwards."""
    if fault.how in {"cut", "slow"}:
        cluster = lab.clusters[fault.place]
        if fault.how == "cut":
            cluster.cut()
        else:
            cluster.slow(0.5)
        yield
        cluster.reopen()
        return
    process = _process(lab, fault)
    if fault.how == "pause":
        process.pause()
        yield
        process.resume()
    else:
        process.kill()
        yield
        process.start()


def _process(lab: Lab, fault: Fault) -> Process:
    parts = lab.clusters[fault.place].processes if fault.place else lab.management.processes
    return parts[fault.part]
