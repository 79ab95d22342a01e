"""One real reconcile of Crossplane in a process of its own: `crossplane internal render`, protobuf in and out."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc_tools
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from grpc_tools import protoc

from e2e.lab.objects import Manifest

_PROTO = "proto/render/v1alpha1/render.proto"
_PACKAGE = "crossplane.render.v1alpha1"
_TIMEOUT_S = 60
_KEY = "crossplane.io/composition-resource-name"


class RenderError(Exception):
    """The reconcile ended with an error, such as a fatal result; the message is Crossplane's."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """What the reconcile would have written: composed and deleted objects by the name of their composed resource."""

    composite: Manifest
    composed: dict[str, Manifest]
    deleted: dict[str, Manifest]
    events: list[Manifest]
    required: list[Manifest]


class Renderer:
    """Crossplane's render engine; its messages are compiled from the module's own definition."""

    def __init__(self, program: Path, module: Path) -> None:
        self._program = program
        pool = _compile(module / _PROTO)
        self._request = message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{_PACKAGE}.RenderRequest"))
        self._response = message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{_PACKAGE}.RenderResponse"))

    def render(
        self,
        composite: Manifest,
        composition: Manifest,
        functions: Mapping[str, str],
        *,
        observed: Iterable[Manifest] = (),
        required: Iterable[Manifest] = (),
    ) -> Rendered:
        """Reconciles once; `functions` are gRPC addresses by name, spoken to in plain text.

        Raises:
            RenderError: Crossplane's reconcile ended with an error.
        """
        asked = {
            "composite": {
                "compositeResource": composite,
                "composition": composition,
                "functions": [{"name": name, "address": address} for name, address in functions.items()],
                "observedResources": list(observed),
                "requiredResources": list(required),
            }
        }
        request = json_format.ParseDict(asked, self._request())
        ran = subprocess.run(
            [str(self._program), "internal", "render"],
            input=request.SerializeToString(),
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
        if ran.returncode:
            raise RenderError(ran.stderr.decode(errors="replace"))
        response = self._response()
        response.ParseFromString(ran.stdout)
        return _rendered(json_format.MessageToDict(response)["composite"])


def _rendered(said: Manifest) -> Rendered:
    return Rendered(
        composite=_whole(said.get("compositeResource", {})),
        composed=_by_key(said.get("composedResources", ())),
        deleted=_by_key(said.get("deletedResources", ())),
        events=said.get("events", []),
        required=said.get("requiredResources", []),
    )


def _by_key(objects: Iterable[Manifest]) -> dict[str, Manifest]:
    return {each["metadata"]["annotations"][_KEY]: _whole(each) for each in objects}


def _whole(value: Any) -> Any:  # noqa: ANN401  # any JSON value
    """The value with whole numbers as integers: a protobuf Struct knows only doubles."""
    if isinstance(value, dict):
        return {key: _whole(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_whole(each) for each in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _compile(proto: Path) -> descriptor_pool.DescriptorPool:
    """The messages of a .proto file; compiled to descriptors, so no generated code has to match our protobuf."""
    pool = descriptor_pool.DescriptorPool()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "descriptors"
        wellknown = Path(grpc_tools.__file__).parent / "_proto"
        argv = ["protoc", f"-I{proto.parent}", f"-I{wellknown}", "--include_imports", f"--descriptor_set_out={out}"]
        if protoc.main([*argv, str(proto)]) != 0:
            msg = f"protoc does not compile {proto}"
            raise RuntimeError(msg)
        found = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes())
    for each in found.file:
        pool.Add(each)
    return pool
