"""The server as Crossplane meets it: a process with health checks, mutual TLS, large requests, and an orderly end."""

from __future__ import annotations

import datetime as dt
import ipaddress
import os
import signal
import socket
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import grpc
import pytest
from crossplane.function.proto.v1 import run_function_pb2 as fnv1
from crossplane.function.proto.v1 import run_function_pb2_grpc as grpcv1
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from grpc_health.v1 import health_pb2, health_pb2_grpc

from modelplane.kit import serve
from modelplane.kit.view import encode
from tests.kit.things import composite

Start = Callable[..., subprocess.Popen[str]]
_WAIT = 20.0
_MEBI = 1024 * 1024

#: A server of a function that takes its time; the real program is started by its console script's module.
SLOW = textwrap.dedent(
    """
    import sys, time
    from modelplane.kit import serve
    from modelplane.kit.function import Function

    def compose(seen, want):
        print("composing", flush=True)
        time.sleep(1.0)
        want.set_status({"done": 1})

    serve.serve({"Thing": Function("Thing", dict, compose, ())}, sys.argv[1], None)
    """
)


def free_address() -> str:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{found.getsockname()[1]}"


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a program of this interpreter; it is ended with the test."""
    running: list[subprocess.Popen[str]] = []

    def start(*args: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(  # noqa: S603  # our own interpreter and arguments
            [sys.executable, *args],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "TLS_SERVER_CERTS_DIR": ""},
        )
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.communicate()


def function(start: Start, *args: str) -> subprocess.Popen[str]:
    return start("-c", "import sys; from modelplane.kit.main import main; sys.exit(main())", *args)


def ready(channel: grpc.Channel) -> None:
    grpc.channel_ready_future(channel).result(timeout=_WAIT)


def request(**fields: object) -> fnv1.RunFunctionRequest:
    made = fnv1.RunFunctionRequest()
    made.observed.composite.resource.CopyFrom(encode(composite(**fields)))
    return made


def test_health_and_one_kind(start: Start) -> None:
    address = free_address()
    function(start, "inference-class", "--insecure", "--address", address)
    with grpc.insecure_channel(address) as channel:
        ready(channel)
        checked = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest())
        assert checked.status == health_pb2.HealthCheckResponse.SERVING
        answer = grpcv1.FunctionRunnerServiceStub(channel).RunFunction(request(kind="InferenceClass", spec={}))
        assert [condition.type for condition in answer.conditions] == ["Accepted"]


def test_all_kinds_by_the_kind_of_the_composite(start: Start) -> None:
    address = free_address()
    function(start, "--all", "--insecure", "--address", address)
    with grpc.insecure_channel(address) as channel:
        ready(channel)
        stub = grpcv1.FunctionRunnerServiceStub(channel)
        served = stub.RunFunction(request(kind="InferenceClass", spec={}))
        assert [condition.type for condition in served.conditions] == ["Accepted"]
        unknown = stub.RunFunction(request(kind="Stranger"))
        assert [(r.severity, r.message) for r in unknown.results] == [
            (fnv1.SEVERITY_FATAL, "no function serves the kind 'Stranger'")
        ]


def test_sigterm_lets_a_running_call_end(start: Start) -> None:
    address = free_address()
    process = start("-c", SLOW, address)
    assert process.stdout is not None
    with grpc.insecure_channel(address) as channel:
        ready(channel)
        call = grpcv1.FunctionRunnerServiceStub(channel).RunFunction.future(request())
        assert process.stdout.readline() == "composing\n"
        process.send_signal(signal.SIGTERM)
        assert call.result(timeout=_WAIT).desired.composite.resource["status"]["done"] == 1
    assert process.wait(timeout=_WAIT) == 0


@pytest.mark.parametrize(
    ("reason", "args", "code", "says"),
    [
        ("an unknown function", ("nope", "--insecure"), 1, "there is no function 'nope'; known are: "),
        ("neither certificates nor --insecure", ("inference-class",), 2, "give --tls-certs-dir"),
        ("no function named", ("--insecure",), 2, "name one function, or give --all"),
        ("one named, and all", ("inference-class", "--all", "--insecure"), 2, "name one function, or give --all"),
        ("no certificates there", ("inference-class", "--tls-certs-dir", "/nonexistent"), 1, "No such file"),
    ],
)
def test_what_cannot_start_says_why(start: Start, reason: str, args: tuple[str, ...], code: int, says: str) -> None:
    process = function(start, *args)
    out, _ = process.communicate(timeout=_WAIT)
    assert (process.returncode, says in out) == (code, True), (reason, out)


def test_a_port_in_use_ends_the_process(start: Start) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        process = function(start, "inference-class", "--insecure", "--address", f"127.0.0.1:{taken.getsockname()[1]}")
        out, _ = process.communicate(timeout=_WAIT)
    assert process.returncode == 1
    assert "function: " in out


def test_a_request_of_40_mib_is_answered_and_one_past_256_mib_is_refused() -> None:
    from modelplane.kit.function import Function  # noqa: PLC0415  # beside its only use

    address = free_address()
    echo: Function[object] = Function("Thing", len, lambda _seen, want: want.set_status({"done": 1}), ())
    running = serve.server({"Thing": echo}, address, None)
    running.start()
    try:
        with grpc.insecure_channel(address, options=[("grpc.max_send_message_length", -1)]) as channel:
            ready(channel)
            raw = channel.unary_unary("/apiextensions.fn.proto.v1.FunctionRunnerService/RunFunction")
            large = request(spec={"text": "x" * (40 * _MEBI)}).SerializeToString()
            answer = fnv1.RunFunctionResponse.FromString(raw(large, timeout=_WAIT))
            assert answer.desired.composite.resource["status"]["done"] == 1
            with pytest.raises(grpc.RpcError) as refused:
                raw(b"\0" * (257 * _MEBI), timeout=_WAIT)
            assert refused.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    finally:
        running.stop(None).wait()


# --- Mutual TLS


def _certificate(
    name: str, signer: tuple[x509.Certificate, ec.EllipticCurvePrivateKey] | None
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """A certificate for localhost, signed by the signer, or by itself as an authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = dt.datetime.now(dt.UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(signer[0].subject if signer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(minutes=5))
        .not_valid_after(now + dt.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=signer is None, path_length=None), critical=True)
        .sign(signer[1] if signer else key, hashes.SHA256())
    )
    return made, key


