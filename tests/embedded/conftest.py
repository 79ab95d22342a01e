"""Stages on which stories are played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modelplane.embedded.loop import Loop
from tests.embedded.stories import Story


@pytest.fixture
def story() -> Callable[..., Story]:
    """A watched stage; options are the loop's."""

    def make(**options: Any) -> Story:
        made = Story(Loop(**options))
        made.loop.watchers.append(made.watch)
        return made

    return make
