from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true", help="write the golden answers anew; review them as a diff")


@pytest.fixture
def regolden(request: pytest.FixtureRequest) -> bool:
    """Whether to write golden answers instead of comparing them; only where pytest was given tests/functions."""
    return bool(request.config.getoption("--golden", default=False))
