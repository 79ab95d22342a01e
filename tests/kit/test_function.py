"""A function answers every request: the guard turns whatever goes wrong into a fatal result that deletes nothing."""

from __future__ import annotations

import logging
import random
from typing import Any

import pytest
from crossplane.function.proto.v1 import run_function_pb2 as fnv1

from modelplane.kit import wire
from modelplane.kit.function import TTL_SECONDS, UNSETTLED_TTL_SECONDS, Function
from modelplane.kit.seen import Seen
from modelplane.kit.view import encode
from modelplane.kit.want import Ready, Want
from tests.kit.things import FITS, Plain, child, composite, function

MANIFEST = {"apiVersion": "v1", "kind": "ConfigMap"}


def whole(seen: Seen[Plain], want: Want[Plain]) -> None:
    want.require("named", "v1", "Secret", named="s", namespace="team")
    want.require("all", "v1", "Node")
    want.add("a", {**MANIFEST, "spec": seen.xr["spec"]}, ready=Ready.YES)
    want.condition(FITS("Yes"))
    want.event("Told", "something")
    want.set_status({"placed": 1})
    want.composite_ready = True


def broken(_seen: Seen[Plain], want: Want[Plain]) -> None:
    want.add("half", MANIFEST)
    want.condition(FITS("No"))
    want.event("Told", "half a story")
    msg = "spec.x is no number"
    raise ValueError(msg)


def test_a_whole_response() -> None:
    request = fnv1.RunFunctionRequest()
    request.meta.tag = "t"
    request.observed.composite.resource.CopyFrom(encode(composite(spec={"n": 2})))
    request.context["k"] = 1
    request.desired.resources["earlier"].ready = fnv1.READY_TRUE
    answer = function(whole).run(request)
    assert (answer.meta.tag, answer.meta.ttl.seconds) == ("t", TTL_SECONDS)
    assert dict(answer.context) == {"k": 1}
    assert sorted(answer.desired.resources) == ["a", "earlier"]
    named = answer.requirements.resources["named"]
    assert (named.api_version, named.kind, named.match_name, named.namespace) == ("v1", "Secret", "s", "team")
    assert not answer.requirements.resources["all"].HasField("match_labels")
    assert answer.conditions[0].target == fnv1.TARGET_COMPOSITE
    said = wire.response(answer.SerializeToString())
    assert said.resources["a"] == wire.Answered({**MANIFEST, "spec": {"n": 2}}, ready=True)
    assert (said.composite, said.composite_ready) == ({"status": {"placed": 1}}, True)
    assert [(event.reason, event.warning) for event in said.events] == [("Told", False)]


@pytest.mark.parametrize(
    ("explicit", "child_is", "seconds", "reason"),
    [
        (None, Ready.YES, TTL_SECONDS, "At rest the fleet is looked at once a minute."),
        (None, Ready.NO, UNSETTLED_TTL_SECONDS, "A child that is not ready holds the composite back."),
        (True, Ready.NO, TTL_SECONDS, "What the function says of the composite outweighs its children."),
        (False, Ready.YES, UNSETTLED_TTL_SECONDS, "The function waits for something that is no child."),
    ],
)
def test_an_unsettled_composite_is_called_again_sooner(
    explicit: bool | None, child_is: Ready, seconds: int, reason: str
) -> None:
    def compose(_seen: Seen[Plain], want: Want[Plain]) -> None:
        want.add("a", MANIFEST, ready=child_is)
        want.composite_ready = explicit

    request = fnv1.RunFunctionRequest()
    request.observed.composite.resource.CopyFrom(encode(composite()))
    assert function(compose).run(request).meta.ttl.seconds == seconds, reason


def test_a_fault_is_a_fatal_result_and_takes_half_done_work_back(caplog: pytest.LogCaptureFixture) -> None:
    request = fnv1.RunFunctionRequest()
    request.observed.composite.resource.CopyFrom(encode(composite()))
    request.desired.resources["earlier"].ready = fnv1.READY_TRUE
    with caplog.at_level(logging.ERROR):
        answer = function(broken).run(request)
    assert list(answer.desired.resources) == ["earlier"]
    assert not answer.conditions
    assert [(r.severity, r.message) for r in answer.results] == [
        (fnv1.SEVERITY_FATAL, "composing the Thing failed; nothing was changed: ValueError: spec.x is no number")
    ]
    assert "composing Thing team/one failed" in caplog.text


def test_a_composite_that_does_not_parse_is_fatal() -> None:
    def parse(plain: dict[str, Any]) -> str:
        return str(plain["nope"])

    unparsable: Function[str] = Function("Thing", parse, lambda _seen, _want: None, ())
    said = wire.response(wire.call(unparsable, wire.Encoder().request(composite(), {}, {})))
    assert said.fatal.endswith("KeyError: 'nope'")
    assert said.resources == {}


def test_the_same_request_is_the_same_bytes_whatever_order_its_maps_have() -> None:
    spec = {f"k{n}": n for n in range(20)}
    children = {f"c{n}": child(f"c{n}", ready=True) for n in range(20)}

    def compose(seen: Seen[Plain], want: Want[Plain]) -> None:
        whole(seen, want)
        want.keep_rest()

    def answer(order: random.Random) -> bytes:
        def shuffled(plain: dict[str, Any]) -> dict[str, Any]:
            return dict(order.sample(sorted(plain.items()), len(plain)))

        request = fnv1.RunFunctionRequest()
        request.observed.composite.resource.update(composite(spec=shuffled(spec)))
        for key, thing in shuffled(children).items():
            request.observed.resources[key].resource.update(shuffled(thing))
        return wire.call(function(compose), request.SerializeToString())

    answers = {answer(random.Random(seed)) for seed in range(5)}  # noqa: S311  # an order, not a secret
    assert len(answers) == 1


def test_requests_remember_objects_by_version_and_never_mix_them_up() -> None:
    encoder = wire.Encoder()

    def versioned(version: str, size: int) -> Plain:
        identity = {"name": "one", "namespace": "team", "uid": "u", "resourceVersion": version}
        return composite(metadata=identity, spec={"n": size})

    for version, size in (("1", 1), ("2", 2), ("1", 1)):
        thing = versioned(version, size)
        request = encoder.request(thing, {}, {"none": []})
        assert request == wire.Encoder().request(thing, {}, {"none": []})
        decoded = fnv1.RunFunctionRequest.FromString(request)
        assert decoded.observed.composite.resource["spec"]["n"] == size  # type: ignore[index]  # a Struct's value
        assert "none" in decoded.required_resources
