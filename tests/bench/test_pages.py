"""The suite `pages`, in one short round."""

from __future__ import annotations

from bench.pages import figures, page_times


def test_figures_are_multiples_of_the_empty_page() -> None:
    measured = {each.id: each for each in figures({"empty": [0.001, 0.003, 0.002], "lesson": [0.02, 0.03, 0.01]})}

    assert (measured["lesson_p50"].value, measured["lesson_p95"].value) == (10, 10)
    assert (measured["lesson_p50"].is_met, measured["empty_ms"].value) == (False, 2)


def test_every_page_and_the_check_answer_and_are_timed() -> None:
    measured = page_times(rounds=1)

    assert sorted(measured) == ["check", "course", "empty", "glossary", "item", "lesson", "review", "search", "skills"]
    assert all(len(seconds) == 1 and seconds[0] > 0 for seconds in measured.values())
