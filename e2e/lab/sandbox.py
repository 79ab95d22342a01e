"""A pod's container for a program that is real: `sandbox SPEC` becomes the program, with the pod's address and files.

The network and the files are namespaces of this process: no name, no file, nothing to clean up once it ends.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

_CLONE_NEWNS, _CLONE_NEWNET = 0x00020000, 0x40000000
_MS_BIND, _MS_REC, _MS_PRIVATE = 0x1000, 0x4000, 0x40000
_SHARED = ("usr", "lib", "lib64", "bin", "sbin", "proc", "dev", "sys", "etc/ssl", "usr/share/ca-certificates")


@dataclass(frozen=True, slots=True)
class Spec:
    """What runs, and where. `mounts` are pairs of a path of ours and a path in the container."""

    program: str
    arguments: list[str]
    environment: dict[str, str]
    mounts: list[tuple[str, str]]
    root: str  # an empty folder
    address: str  # the pod's
    gateway: str  # the address of the machine that the pod sees as everybody else
    nameserver: str
    joins: int  # the process whose network it shares; 0: it has its own

    def write(self, path: Path) -> None:
        """Puts it where `sandbox` reads it; the environment may hold secrets."""
        path.write_text(json.dumps(asdict(self)))
        path.chmod(0o600)


def _call(what: str, result: int) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), what)


def _own_network(libc: ctypes.CDLL, spec: Spec) -> None:
    """A network of its own, with a line to the one we came from: each end of it routes to the other's addresses."""
    here = os.getpid()
    asking, telling = os.pipe()
    outside = os.fork()
    if outside == 0:  # the child stays in the old network, which has to make the line
        os.close(telling)
        os.read(asking, 1)
        line = f"pod{here}"
        _ip("link", "add", line, "type", "veth", "peer", "name", "eth0", "netns", str(here))
        _ip("link", "set", line, "up")
        # in the table of local addresses, where the narrower route wins over the one that claims them all
        _ip("route", "replace", f"{spec.address}/32", "dev", line, "src", spec.gateway, "table", "local")
        os._exit(0)
    os.close(asking)
    _call("unshare the network", libc.unshare(_CLONE_NEWNET))
    os.close(telling)
    if os.waitpid(outside, 0)[1] != 0:
        msg = "the line to the pod could not be made"
        raise OSError(msg)
    _ip("link", "set", "lo", "up")
    _ip("address", "add", f"{spec.address}/32", "dev", "eth0")
    _ip("link", "set", "eth0", "up")
    _ip("route", "add", "default", "dev", "eth0", "src", spec.address)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def _join(libc: ctypes.CDLL, pid: int) -> None:
    handle = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
    _call("join the pod's network", libc.setns(handle, _CLONE_NEWNET))
    os.close(handle)


def _own_files(libc: ctypes.CDLL, spec: Spec) -> None:
    """The machine's programs and libraries, the program, and the pod's volumes; nothing else."""
    _call("unshare the mounts", libc.unshare(_CLONE_NEWNS))
    _call("keep mounts to ourselves", libc.mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None))
    root = Path(spec.root)
    _call("mount a root", libc.mount(b"tmpfs", os.fsencode(root), b"tmpfs", 0, None))
    for name in _SHARED:
        source = Path("/", name)
        if source.is_symlink():
            (root / name).symlink_to(source.readlink())
        elif source.exists() and not (root / name).exists():
            _bind(libc, source, root / name)
    for folder in ("tmp", "etc", "run", "var/run"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "tmp").chmod(0o1777)
    (root / "etc" / "resolv.conf").write_text(f"nameserver {spec.nameserver}\n")
    (root / "etc" / "hosts").write_text("127.0.0.1 localhost\n")
    (root / "etc" / "nsswitch.conf").write_text("hosts: files dns\n")
    (root / "etc" / "passwd").write_text("root:x:0:0:root:/tmp:/bin/sh\n")
    _bind(libc, Path(spec.program), root / "program")
    for volume, target in spec.mounts:
        _bind(libc, Path(volume), root / target.lstrip("/"))
    os.chroot(root)
    os.chdir("/")


def _bind(libc: ctypes.CDLL, source: Path, target: Path) -> None:
    if source.is_dir():
        target.mkdir(parents=True, exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    flags = _MS_BIND | _MS_REC
    _call(f"mount {source}", libc.mount(os.fsencode(source), os.fsencode(target), None, flags, None))


def main() -> None:
    """The command line."""
    spec = Spec(**json.loads(Path(sys.argv[1]).read_text()))
    libc = ctypes.CDLL(None, use_errno=True)
    if spec.joins:
        _join(libc, spec.joins)
    else:
        _own_network(libc, spec)
    _own_files(libc, spec)
    os.execve("/program", [Path(spec.program).name, *spec.arguments], spec.environment)  # noqa: S606 - there is no shell


if __name__ == "__main__":
    main()
