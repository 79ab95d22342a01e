"""A network of the lab's own: every address of 10.0.0.0/8 is local in it, so pods and load balancers can be reached.

Where that cannot be (no root, no Linux) the lab runs on loopback and nothing answers at a pod's address.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_CLONE_NEWNET = 0x40000000
_MOST_CLUSTERS = 30
#: A pod with a network of its own asks for its peers' hardware addresses, and we answer and pass on.
_PODS_REACH_EACH_OTHER = {"ip_forward": "1", "conf/all/proxy_arp": "1"}


@dataclass(frozen=True, slots=True)
class Ranges:
    """The addresses of one cluster; no two clusters of a lab share any."""

    pods: str
    services: str
    nodes: str  # the first 24 bits, with the dot
    balancers: str  # likewise
    machine: str  # what its pods see as the machine: the API server's address to them, and their name server

    @classmethod
    def of(cls, index: int) -> Ranges:
        """Those of the cluster of this index; 0 is the control plane.

        Raises:
            ValueError: a lab has no room for so many clusters.
        """
        if not 0 <= index < _MOST_CLUSTERS:
            msg = f"a lab holds {_MOST_CLUSTERS} clusters, there is no number {index}"
            raise ValueError(msg)
        return cls(
            f"10.{160 + index}.0.0/16",
            f"10.{96 + index}.0.0/16",
            f"10.250.{index}.",
            f"10.251.{index}.",
            f"10.252.{index}.1",
        )


def isolate() -> bool:
    """Moves this process, and all that it starts from here on, into a fresh network namespace.

    The namespace has no name and no file, so it is gone with its last process, whatever ended that one. To be called
    in the main thread before others start: a thread keeps the network that it was born in.

    Returns:
        False where this machine or user cannot do it.
    """
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_CLONE_NEWNET) != 0:
        return False  # a container may be root and still not be allowed to
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    subprocess.run(["ip", "route", "add", "local", "10.0.0.0/8", "dev", "lo"], check=True)
    for setting, value in _PODS_REACH_EACH_OTHER.items():
        Path("/proc/sys/net/ipv4", setting).write_text(value)
    return True
