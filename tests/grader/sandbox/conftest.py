from __future__ import annotations

from collections.abc import Iterator

import pytest

from grader.sandbox import Sandbox
from tests.grader.sandbox.running import open_sandbox


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """The full jail."""
    with open_sandbox(3) as opened:
        yield opened


@pytest.fixture(params=[3, 2, 1], ids=lambda tier: f"tier{tier}")
def tier(request: pytest.FixtureRequest) -> int:
    """Every tier in turn, for tests that open a sandbox of their own."""
    return int(request.param)


@pytest.fixture(scope="session", params=[2, 1], ids=lambda tier: f"tier{tier}")
def lower_sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """The jail without mounts, and without namespaces."""
    with open_sandbox(request.param) as opened:
        yield opened
