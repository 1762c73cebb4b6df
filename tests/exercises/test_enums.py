from __future__ import annotations

from exercises import enums
from grader.marking import items, verdict


def test_stored_words_are_the_graders_words():
    assert enums.ItemKind.values == [str(kind) for kind in items.ItemKind]
    assert enums.Verdict.values == [str(each) for each in verdict.Verdict]
    assert enums.GradingProgress.values == [str(each) for each in verdict.GradingProgress]
