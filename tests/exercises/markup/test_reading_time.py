from __future__ import annotations

from pathlib import Path

import pytest

from exercises.markup import reading_minutes
from grader.bank import Prose, read_content
from grader.marking.either import told
from grader.marking.items import Convention

CONTENT = Path(__file__).parents[3] / "content"


@pytest.mark.parametrize(
    ("texts", "minutes"),
    [
        ([], 1),
        (["词" * 255 * 7], 7),
        (["word " * 180 * 3, "# A heading\n\n" + "word " * 178], 4),
        (["词" * 255 + " word" * 180], 2),
    ],
)
def test_characters_and_words_add_up(texts: list[str], minutes: int) -> None:
    assert reading_minutes(texts) == minutes


def test_every_lesson_of_the_course_takes_ten_to_twenty_minutes_in_both_languages_and_conventions() -> None:
    found = {
        (source.lesson.slug, language, convention): reading_minutes(
            [told(part.markdown, convention) for part in parts if isinstance(part, Prose)]
        )
        for curriculum in read_content(CONTENT)
        for source in curriculum.lessons
        for language, parts in source.lesson.segments.items()
        for convention in Convention
    }

    assert len(found) == 24
    assert {place: minutes for place, minutes in found.items() if not 10 <= minutes <= 20} == {}
