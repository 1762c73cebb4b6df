"""The content check as an author meets it: every refusal, on the tiny curriculum with one thing spoiled."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from exercises.markup.readable import unreadable
from tests.exercises.conftest import CONTENT

ITEMS = "tiny/lessons/first/items.toml"
RUBRIC = "tiny/lessons/second/items.toml"
LESSON = "tiny/lessons/first/lesson.en.md"
WORDS = "misconceptions.toml"
SKILLS = "skills.toml"
HELP = """
skill = "row-projection"
hints = [
    { zh-hans = "要的是什么？", en = "What is asked?" },
    { zh-hans = "用哪条规则？", en = "Which rule helps?" },
]"""
ALL_ANSWERS = ", ".join(str(number) for number in range(-40, 41))
SELDOM_UNLIKE = "draw = [" + "1, " * 60 + "2] }"


@dataclass(frozen=True, slots=True)
class Spoiled:
    """What takes the place of what in a file; the key that is blamed, and what is said of it."""

    file: str
    replacements: tuple[tuple[str, str], ...]
    key: str
    reason: str


def once(file: str, old: str, new: str, key: str, reason: str) -> Spoiled:
    return Spoiled(file, ((old, new),), key, reason)


SPOILED = {
    "poor draw": once(ITEMS, "draw = [-1, 0, 1, 2, 3] }", SELDOM_UNLIKE, "item[1].given", "tell the mistakes apart"),
    "mistake that passes": Spoiled(
        ITEMS,
        (
            ("sizes = { d = 2, d_k = 2 }", "sizes = { d = 3, d_k = 3 }"),
            ("draw = [-1, 0, 1, 2, 3] }", "draw = [-1, -0.5, 0, 0.5, 1, 1.5, 2] }"),
            (
                'q = "project_rows(x, W_Q)"\n[item.ask]\nq = { decimals = 2 }',
                'attn_weights = "causal_softmax(W_Q)"\n[item.ask]\nattn_weights = { decimals = 3, rows = [2] }',
            ),
        ),
        "item[1].ask",
        r"mask_forgotten at attn_weights (\operatorname{softmax}(W_{Q})) would be marked correct",
    ),
    "case missing": Spoiled(
        ITEMS,
        (
            ('parameters = ["x", "W"]\noptional = []', 'parameters = ["x", "W", "b"]\noptional = ["b"]'),
            (
                '[item.steps]\nq = "project_rows(x, W)"',
                'b = { shape = ["d_k"], draw = [1, 2] }\n[item.steps]\nq = "project_rows(x, W, b)"',
            ),
        ),
        "item[3].case",
        "no case tells w_transposed at q (W x + b) from bias_wrong_axis at q (x W + b^{\\top}); one with x [3, 3], ",
    ),
    "other decimals": once(ITEMS, "Find $q = x W_Q$.", "Find $q$ to 3 decimals.", "item[1].prompt.en", "ask for 3"),
    "answer in the prompt": once(
        ITEMS, "求 $q = x W_Q$。", f"求 $q$：{ALL_ANSWERS}。", "item[1].prompt.zh-hans", "the answer for q on 50 of 50"
    ),
    "answer in a hint": once(
        WORDS, "先看题目写的是", f"{ALL_ANSWERS}。先看题目写的是", "item[1]", "the hint of w_transposed (zh-hans) holds"
    ),
    "option in the prompt": once(ITEMS, "哪个是参数？", "是不是 $W_Q$？", "item[2].prompt.zh-hans", "word for word"),
    "TeX in a prompt": once(ITEMS, "Find $q = x", r"Find $q \\isto x", "item[1].prompt.en", r"q \isto x W_Q"),
    "TeX in an option": once(ITEMS, 'en = "$q$"', 'en = "$q_{$"', "item[2].option[2].text.en", "be shown: q_{"),
    "TeX in a rubric": once(RUBRIC, "Says that $q$", "Says that $q", "item[1].criterion[3].text.en", "Says that $q is"),
    "TeX in a misconception": once(
        WORDS, r"x W^\\top$。行约定", r"x W^\\tob$。行约定", "w_transposed.explanation.zh-hans", r"\tob"
    ),
    "TeX in a lesson": once(LESSON, "Now choose.", "Now choose $\\qury$.", "", r"\qury"),
    "no skill": once(ITEMS, 'skill = "row-projection"\n', "", "item[1].skill", "every item names the skill"),
    "another skill": once(ITEMS, "row-projection", "rows", "item[1].skill", "skills.toml has no 'rows'; it has dot-"),
    "one hint": once(ITEMS, HELP.splitlines()[3] + "\n", "", "item[1].hints", "at least 2 hints"),
    "five hints": once(ITEMS, HELP.splitlines()[3], HELP.splitlines()[3] * 4, "item[1].hints", "1 to 4 hints"),
    "half a hint": once(ITEMS, ', en = "What is asked?"', "", "item[1].hints[1].en", "this key is missing"),
    "answer in a rung": once(
        ITEMS, "What is asked?", f"{ALL_ANSWERS}.", "item[1].hints[1].en", "the answer for q on 50"
    ),
    "option in a rung": Spoiled(
        ITEMS,
        (("What is asked?", "What?"), ("What is asked?", "Is $W_Q$ one?")),
        "item[2].hints[1].en",
        "word for word",
    ),
    "TeX in a skill": once(SKILLS, "$x W$", r"$x \\isto$", "row-projection.summary.zh-hans", r"\isto"),
    "not translated": once(
        ITEMS, "哪个是参数？", "Which one is a parameter?", "item[2].prompt.zh-hans", "not translated"
    ),
    "link in a prompt": once(ITEMS, "Find $q", "[Find](#s-here) $q", "item[1].prompt.en", "has no place #s-here"),
    "link in a lesson": once(LESSON, "Now choose.", "Now [choose](../third/).", "", "there is no lesson 'third'"),
    "translation missing": once(ITEMS, ', en = "One query"', "", "item[1].title.en", "this key is missing"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The tiny curriculum with the words for all misconceptions, and with a skill and hints for every item."""
    copied = Path(shutil.copytree(CONTENT, tmp_path / "content"))
    for name in (WORDS, SKILLS):
        shutil.copy(settings.CONTENT_DIRS[0] / name, copied / name)
    programs = copied / "tiny" / "reference" / "program"
    programs.mkdir(parents=True)
    for name, found, result in (("right", "correct", "x @ W"), ("wrong_side", "w_transposed", "x @ W.T")):
        (programs / f"{name}.py").write_text(f"# expect: {found}\ndef project(x, W):\n    return {result}\n", "utf-8")
    for path in (copied / ITEMS, copied / RUBRIC):
        path.write_text(
            re.sub(r"^(kind = .*)$", rf"\1{HELP}", path.read_text(encoding="utf-8"), flags=re.MULTILINE), "utf-8"
        )
    return copied


