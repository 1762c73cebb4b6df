"""The real sandbox for tests, skipped with its own reason on a machine where the full jail does not stand."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from grader.sandbox import Sandbox, SandboxUnavailable, minimum_tier_from


@pytest.fixture(scope="session")
def jail() -> Iterator[Sandbox]:
    """One sandbox for all tests of this process, as each grader process has one."""
    try:
        sandbox = Sandbox(minimum_tier=minimum_tier_from(os.environ))
    except SandboxUnavailable as unavailable:
        pytest.skip(str(unavailable))
    yield sandbox
    sandbox.close()
