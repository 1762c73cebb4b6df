"""One or more tests for every kind of weakness that a sandbox of this make can have, whatever the attacks in `attacks`
happen to try: relations, leftovers, evidence, rights, ways out, tiers, verdicts, borders, and honest programs."""

from __future__ import annotations

import os
import signal

import pytest

from tests.grader.sandbox.running import becomes_true, honest, is_alive, is_right, open_sandbox

pytestmark = pytest.mark.jail


def end_and_see_it_gone(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    assert becomes_true(lambda: not is_alive(pid), seconds=5)


def test_a_keeper_that_died_between_two_runs_is_replaced_and_no_descriptor_is_closed_twice() -> None:
    """As when memory runs out: then the kernel ends keepers first."""
    with open_sandbox(3) as opened:
        assert is_right(opened.run(honest()))
        opened._zygote.wait_until_settled()
        end_and_see_it_gone(opened._zygote.pid)
        numbers_taken = [os.dup(0) for _ in range(64)]

        assert [is_right(opened.run(honest())) for _ in range(2)] == [True, True]
        opened.close()
        for number in numbers_taken:
            os.close(number)
