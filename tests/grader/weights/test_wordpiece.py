from __future__ import annotations

from pathlib import Path

import pytest

from grader.weights import WeightsError, WordPiece

VOCABULARY = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "the",
    "animal",
    "un",
    "##believ",
    "##able",
    "!",
    "-",
    "动",
    "物",
    "cafe",
    "$",
    "Animal",
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "vocab.txt"
    found.write_text("\n".join(VOCABULARY) + "\n", encoding="utf-8")
    return found


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The animal!", ["the", "animal", "!"]),
        ("  the\tanimal\n", ["the", "animal"]),
        ("unbelievable", ["un", "##believ", "##able"]),
        ("the-animal", ["the", "-", "animal"]),
        ("$animal", ["$", "animal"]),
        ("Café", ["cafe"]),
        ("动物", ["动", "物"]),
        ("the zebra", ["the", "[UNK]"]),
        ("unbelievably", ["[UNK]"]),
        ("the\x00 ani\u200bmal", ["the", "animal"]),
        ("x" * 101, ["[UNK]"]),
        ("", []),
    ],
)
def test_text_is_cut_as_bert_cuts_it(path: Path, text: str, tokens: list[str]) -> None:
    assert WordPiece.from_file(path).tokens(text) == ["[CLS]", *tokens, "[SEP]"]


def test_cased_vocabulary_keeps_its_capitals(path: Path) -> None:
    assert WordPiece.from_file(path, is_lower=False).tokens("Animal") == ["[CLS]", "Animal", "[SEP]"]


def test_ids_are_the_lines_of_the_vocabulary(path: Path) -> None:
    words = WordPiece.from_file(path)

    assert words.ids(words.tokens("the animal")) == [2, 4, 5, 3]


def test_windows_line_ends_are_no_part_of_a_token(path: Path) -> None:
    path.write_bytes("\r\n".join(VOCABULARY).encode())

    assert WordPiece.from_file(path).vocabulary["animal"] == 5


@pytest.mark.parametrize(
    ("content", "words"), [(b"the\nanimal", r"no \[CLS\], \[SEP\], \[UNK\]"), (b"\xff", "cannot be read")]
)
def test_file_that_is_no_vocabulary_is_refused(path: Path, content: bytes, words: str) -> None:
    path.write_bytes(content)

    with pytest.raises(WeightsError, match=words):
        WordPiece.from_file(path)


def test_vocabulary_that_is_missing_or_huge_is_refused(path: Path) -> None:
    with pytest.raises(WeightsError, match="cannot be read"):
        WordPiece.from_file(path.with_name("other.txt"))
    with path.open("ab") as file:
        file.truncate(2**30)
    with pytest.raises(WeightsError, match="too large"):
        WordPiece.from_file(path)
