from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from grader import marking
from grader.marking import phrases
from grader.marking.phrases import phrase

FOLDER = Path(marking.__file__).parent
BOOK = tomllib.loads((FOLDER / "phrases.toml").read_text(encoding="utf-8"))
ENTRIES = [(f"{group}.{key}", texts) for group, entries in BOOK.items() for key, texts in entries.items()]
BLANK = re.compile(r"\{(\w+)\}")


@pytest.mark.parametrize(("name", "texts"), ENTRIES)
def test_both_languages_have_the_same_blanks_and_no_empty_text(name, texts):
    assert set(texts) == {"zh-hans", "en"}
    assert all(text.strip() for text in texts.values())
    assert set(BLANK.findall(texts["zh-hans"])) == set(BLANK.findall(texts["en"]))


@pytest.mark.parametrize(("name", "texts"), ENTRIES)
def test_a_filled_phrase_has_no_blank_left(name, texts):
    filled = phrase(name, **dict.fromkeys(BLANK.findall(texts["en"]), "7"))

    assert not BLANK.search(filled.en + filled.zh_hans)


def _part_of_name(name: str) -> str:
    """What stands in the code: a guess is asked by the slug of the accident, a goal of a lab by its kind."""
    group, _, key = name.partition(".")
    return re.sub("_(asked|holds|missing)$", "", key) if group == "lab" else key.removeprefix("maybe_")


def test_every_phrase_is_said_somewhere():
    house = FOLDER.parent.parent
    sources = [path for part in ("grader", "exercises") for path in (house / part).rglob("*.py")]
    code = "".join(path.read_text(encoding="utf-8") for path in sources)
    unsaid = [name for name, _ in ENTRIES if _part_of_name(name) not in code]

    # A title is said with its phrase, by adding "_title" to the name.
    assert [name for name in unsaid if not name.endswith("_title")] == []


def test_a_phrase_that_is_not_in_the_book_is_an_error():
    with pytest.raises(KeyError):
        phrases.phrase("notation.unheard_of")
