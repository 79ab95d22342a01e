"""Every broken twin of an example is refused by the real API server, where it is broken and in our words.

`tests/contract` says the same of our own admission; here the real CEL, its cost limits and its messages have the word.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from e2e.lab.api import Api, RefusedError
from e2e.lab.objects import Manifest
from tests.contract.twins import Twin, load

TWINS = load()
BAD_REQUEST = 400  # a field that the schema does not have
INVALID = 422


@pytest.fixture(scope="session")
def namespaces(api: Api) -> None:
    named = {twin.good["metadata"]["namespace"] for twin in TWINS if "namespace" in twin.good["metadata"]}
    for name in sorted(named):
        api.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})


@pytest.fixture
def stored(api: Api, installed: list[str], namespaces: None, twin: Twin) -> Iterator[Manifest]:
    """The good object where the broken one is a change of it; nothing where it is an object of its own."""
    del installed, namespaces
    if not twin.update:
        yield {}
        return
    yield api.apply(twin.good)
    api.delete(twin.good)
    api.wait(twin.good, lambda seen: seen is None, timeout_s=20)


@pytest.mark.parametrize("twin", TWINS, ids=lambda twin: twin.id)
def test_a_broken_twin_is_refused_in_our_words(api: Api, stored: Any, twin: Twin) -> None:
    del stored
    # Created where it can be: server-side apply stops at a duplicate or an unknown field, before validation speaks.
    send = api.apply if twin.update else api.create

    with pytest.raises(RefusedError) as refused:
        send(twin.broken, dry_run=True)

    assert refused.value.status in {BAD_REQUEST, INVALID}, refused.value
    assert twin.at in refused.value.message
    assert twin.says in refused.value.message
