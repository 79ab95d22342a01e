"""Builds the lab's programs, once each: `python -m e2e.tools.build [NAME ...]` prints where they are.

A program is keyed by its module's files and its flags, so an edit of a version builds anew beside the old one.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from e2e.tools import cache as store
from e2e.tools.toolchain import environment, find_go, needed

HERE = Path(__file__).parent
_QUIET_S = 10.0  # how often a build says that it is alive
_STRIPPED = "-s -w"  # no debugger is ever attached; half the size, a third off the link


def required(folder: Path, module: str) -> str:
    """The version of the module that the folder's go.mod requires, such as `v1.36.3`.

    Raises:
        ValueError: it does not require the module.
    """
    found = re.search(rf"^(?:require)?\s*{re.escape(module)} (v\S+)", (folder / "go.mod").read_text(), re.MULTILINE)
    if found is None:
        msg = f"{folder / 'go.mod'} does not require {module}"
        raise ValueError(msg)
    return found[1]


@dataclass(frozen=True, slots=True)
class Program:
    """A program: the folder with its go.mod, the package to build, and the module whose version names it."""

    folder: str
    package: str
    module: str
    stamped: bool = False  # Kubernetes' own version string, which clients and charts look at

    @property
    def version(self) -> str:
        """The version of the module in go.mod, such as `v1.36.3`."""
        return required(HERE / self.folder, self.module)

    def linker_flags(self) -> str:
        """The value of -ldflags; an unstamped Kubernetes calls itself v0.0.0-master."""
        if not self.stamped:
            return _STRIPPED
        major, minor, _ = self.version.removeprefix("v").split(".", 2)
        stamps = {"gitVersion": self.version, "gitMajor": major, "gitMinor": minor, "gitTreeState": "clean"}
        return " ".join((_STRIPPED, *(f"-X k8s.io/component-base/version.{k}={v}" for k, v in stamps.items())))


PROGRAMS = {
    "etcd": Program("etcd", "go.etcd.io/etcd/server/v3", "go.etcd.io/etcd/server/v3"),
    "kube-apiserver": Program("kubernetes", "k8s.io/kubernetes/cmd/kube-apiserver", "k8s.io/kubernetes", stamped=True),
    "kube-controller-manager": Program(
        "kubernetes", "k8s.io/kubernetes/cmd/kube-controller-manager", "k8s.io/kubernetes", stamped=True
    ),
    "crossplane": Program(
        "crossplane", "github.com/crossplane/crossplane/v2/cmd/crossplane", "github.com/crossplane/crossplane/v2"
    ),
    "kube-scheduler": Program("kubernetes", "k8s.io/kubernetes/cmd/kube-scheduler", "k8s.io/kubernetes", stamped=True),
    "kube-proxy": Program("kubernetes", "k8s.io/kubernetes/cmd/kube-proxy", "k8s.io/kubernetes", stamped=True),
    "kwok": Program("kwok", "sigs.k8s.io/kwok/cmd/kwok", "sigs.k8s.io/kwok"),
    "provider-kubernetes": Program(
        "provider-kubernetes",
        "github.com/crossplane-contrib/provider-kubernetes/cmd/provider",
        "github.com/crossplane-contrib/provider-kubernetes",
    ),
    "provider-helm": Program(
        "provider-helm",
        "github.com/crossplane-contrib/provider-helm/cmd/provider",
        "github.com/crossplane-contrib/provider-helm",
    ),
    "lws": Program("lws", "sigs.k8s.io/lws/cmd", "sigs.k8s.io/lws"),
    "envoy-gateway": Program(
        "envoy-gateway", "github.com/envoyproxy/gateway/cmd/envoy-gateway", "github.com/envoyproxy/gateway"
    ),
}


#: What `./task engine` runs; the rest is the lab's.
ENGINE = ("etcd", "kube-apiserver", "kube-controller-manager", "crossplane")


def binary(name: str) -> Path:
    """Where the program is, or will be."""
    program = PROGRAMS[name]
    sources = sorted(path for path in (HERE / program.folder).rglob("*") if path.is_file())
    key = store.fingerprint(sources, (program.package, program.linker_flags()))
    return store.root() / f"{name}-{program.version}-{key}" / name


def build(names: tuple[str, ...]) -> dict[str, Path]:
    """The paths of the programs, those that were missing built now.

    Raises:
        RuntimeError: a build failed; the message ends with what Go said.
    """
    return {name: _build(name) for name in names}


def _build(name: str) -> Path:
    target = binary(name)
    if target.exists():
        return target
    with store.locked(name):
        if not target.exists():  # another builder may have made it while we waited
            target.parent.mkdir(parents=True, exist_ok=True)
            fresh = target.with_name(f"{name}.{os.getpid()}")
            _compile(name, fresh)
            fresh.rename(target)
    return target


def _compile(name: str, out: Path) -> None:
    program = PROGRAMS[name]
    folder = HERE / program.folder
    go = find_go(needed(folder))
    argv = [go, "build", "-v", "-ldflags", program.linker_flags(), "-o", str(out), program.package]
    started = spoken = time.monotonic()
    _say(f"building {name} {program.version}")
    said: list[str] = []
    with subprocess.Popen(
        argv, cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        for line in running.stdout or ():
            said.append(line)
            if time.monotonic() - spoken > _QUIET_S:
                spoken = time.monotonic()
                _say(f"building {name}: {len(said)} packages, {spoken - started:.0f} s")
    if running.returncode:
        msg = f"go build {program.package} failed:\n{''.join(said[-40:])}"
        raise RuntimeError(msg)
    _say(f"built {name} in {time.monotonic() - started:.0f} s")


def _say(text: str) -> None:
    print(f"tools: {text}", file=sys.stderr, flush=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(PROGRAMS)}; default: the engine's")
    names = tuple(parser.parse_args().names) or ENGINE
    if unknown := [name for name in names if name not in PROGRAMS]:
        parser.error(f"unknown: {', '.join(unknown)}; known are {', '.join(PROGRAMS)}")
    for path in build(names).values():
        print(path)


if __name__ == "__main__":
    main()
