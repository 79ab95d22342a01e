"""The kit's functions, run on requests in plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from modelplane.kit import wire
from tests.kit.things import Compose, Plain, composite, function


@pytest.fixture
def run() -> Callable[..., wire.Response]:
    """Run a composing function on a request in plain values."""

    def run(
        compose: Compose,
        *,
        xr: Mapping[str, Any] | None = None,
        children: Mapping[str, Plain] | None = None,
        required: Mapping[str, list[Plain]] | None = None,
    ) -> wire.Response:
        request = wire.Encoder().request(xr or composite(), children or {}, required or {})
        return wire.response(wire.call(function(compose), request))

    return run
