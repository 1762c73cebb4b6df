"""A whole site for tests, started as an operator starts it; where no code can run there is none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bench.site import Site, running_site
from grader.sandbox import Sandbox


@pytest.fixture(scope="session")
def started_site(jail: Sandbox) -> Iterator[Site]:
    """One site for all tests of this process that only use it."""
    with running_site(GRADER_PROCESSES="1", WEB_PROCESSES="1") as site:
        yield site
