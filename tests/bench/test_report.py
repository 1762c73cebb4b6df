"""Figures and their aims, as people and as programs read them."""

from __future__ import annotations

import json

import pytest

from bench.__main__ import main
from bench.report import Figure, Report, as_text
from bench.timing import all_at_once, percentile, seconds_of

FAST = Figure("ratio", "verdict, in bare starts", 0.5, "×", "<= 1")
SLOW = Figure("rate", "submissions per start", 0.25, "×", ">= 1")
PLAIN = Figure("verdict_ms", "verdict", 123.45678, "ms")


def report(*figures: Figure) -> Report:
    return Report("stack", "a machine", "2026-01-02T03:04:05+00:00", figures)


@pytest.mark.parametrize(
    ("value", "aim", "is_met"),
    [(1, "<= 1", True), (1.01, "<= 1", False), (30, ">= 30", True), (29.9, ">= 30", False), (7, "", True)],
)
def test_a_figure_meets_its_aim_or_misses_it(value: float, aim: str, is_met: bool):
    assert Figure("id", "what", value, "×", aim).is_met is is_met


def test_json_carries_suite_machine_date_and_figures_with_an_aim_only_where_there_is_one():
    assert json.loads(json.dumps(report(FAST, PLAIN).to_json())) == {
        "suite": "stack",
        "machine": "a machine",
        "date": "2026-01-02T03:04:05+00:00",
        "figures": [
            {
                "id": "ratio",
                "what": "verdict, in bare starts",
                "value": 0.5,
                "unit": "×",
                "aim": "<= 1",
                "met": True,
            },
            {"id": "verdict_ms", "what": "verdict", "value": 123.4568, "unit": "ms"},
        ],
    }


def test_text_says_which_aim_is_missed():
    lines = as_text(report(FAST, SLOW)).splitlines()
    assert [line.endswith(("met", "MISSED")) for line in lines[-2:]] == [True, True]
    assert lines[-1].endswith("aim >= 1: MISSED")


@pytest.mark.parametrize(("figures", "status"), [((FAST, PLAIN), 0), ((FAST, SLOW), 1)])
def test_command_prints_json_and_fails_when_an_aim_is_missed(
    figures: tuple[Figure, ...], status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("bench.__main__.SUITES", {"stack": lambda: figures})
    assert main(["stack", "--json"]) == status
    printed = json.loads(capsys.readouterr().out)
    assert [figure["id"] for figure in printed["figures"]] == [figure.id for figure in figures]
    assert "Python 3." in printed["machine"]


def test_unknown_suite_is_refused_by_name(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["nothing"])
    assert "stack" in capsys.readouterr().err


@pytest.mark.parametrize(("share", "expected"), [(0.5, 2), (0.95, 4), (0.75, 3), (0.0, 1)])
def test_percentile_is_a_value_that_was_measured(share: float, expected: float):
    assert percentile([4, 1, 3, 2], share) == expected


def test_jobs_run_side_by_side_and_their_failure_is_not_lost():
    assert all_at_once([lambda: 1, lambda: 2]) == [1, 2]
    with pytest.raises(ZeroDivisionError):
        all_at_once([lambda: 1, lambda: 1 // 0])


def test_time_is_measured_in_seconds():
    assert 0 <= seconds_of(lambda: None) < 1
