"""The product's functions as processes: in plain text for the render engine, over mutual TLS for Crossplane itself."""

from __future__ import annotations

import sys
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from e2e.lab.process import Process, Processes, free_ports

_PROGRAM = Path(sys.executable).with_name("function")


def serve_all(processes: Processes, name: str, certificates: Path | None = None) -> tuple[Process, int]:
    """Starts `function --all`, with these certificates or in plain text; the process and its port on loopback."""
    (port,) = free_ports(1)
    secured = ["--insecure"] if certificates is None else ["--tls-certs-dir", str(certificates)]
    started = processes.run(name, [str(_PROGRAM), "--all", "--address", f"127.0.0.1:{port}", *secured])
    if certificates is None:
        started.wait(lambda: _healthy(port))
    else:  # a probe would need a client's certificate; the log tells as well
        started.wait(lambda: "serving" in started.said())
    return started, port


def _healthy(port: int) -> bool:
    with grpc.insecure_channel(f"127.0.0.1:{port}", options=[("grpc.enable_http_proxy", 0)]) as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=2)
        except grpc.RpcError:
            return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
