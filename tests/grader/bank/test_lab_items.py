"""Definitions of labs: read, or refused with the key; data files put in where they are named."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command

from grader.bank import ContentError, parse_item, read_content
from grader.bank.errors import DefinitionError
from grader.marking.items import GoalKind, LabItem
from grader.marking.lab_goals import run_lab
from tests.grader import samples
from tests.grader.kind_samples import LAB
from tests.grader.samples import HEAD

LOOKS_MOST = '[[goal]]\nkind = "looks_most"\nfrom = 1\n'


def lab(toml: str = LAB) -> LabItem:
    item = samples.item(toml)
    assert isinstance(item, LabItem)
    return item


def test_a_lab_is_read_with_its_goals():
    item = lab()
    assert [(goal.kind, goal.query, goal.key, goal.bound) for goal in item.goals] == [
        (GoalKind.ABOVE, 0, 2, 0.4),
        (GoalKind.BELOW, 2, 0, 0.4),
        (GoalKind.ONE_WAY, 0, 2, 2.0),
    ]
    assert item.lab.queries == (0, 1, 2)
    assert [token.en for token in item.lab.tokens] == ["cat", "sat", "mat"]


@pytest.mark.parametrize(
    ("old", "new", "key", "reason"),
    [
        ("W_Q = [[0, 6], [0, -6]]", "W_Q = [[0, 1], [0, -1]]", "lab.reached_by", "do not reach the goal"),
        ('change = ["W_Q", "W_K"]', 'change = ["W_O"]', "lab.change", "'W_O' is not among"),
        ('change = ["W_Q", "W_K"]', 'change = ["W_V"]', "lab.change", "'W_V' is not among"),
        ("X = [[1, 0], [0, 1], [1, 1]]", "X = [[1, 0], [0, 1]]", "lab.given", "the scores are (2, 2)"),
        ("X = [[1, 0], [0, 1], [1, 1]]", "X = [[1, 0], [0], [1, 1]]", "lab.given.X", "each with as many"),
        ("X = [[1, 0], [0, 1], [1, 1]]", "X = [[1, 0], [0, nan], [1, 1]]", "lab.given.X", "must be a number"),
        ("X = [[1, 0], [0, 1], [1, 1]]", "X = [[1], [0], [1]]", "lab.given", "the shapes do not meet"),
        ("X = [[1, 0], [0, 1], [1, 1]]", "Y = [[1]]", "lab.given", "starts from X"),
        ('zh-hans = ["猫", "坐", "垫"]', 'zh-hans = ["猫", "坐"]', "lab.tokens", "as many in each language"),
        ('kind = "above"', 'kind = "over"', "goal[1].kind", "'over' is no goal"),
        ('kind = "above"', 'kind = "looks_away"', "goal[1].to", "unknown key"),
        ("from = 1\nto = 3\nbound = 0.4", "from = 4\nto = 3\nbound = 0.4", "goal[1].from", "counted from 1 to 3"),
        ("[lab.given]", "queries = [2]\n[lab.given]", "lab.given", "the scores are (3, 3)"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_key(old, new, key, reason):
    assert old in LAB
    with pytest.raises(DefinitionError) as refused:
        lab(LAB.replace(old, new, 1))
    assert str(refused.value).startswith(f"{key}: ")
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("given", "more", "reason"),
    [
        ("logits = [[1, 2]]", "queries = [1]\nscaled = true", "no d_k"),
        ("logits = [[1, 2]]", "queries = [1]\ncausal = true", "every token must look"),
        ("logits = [[1, 2]]\nfactor = [[1, 2]]", "queries = [1]", "a factor is [[number]]"),
        ("logits = [[1, 2]]\nK = [[1], [2]]", "queries = [1]", "unknown key"),
        (f"Q = {[[0.0] * 65] * 2}\nK = {[[0.0] * 65] * 2}", "", "up to 64 numbers"),
    ],
)
def test_rules_that_what_is_given_cannot_follow_are_refused(given, more, reason):
    guess = LAB[LAB.index("[guess]") : LAB.index("[lab]")]
    toml = (
        f'{HEAD}slug = "lab"\nkind = "lab"\nmax_score = 1\n{guess}[lab]\n'
        f'tokens = {{ zh-hans = ["甲", "乙"], en = ["a", "b"] }}\n{more}\n[lab.given]\n{given}\n{LOOKS_MOST}'
    )
    with pytest.raises(DefinitionError, match=reason.replace("[", r"\[")):
        lab(toml)


def test_a_data_file_becomes_part_of_the_definition(tmp_path: Path):
    (curriculum,) = read_content(content_with_data(tmp_path, {"about": "ours", "tokens": ["It", "is"], **ARRAYS}))
    definition = curriculum.lessons[0].items[0].definition
    item = parse_item(definition)
    assert isinstance(item, LabItem)
    assert "data" not in definition["lab"]
    assert [token.zh_hans for token in item.lab.tokens] == ["It", "is"]
    assert item.lab.given["K"] == ((0.5, 1.0), (2.0, -1.0))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (None, "it.json cannot be read"),
        ([], "is no JSON object"),
        ({"Q": [[1]]}, "is no JSON object"),
        ({"tokens": ["a", "b"], "Q": [[1.0]], "K": [[1.0], [2.0]], "weights": [[1]]}, "unknown key"),
    ],
)
def test_a_data_file_that_holds_something_else_is_refused(tmp_path: Path, data, reason):
    with pytest.raises(ContentError, match=reason):
        read_content(content_with_data(tmp_path, data))


ARRAYS = {"Q": [[1.0, 0.0], [0.25, 1.0]], "K": [[0.5, 1.0], [2.0, -1.0]], "V": [[1.0], [2.0]]}


def test_a_data_file_elsewhere_is_refused(tmp_path: Path):
    folder = content_with_data(tmp_path, {"tokens": ["a", "b"], **ARRAYS})
    items = folder / "course" / "lessons" / "only" / "items.toml"
    items.write_text(items.read_text().replace("labs/it.json", "../only/../../course.toml"))
    with pytest.raises(ContentError, match="must lie in the folder"):
        read_content(folder)


def content_with_data(folder: Path, data: object) -> Path:
    """A course of one lesson with one lab that is only looked at."""
    lesson = folder / "course" / "lessons" / "only"
    (lesson / "labs").mkdir(parents=True)
    (folder / "misconceptions.toml").write_text("")
    (folder / "skills.toml").write_text("")
    (folder / "course" / "course.toml").write_text(
        'format = 1\nslug = "course"\nlessons = ["only"]\n'
        'title = { zh-hans = "课", en = "c" }\nsummary = { zh-hans = "课", en = "c" }\n'
    )
    for language in ("zh-hans", "en"):
        (lesson / f"lesson.{language}.md").write_text("# T\n\n{{ item look }}\n")
    guess = LAB[LAB.index("[guess]") : LAB.index("[lab]")].replace("[guess", "[item.guess")
    (lesson / "items.toml").write_text(
        f'[[item]]\nslug = "look"\nkind = "lab"\nmax_score = 1\n{HEAD}{guess}'
        '[item.lab]\ndata = "labs/it.json"\nscaled = true\n' + LOOKS_MOST.replace("[[goal]]", "[[item.goal]]")
    )
    if data is not None:
        (lesson / "labs" / "it.json").write_text(json.dumps(data))
    return folder


@pytest.mark.parametrize(
    ("data", "item", "expected"),
    [
        ({"causal": True, "scaled": True}, "", (True, True)),
        ({"causal": True, "scaled": True}, "causal = false", (False, True)),
        ({"causal": False, "scaled": False}, "", (False, False)),
        ({}, "scaled = true", (False, True)),
    ],
)
def test_a_data_file_brings_the_rules_of_its_head_and_the_item_has_the_last_word(
    tmp_path: Path, data: dict[str, bool], item: str, expected: tuple[bool, bool]
):
    folder = content_with_data(tmp_path, {"about": {}, "tokens": ["It", "is"], **data, **ARRAYS})
    items = folder / "course" / "lessons" / "only" / "items.toml"
    items.write_text(items.read_text().replace("scaled = true", item))
    read = parse_item(read_content(folder)[0].lessons[0].items[0].definition)
    assert isinstance(read, LabItem)
    assert (read.lab.is_causal, read.lab.is_scaled) == expected


def test_a_rule_of_a_data_file_that_is_no_rule_is_refused(tmp_path: Path):
    folder = content_with_data(tmp_path, {"tokens": ["It", "is"], "causal": "perhaps", **ARRAYS})
    with pytest.raises(ContentError, match=r"lab\.causal: true or false"):
        read_content(folder)


def test_what_the_import_writes_for_a_decoder_is_a_lab_without_another_word(tmp_path: Path):
    decoder = Path(__file__).parents[2] / "fixtures" / "decoders" / "llama.gguf"
    folder = content_with_data(tmp_path, None)
    lesson = folder / "course" / "lessons" / "only"
    call_command(
        *("import_weights", str(decoder), "--layer=1", "--head=1", "--text=The cat", f"--out={lesson}/labs/it.json"),
        stdout=StringIO(),
    )
    items = lesson / "items.toml"
    items.write_text(items.read_text().replace("scaled = true\n", ""))
    item = parse_item(read_content(folder)[0].lessons[0].items[0].definition)
    assert isinstance(item, LabItem)
    written = json.loads((lesson / "labs" / "it.json").read_text())
    shown = run_lab(item.lab, {})["attn_weights"]
    assert np.abs(shown - written["about"]["attn_weights"]).max() < 1e-4
    assert not np.triu(shown, 1).any()
