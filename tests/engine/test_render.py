"""Every Composition on Crossplane's own engine, our functions over gRPC: the embedded loop gives what it gives."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from e2e.lab.functions import serve_all
from e2e.lab.objects import Manifest, read_manifests
from e2e.lab.process import Processes
from e2e.lab.render import Renderer
from e2e.tools import definitions
from tests.engine.moments import Moment, Outcome, as_outcome, engines_uid

ROOT = Path(__file__).parents[2]
COMPOSITIONS = {
    each["spec"]["compositeTypeRef"]["kind"]: each
    for path in sorted((ROOT / "apis").glob("*/composition.yaml"))
    for each in read_manifests(path)
}


@pytest.fixture(scope="session")
def renderer(programs: Mapping[str, Path]) -> Renderer:
    return Renderer(programs["crossplane"], definitions.source(definitions.CROSSPLANE))


@pytest.fixture(scope="session")
def addresses(processes: Processes) -> dict[str, str]:
    _, port = serve_all(processes, "functions-in-plain-text")
    names = {step["functionRef"]["name"] for each in COMPOSITIONS.values() for step in each["spec"]["pipeline"]}
    return dict.fromkeys(sorted(names), f"localhost:{port}")


def test_the_embedded_loop_gives_what_crossplane_gives(
    moments: list[Moment], renderer: Renderer, addresses: dict[str, str]
) -> None:
    different = {}
    for each in moments:
        rendered = _rendered(each, renderer, addresses)
        if rendered != each.outcome:
            different[each.title] = {"crossplane": rendered, "embedded": each.outcome}

    assert different == {}
    assert {each.composite["kind"] for each in moments} == set(COMPOSITIONS)


def _rendered(moment: Moment, renderer: Renderer, addresses: dict[str, str]) -> Outcome:
    uid = engines_uid(moment.composite)

    def known_to_the_engine(each: Manifest) -> Manifest:
        told = json.loads(json.dumps(each).replace(moment.composite["metadata"]["uid"], uid))
        return dict(told)

    composition = COMPOSITIONS[moment.composite["kind"]]
    used = {step["functionRef"]["name"] for step in composition["spec"]["pipeline"]}
    rendered = renderer.render(
        known_to_the_engine(moment.composite),
        composition,
        {name: addresses[name] for name in used},
        observed=map(known_to_the_engine, moment.observed),
        required=map(known_to_the_engine, moment.required),
    )
    return as_outcome(
        moment.composite,
        children=rendered.composed,
        deleted=frozenset(rendered.deleted),
        status=rendered.composite["status"],
        told=frozenset((each["reason"], each["message"]) for each in rendered.events),
    )
