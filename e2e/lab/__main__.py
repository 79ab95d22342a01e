"""`python -m e2e.lab`: a fleet to play with, until Ctrl-C; `python -m e2e.lab COMMAND ...` runs a command in it.

The lab has a network of its own, so a command has to be run inside: `python -m e2e.lab kubectl get inferenceclusters`.
KUBECONFIG is then the control plane's; `--cluster eu-west` makes it that cluster's.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
from pathlib import Path

from e2e.lab.fleet import Device, Node
from e2e.lab.lab import Lab
from e2e.tools import cache

_HOME = cache.root().parent / "lab"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="lab", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--name", default="default", help="labs of different names run side by side")
    parser.add_argument("--cluster", default="control", help="whose kubeconfig a command gets")
    parser.add_argument("--regions", default="eu-west,us-east", help="the clusters of a new lab, one node each")
    parser.add_argument("--nodes", type=int, default=1, help="nodes a cluster")
    parser.add_argument("--devices", type=int, default=1, help="devices a node")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="run this in the lab that is up")
    args = parser.parse_args()
    folder = _HOME / args.name
    if args.command:
        _inside(folder, args.cluster, args.command)
    regions = tuple(filter(None, args.regions.split(",")))
    _up(folder, regions, [(Device(args.devices),)] * args.nodes)


def _up(folder: Path, regions: tuple[str, ...], devices: list[tuple[Device, ...]]) -> None:
    with Lab(folder) as lab:
        for region in regions:
            cluster = lab.cluster(region, [Node(f"gpu-{region}", each) for each in devices])
            lab.connect(cluster, f"{region}-kubeconfig")
        (folder / "pid").write_text(str(os.getpid()))
        python = f"{sys.executable} -m e2e.lab"
        print("lab: up. Ctrl-C ends it. In another shell, for example:", flush=True)
        print(f"  {python} kubectl apply --server-side -f examples/s1-two-regions/platform.yaml")
        print(f"  {python} kubectl get inferenceclusters,modeldeployments -A", flush=True)
        signal.signal(signal.SIGTERM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))
        try:
            signal.pause()
        except KeyboardInterrupt:
            print("\nlab: stopping", flush=True)
        (folder / "pid").unlink()


def _inside(folder: Path, cluster: str, command: list[str]) -> None:
    """Becomes the command, in the network of the lab that is up."""
    recorded = folder / "pid"
    if not recorded.exists():
        sys.exit(f"no lab of the name {folder.name} is up")
    environment = {**os.environ, "KUBECONFIG": str(folder / "run" / cluster / "kubeconfig")}
    entered = []
    if os.geteuid() == 0 and shutil.which("nsenter"):
        entered = ["nsenter", f"--net=/proc/{recorded.read_text().strip()}/ns/net"]
    argv = [*entered, *command]
    os.execvpe(argv[0], argv, environment)  # noqa: S606 - there is no shell


if __name__ == "__main__":
    main()
