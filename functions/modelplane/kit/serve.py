"""The gRPC server of one function, or of all of them."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable, Mapping
from concurrent import futures
from pathlib import Path
from typing import Any, Final

import grpc
from crossplane.function.proto.v1 import run_function_pb2 as fnv1
from crossplane.function.proto.v1 import run_function_pb2_grpc as grpcv1
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from modelplane.kit.function import Function
from modelplane.kit.view import View

#: A fleet of 1,000 clusters and 20,000 replicas is a request of 25 MB; gRPC's own limit of 4 MiB is 2,000 replicas.
MAX_MESSAGE_BYTES: Final = 256 * 1024 * 1024
#: How long calls that are running may go on after SIGTERM.
DRAIN_SECONDS: Final = 20.0
#: Composing holds the interpreter's lock, so threads only let health checks through beside a long call.
WORKERS: Final = 4

Run = Callable[[fnv1.RunFunctionRequest], fnv1.RunFunctionResponse]

log = logging.getLogger(__name__)


class Runner(grpcv1.FunctionRunnerServiceServicer):
    """Hands each request to the function of its composite's kind."""

    def __init__(self, functions: Mapping[str, Function[Any]]) -> None:
        self._functions = functions

    def RunFunction(  # noqa: N802  # gRPC's name
        self, request: fnv1.RunFunctionRequest, context: grpc.ServicerContext
    ) -> fnv1.RunFunctionResponse:
        """Answer one request; a kind that is not served is a fatal result."""
        del context
        if len(self._functions) == 1:
            (function,) = self._functions.values()
            return function.run(request)
        kind = View(request.observed.composite.resource).text("kind")
        if kind in self._functions:
            return self._functions[kind].run(request)
        response = fnv1.RunFunctionResponse()
        response.meta.tag = request.meta.tag
        response.desired.CopyFrom(request.desired)
        response.results.add(severity=fnv1.SEVERITY_FATAL, message=f"no function serves the kind {kind!r}")
        return response


def credentials(certificates: Path) -> grpc.ServerCredentials:
    """Mutual TLS from a folder with tls.crt, tls.key and ca.crt, as Crossplane mounts it.

    Raises:
        OSError: a file is missing or unreadable.
    """
    read = [(certificates / name).read_bytes() for name in ("tls.key", "tls.crt", "ca.crt")]
    return grpc.ssl_server_credentials([(read[0], read[1])], root_certificates=read[2], require_client_auth=True)


def server(functions: Mapping[str, Function[Any]], address: str, creds: grpc.ServerCredentials | None) -> grpc.Server:
    """A server that is bound to the address and not started; without credentials it speaks plain text.

    Raises:
        RuntimeError: the address cannot be bound.
    """
    options = [
        ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
        ("grpc.max_send_message_length", MAX_MESSAGE_BYTES),
        ("grpc.so_reuseport", 0),  # a second process on the port must fail, not share it
    ]
    made = grpc.server(futures.ThreadPoolExecutor(WORKERS), options=options)
    grpcv1.add_FunctionRunnerServiceServicer_to_server(Runner(functions), made)  # type: ignore[no-untyped-call]  # generated
    checks = health.HealthServicer()
    checks.set("", health_pb2.HealthCheckResponse.SERVING)
    health_pb2_grpc.add_HealthServicer_to_server(checks, made)
    if creds is None:
        made.add_insecure_port(address)
    else:
        made.add_secure_port(address, creds)
    return made


def serve(functions: Mapping[str, Function[Any]], address: str, creds: grpc.ServerCredentials | None) -> None:
    """Serve until SIGTERM or SIGINT, then let running calls end.

    Raises:
        RuntimeError: the address cannot be bound.
    """
    made = server(functions, address, creds)
    asked = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: asked.set())
    made.start()
    log.info("serving %s at %s", ", ".join(sorted(functions)), address)
    asked.wait()
    log.info("draining")
    made.stop(DRAIN_SECONDS).wait()
