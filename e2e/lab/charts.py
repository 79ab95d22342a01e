"""Charts as their registries would serve them, packed from the Go modules that hold them."""

from __future__ import annotations

import hashlib
import io
import json
import re
import tarfile
from dataclasses import dataclass
from functools import cache

from e2e.tools.definitions import ENVOY_GATEWAY, LEADER_WORKER_SET, source

_CONFIG = "application/vnd.cncf.helm.config.v1+json"
_LAYER = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart: its repository in a registry, the module that holds it, its folder there, and what its values lack."""

    repository: str
    module: str
    folder: str
    values: tuple[tuple[str, str], ...] = ()  # placeholders of `values.tmpl.yaml`, filled in when it is released


#: By `host/path` as the Releases name them.
CHARTS = (
    Chart(
        "docker.io/envoyproxy/gateway-helm",
        ENVOY_GATEWAY,
        "charts/gateway-helm",
        (("GatewayImage", "docker.io/envoyproxy/gateway:{version}"), ("GatewayImagePullPolicy", "IfNotPresent")),
    ),
    Chart("registry.k8s.io/lws/charts/lws", LEADER_WORKER_SET, "charts/lws"),
)
#: Hosts that clients know under another name.
HOSTS = {"registry-1.docker.io": "docker.io"}


def hosts() -> list[str]:
    """All names under which the registry answers."""
    return sorted({*HOSTS, *(chart.repository.partition("/")[0] for chart in CHARTS)})


def find(host: str, repository: str) -> Chart | None:
    """The chart that this repository of this host holds."""
    name = f"{HOSTS.get(host, host)}/{repository}"
    return next((chart for chart in CHARTS if chart.repository == name), None)


def artifact(chart: Chart, version: str) -> tuple[bytes, dict[str, bytes]]:
    """The OCI manifest of the chart at a version, and its blobs by digest. Whatever version is asked for is there."""
    packed = packed_chart(chart, version)
    config = json.dumps({"apiVersion": "v2", "name": chart.repository.rpartition("/")[2], "version": version}).encode()
    manifest = {
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": {"mediaType": _CONFIG, "digest": digest(config), "size": len(config)},
        "layers": [{"mediaType": _LAYER, "digest": digest(packed), "size": len(packed)}],
    }
    return json.dumps(manifest).encode(), {digest(config): config, digest(packed): packed}


def digest(content: bytes) -> str:
    """The content's address."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


@cache
def packed_chart(chart: Chart, version: str) -> bytes:
    """The chart's archive, the same bytes each time: a release is an upgrade only where something differs."""
    folder = source(chart.module) / chart.folder
    name = chart.repository.rpartition("/")[2]
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", compresslevel=1, format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(each for each in folder.rglob("*") if each.is_file()):
            relative, content = str(path.relative_to(folder)), path.read_bytes()
            if relative == "Chart.yaml":
                content = re.sub(rb"(?m)^version:.*$", f"version: {version}".encode(), content)
            if relative == "values.tmpl.yaml":
                relative, content = "values.yaml", _filled(content.decode(), chart, version).encode()
            entry = tarfile.TarInfo(f"{name}/{relative}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    packed = bytearray(out.getvalue())
    packed[4:8] = bytes(4)  # gzip (RFC 1952) writes the time there
    return bytes(packed)


def _filled(text: str, chart: Chart, version: str) -> str:
    for name, value in chart.values:
        text = text.replace(f"${{{name}}}", value.format(version=version))
    return text