def spoil(folder: Path, spoiled: Spoiled) -> Path:
    path = folder / spoiled.file
    source = path.read_text(encoding="utf-8")
    for old, new in spoiled.replacements:
        assert source.count(old) >= 1
        source = source.replace(old, new, 1)
    path.write_text(source, encoding="utf-8")
    return path


@pytest.mark.parametrize("spoiled", SPOILED.values(), ids=SPOILED)
def test_what_is_wrong_is_refused_with_path_line_key_and_reason(folder, capsys, spoiled):
    path = spoil(folder, spoiled)

    with pytest.raises(CommandError) as ended:
        call_command("content_check", str(folder), "--json")

    assert ended.value.returncode == 1
    report = json.loads(capsys.readouterr().out)
    assert report["is_accepted"] is False
    refusals = [*report["refusals"], *(refusal for item in report["items"] for refusal in item["refusals"])]
    (found,) = [refusal for refusal in refusals if spoiled.reason in refusal["reason"]]
    blamed = folder / ITEMS if spoiled.key.startswith("item") and spoiled.file == WORDS else path
    assert (found["path"], found["key"]) == (str(blamed), spoiled.key)
    assert found["line"] > 0


def test_sound_content_is_in_order(folder, capsys):
    call_command("content_check", str(folder))

    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "tiny/first/by-hand (numeric): in order",
        "  4 slips in 3 classes; 69.5% of the seeds tell them apart",
        r"    1. w_transposed at q (x W_{Q}^{\top}) = w_transposed at q (W_{Q} x)",
    ]
    assert "tiny/second/in-words (free_text): in order" in lines
    end = lines.index("items: 4; refusals: 0")
    assert lines[end - 2].startswith("note: misconceptions that no item names: wrong_matrix, wrong_vector")
    assert lines[end - 1].startswith("note: skills that no item names: dot-product-scores, naive-attention")
    assert lines[-1].endswith("; refusals: 0")


def test_the_report_names_each_refusal_and_counts_them(folder, capsys):
    path = spoil(folder, SPOILED["other decimals"])
    lesson = spoil(folder, SPOILED["TeX in a lesson"])

    with pytest.raises(CommandError, match="the content is refused"):
        call_command("content_check", str(folder))

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "tiny/first/by-hand (numeric): refused"
    assert [line for line in lines if "refused: " in line] == [
        f"  refused: {path}:12: item[1].prompt.en: the words ask for 3 decimals, the fields for q 2",
        f"refused: {lesson}:7: this cannot be shown: \\qury",
    ]
    assert "items: 4; refusals: 2" in lines


def test_slips_of_an_item_are_listed_with_its_notes(folder, capsys):
    spoil(folder, once(ITEMS, "sizes = { d = 2, d_k = 2 }", "sizes = { d = 3, d_k = 2 }", "", ""))

    call_command("content_check", str(folder))
    assert "  note: w_transposed at q (W_{Q} x) cannot be made with these sizes and numbers" in capsys.readouterr().out

    call_command("content_check", str(folder), "--json")
    item = json.loads(capsys.readouterr().out)["items"][0]
    assert (item["item"], item["slips"], item["share"]) == ("tiny/first/by-hand", 4, 0.965)
    assert item["classes"] == [[r"projection_ignores_input at q (\sum_m {W_{Q}}_m)"]]
    assert item["notes"] == [
        r"w_transposed at q (x W_{Q}^{\top}) cannot be made with these sizes and numbers",
        "w_transposed at q (W_{Q} x) cannot be made with these sizes and numbers",
        "projection_skipped at q (x) cannot be made with these sizes and numbers",
    ]


def test_the_table_is_not_made_of_refused_content(folder, capsys):
    spoil(folder, SPOILED["translation missing"])

    with pytest.raises(CommandError):
        call_command("content_check", str(folder), "--table")

    assert capsys.readouterr().out.splitlines()[-1] == "items: 0; refusals: 1"


def test_the_installations_own_content_is_in_order_and_the_page_of_slips_is_current(capsys):
    call_command("content_check", "--table")

    page = (settings.ROOT / "docs" / "developer" / "slips.md").read_text(encoding="utf-8")
    assert capsys.readouterr().out == page
    assert unreadable(page) == []
