"""A content folder as a whole."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from grader.gate import check_content
from tests.grader import kind_samples, samples

CONTENT = Path(__file__).parents[3] / "content"


def readable(words: str) -> list[str]:
    return []


def no_anchors(markdown: str) -> list[str]:
    return []


def as_item(toml: str) -> str:
    """A sample, which is a table of its own, as an entry of items.toml."""
    return "[[item]]\n" + re.sub(r"^(\[+)", r"\1item.", toml, flags=re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A course of one lesson with the items that a test writes."""
    shutil.copy(CONTENT / "misconceptions.toml", tmp_path)
    lesson = tmp_path / "course" / "lessons" / "only"
    lesson.mkdir(parents=True)
    (tmp_path / "course" / "course.toml").write_text(
        'format = 1\nslug = "course"\nlessons = ["only"]\n'
        'title = { zh-hans = "课", en = "Course" }\nsummary = { zh-hans = "课", en = "Course" }\n',
        encoding="utf-8",
    )
    return tmp_path


def write_items(folder: Path, **items: str) -> None:
    lesson = folder / "course" / "lessons" / "only"
    (lesson / "items.toml").write_text("\n".join(as_item(toml) for toml in items.values()), encoding="utf-8")
    for language in ("zh-hans", "en"):
        places = "\n\n".join(f"{{{{ item {slug} }}}}" for slug in items)
        (lesson / f"lesson.{language}.md").write_text(f"# Lesson\n\n{places}\n", encoding="utf-8")


def test_numbers_within_another_kind_are_tried_as_well(folder):
    write_items(folder, predict=kind_samples.PREDICT, why=samples.FREE_TEXT)

    predict, why = check_content([folder], readable, no_anchors).items

    assert (predict.place, predict.kind) == ("course/only/predict", "predict")
    assert predict.share is not None
    assert len(predict.classes) > 0
    assert (why.share, why.classes) == (None, ())


def test_a_formula_is_blamed_where_it_stands(folder):
    write_items(folder, qkv=samples.QKV)
    (folder / "course/lessons/only/lesson.en.md").write_text(
        "# L\n\nx $x$\n\n$bad$\n\n{{ item qkv }}\n", encoding="utf-8"
    )

    report = check_content(
        [folder], lambda words: [bad for bad in ("bad", "词") if bad in words and "# " in words], no_anchors
    )

    assert [(refusal.path.name, refusal.line, refusal.reason) for refusal in report.refusals] == [
        ("lesson.en.md", 5, "this cannot be shown: bad")
    ]


def test_a_table_with_a_silent_heading_is_blamed_in_its_line(folder):
    write_items(folder, qkv=samples.QKV)
    (folder / "course/lessons/only/lesson.en.md").write_text(
        "# L\n\n{{ item qkv }}\n\n| token | $x$ |\n|---|---|\n| sky | 1 |\n", encoding="utf-8"
    )

    (refusal,) = check_content([folder], readable, no_anchors).refusals

    assert (refusal.path.name, refusal.line) == ("lesson.en.md", 5)
    assert "nothing but a formula" in refusal.reason


def test_what_the_reader_refuses_is_the_whole_report(folder):
    report = check_content([folder], readable, no_anchors)

    assert (report.items, len(report.refusals)) == ((), 1)
    assert str(report.refusals[0]).endswith("this file is missing")
    assert report.to_json()["is_accepted"] is False


def test_misconceptions_that_no_item_can_name_are_noted(folder):
    write_items(folder, qkv=samples.QKV)

    (note,) = check_content([folder], readable, no_anchors).notes

    assert "bias_dropped" in note
    assert "w_transposed" not in note
