"""One real control plane with Crossplane for the whole run; `./task engine` alone comes here."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from e2e.lab.api import Api
from e2e.lab.control_plane import ENGINE_CONTROLLERS, ControlPlane
from e2e.lab.crossplane import Crossplane
from e2e.lab.objects import read_manifests
from e2e.lab.process import Processes
from e2e.tools import definitions
from e2e.tools.build import ENGINE, build
from tests.engine.moments import Moment, gang, two_regions

ROOT = Path(__file__).parents[2]
#: The definitions of what we compose and of what our Objects carry to workload clusters.
OTHERS = {
    definitions.PROVIDER_KUBERNETES: (
        "objects.kubernetes.m.crossplane.io",
        "providerconfigs.kubernetes.m.crossplane.io",
        "clusterproviderconfigs.kubernetes.m.crossplane.io",
    ),
    definitions.PROVIDER_HELM: (
        "releases.helm.m.crossplane.io",
        "providerconfigs.helm.m.crossplane.io",
        "clusterproviderconfigs.helm.m.crossplane.io",
    ),
    definitions.GATEWAY_API: (
        "gatewayclasses.gateway.networking.k8s.io",
        "gateways.gateway.networking.k8s.io",
        "httproutes.gateway.networking.k8s.io",
        "referencegrants.gateway.networking.k8s.io",
    ),
    definitions.INFERENCE_EXTENSION: ("inferencepools.inference.networking.k8s.io",),
    definitions.LEADER_WORKER_SET: ("leaderworkersets.leaderworkerset.x-k8s.io",),
    definitions.ENVOY_GATEWAY: ("envoyproxies.gateway.envoyproxy.io",),
}


@pytest.fixture(scope="session")
def programs() -> Mapping[str, Path]:
    return build(ENGINE)


@pytest.fixture(scope="session")
def processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    with Processes(tmp_path_factory.mktemp("engine")) as running:
        yield running


@pytest.fixture(scope="session")
def plane(processes: Processes, programs: Mapping[str, Path]) -> Iterator[ControlPlane]:
    with contextlib.closing(ControlPlane("control", processes, programs, ENGINE_CONTROLLERS)) as started:
        yield started


@pytest.fixture(scope="session")
def crossplane(plane: ControlPlane, programs: Mapping[str, Path]) -> Crossplane:
    # By default fifty changes of children within a minute make Crossplane deaf to a composite for half a minute at a
    # time. A story in seconds is over that limit, and what it shows would be the limit.
    flags = {"circuit-breaker-burst": "10000"}
    return Crossplane(plane, programs["crossplane"], definitions.folder_of(definitions.CROSSPLANE), flags=flags)


@pytest.fixture(scope="session")
def api(plane: ControlPlane, crossplane: Crossplane) -> Api:
    """The API server with Crossplane's own kinds and those of everything that we compose."""
    del crossplane  # asked for so that it runs
    others = [each for module, names in OTHERS.items() for each in definitions.definitions(module, *names)]
    for each in others:
        plane.api.apply(each)
    for each in others:
        plane.api.wait(each, "Established")
    return plane.api


@pytest.fixture(scope="session")
def installed(api: Api) -> list[str]:
    """Our definitions and Compositions, installed and established; the warnings that came with them."""
    api.warnings.clear()
    ours = read_manifests(ROOT / "apis")
    for each in ours:
        api.apply(each)
    warned = list(api.warnings)
    for each in ours:
        if each["kind"] == "CompositeResourceDefinition":
            api.wait(each, "Established")
    return warned


@pytest.fixture(scope="session")
def moments() -> list[Moment]:
    return [*two_regions(ROOT / "examples"), *gang(ROOT / "examples")]
