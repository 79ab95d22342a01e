"""A composition function inside the test, for what must be known of the engine itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
from crossplane.function import resource
from crossplane.function.proto.v1 import run_function_pb2 as fnv1
from crossplane.function.proto.v1 import run_function_pb2_grpc as grpcv1

from modelplane.kit.serve import credentials

Compose = Callable[[fnv1.RunFunctionRequest, fnv1.RunFunctionResponse], None]


class Scripted(grpcv1.FunctionRunnerServiceServicer):
    """Answers by a callable; remembers every request."""

    def __init__(self, compose: Compose) -> None:
        self._compose = compose
        self.requests: list[fnv1.RunFunctionRequest] = []

    def RunFunction(self, request: fnv1.RunFunctionRequest, context: object) -> fnv1.RunFunctionResponse:  # noqa: N802  # gRPC's name
        del context
        self.requests.append(request)
        response = fnv1.RunFunctionResponse()
        response.meta.tag = request.meta.tag
        self._compose(request, response)
        return response


@contextmanager
def serving(compose: Compose, port: int, certificates: Path) -> Iterator[Scripted]:
    """Serves the callable over mutual TLS while the context lasts."""
    scripted = Scripted(compose)
    server = grpc.server(futures.ThreadPoolExecutor(2))
    grpcv1.add_FunctionRunnerServiceServicer_to_server(scripted, server)
    server.add_secure_port(f"127.0.0.1:{port}", credentials(certificates))
    server.start()
    try:
        yield scripted
    finally:
        server.stop(None).wait()


def plain(message: Any) -> dict[str, Any]:
    """A protobuf Struct as a plain mapping."""
    return resource.struct_to_dict(message)
