"""The time of a ModelDeployment call over gRPC, beside the time to decode the same request."""

from __future__ import annotations

import statistics
import time
from typing import Any, Final

import grpc
from crossplane.function.proto.v1 import run_function_pb2 as fnv1
from crossplane.function.proto.v1 import run_function_pb2_grpc as grpcv1

from bench import fleet
from bench.process import rss_mb, served
from modelplane.kit.view import encode

#: Crossplane calls a function so often at most until what it requires settles.
_ROUNDS: Final = 5
_WANTED: Final = 10
_NODES: Final = 20


class Fleet:
    """The objects of a fleet, encoded once, and the loop that Crossplane runs against a function."""

    def __init__(self, clusters: int, pools: int, replicas: int) -> None:
        found = [*fleet.clusters(clusters, pools, _NODES), *fleet.replicas(replicas, clusters, pools)]
        self._objects = [(manifest["kind"], encode(manifest)) for manifest in found]
        self.request = fnv1.RunFunctionRequest()
        self.request.observed.composite.resource.CopyFrom(encode(fleet.deployment(_WANTED)))

    def settle(self, channel: grpc.Channel) -> tuple[fnv1.RunFunctionResponse, float]:
        """Call until the requirements settle: the last response, and the seconds of its call.

        Raises:
            RuntimeError: they do not settle, or the function fails.
        """
        stub = grpcv1.FunctionRunnerServiceStub(channel)  # type: ignore[no-untyped-call]  # generated
        request = self.request
        request.ClearField("required_resources")
        asked: dict[str, fnv1.ResourceSelector] | None = None
        for _ in range(_ROUNDS):
            start = time.perf_counter()
            response = stub.RunFunction(request)
            seconds = time.perf_counter() - start
            if any(result.severity == fnv1.SEVERITY_FATAL for result in response.results):
                raise RuntimeError(response.results[0].message)
            if dict(response.requirements.resources) == asked:
                return response, seconds
            asked = dict(response.requirements.resources)
            self._answer(asked)
        msg = f"what the function requires did not settle in {_ROUNDS} rounds"
        raise RuntimeError(msg)

    def _answer(self, asked: dict[str, fnv1.ResourceSelector]) -> None:
        for name, selector in asked.items():
            items = self.request.required_resources[name].items
            for kind, struct in self._objects:
                if kind == selector.kind:
                    items.add().resource.CopyFrom(struct)


def measure(clusters: int, pools: int, replicas: int, times: int = 5) -> dict[str, Any]:
    """The medians of so many calls and decodings, taken by turns in one run."""
    world = Fleet(clusters, pools, replicas)
    calls: list[float] = []
    decodings: list[float] = []
    with served("model-deployment") as (pid, channel):
        for _ in range(times):
            response, seconds = world.settle(channel)
            calls.append(seconds)
            encoded = world.request.SerializeToString()
            start = time.perf_counter()
            decoded = fnv1.RunFunctionRequest.FromString(encoded)
            decodings.append(time.perf_counter() - start)
            del decoded
        memory = rss_mb(pid)
    placed = sum(key.startswith("replica-") for key in response.desired.resources)
    if placed != _WANTED:
        msg = f"{placed} of {_WANTED} replicas were placed: {response.conditions}"
        raise RuntimeError(msg)
    call, decode = statistics.median(calls), statistics.median(decodings)
    return {
        "clusters": clusters,
        "pools": clusters * pools,
        "replicas": replicas,
        "request_mb": round(len(encoded) / 1e6, 2),
        "call_s": round(call, 4),
        # Of a process that has seen no fleet yet; the others recognise what has not changed since.
        "first_call_s": round(calls[0], 4),
        "decode_s": round(decode, 4),
        "ratio": round(call / decode, 2),
        "rss_mb": round(memory, 1),
    }