def _pem(made: tuple[x509.Certificate, ec.EllipticCurvePrivateKey]) -> tuple[bytes, bytes]:
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return made[0].public_bytes(serialization.Encoding.PEM), made[1].private_bytes(*form)


def test_only_a_client_that_the_authority_knows_is_served(start: Start, tmp_path: Path) -> None:
    authority = _certificate("ca", None)
    server, server_key = _pem(_certificate("server", authority))
    root = _pem(authority)[0]
    for name, content in (("tls.crt", server), ("tls.key", server_key), ("ca.crt", root)):
        (tmp_path / name).write_bytes(content)
    address = free_address()
    function(start, "inference-class", "--tls-certs-dir", str(tmp_path), "--address", address)
    client, client_key = _pem(_certificate("client", authority))
    stranger, stranger_key = _pem(_certificate("stranger", None))

    known = grpc.ssl_channel_credentials(root, client_key, client)
    with grpc.secure_channel(address, known) as channel:
        ready(channel)
        answer = grpcv1.FunctionRunnerServiceStub(channel).RunFunction(request(kind="InferenceClass", spec={}))
        assert [condition.type for condition in answer.conditions] == ["Accepted"]
    for reason, unknown in (
        ("no certificate", grpc.ssl_channel_credentials(root)),
        ("another authority's certificate", grpc.ssl_channel_credentials(root, stranger_key, stranger)),
    ):
        with grpc.secure_channel(address, unknown) as channel, pytest.raises(grpc.RpcError) as refused:
            grpcv1.FunctionRunnerServiceStub(channel).RunFunction(request(), timeout=_WAIT)
        assert refused.value.code() == grpc.StatusCode.UNAVAILABLE, reason
