from __future__ import annotations

from collections import Counter

import pytest

from scripts import run_tests


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("======== 1 failed, 12 passed, 3 skipped in 2.52s ========\n", Counter(failed=1, passed=12, skipped=3)),
        ("12 passed, 2 errors in 691.16s (0:11:31)\n", Counter(passed=12, errors=2)),
        ("5 passed, 20 deselected, 1 warning in 0.51s\n", Counter(passed=5)),
        ("test_it.py says: 3 passed in 1s\n", Counter()),
        ("======== short test summary info ========\n", Counter()),
    ],
)
def test_the_closing_line_is_counted(line: str, counts: Counter[str]) -> None:
    assert run_tests.counted(line) == counts


def test_both_runs_are_added_up_and_one_failure_is_enough(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    results = iter([(0, Counter(passed=5)), (1, Counter(passed=2, failed=1))])
    monkeypatch.setattr(run_tests, "run", lambda _environment, _arguments: next(results))

    status = run_tests.main([])

    assert status == 1
    assert capsys.readouterr().out.splitlines()[-1] == "7 passed, 1 failed, 0 skipped"


def test_a_run_without_any_test_is_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_tests, "run", lambda _environment, _arguments: (run_tests.NO_TEST_CHOSEN, Counter()))

    assert run_tests.main([]) == 1
