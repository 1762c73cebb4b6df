"""Code items: one entry of a plan makes its cases, and what cannot be meant is refused with the key."""

from __future__ import annotations

import re
import tomllib
from decimal import Decimal
from pathlib import Path

import pytest

from grader.bank.errors import DefinitionError
from grader.bank.items import read_item
from grader.bank.table import Table
from grader.marking.items import CodeItem
from grader.marking.properties import CaseGroup, Property
from tests.grader.code_samples import ALL, ATTEND, CACHE, FIX, PAIR, PROJECT
from tests.grader.samples import CODE

PAGE = Path(__file__).resolve().parents[3] / "docs" / "developer" / "add-a-code-item.md"


def read(toml: str) -> CodeItem:
    item = read_item(Table({**tomllib.loads(toml), "misconceptions": {}}))
    assert isinstance(item, CodeItem)
    return item


def changed(toml: str, old: str, new: str) -> str:
    assert old in toml
    return toml.replace(old, new, 1)


@pytest.mark.parametrize("name", ALL)
def test_items_of_every_make_are_read(name: str):
    item = read(ALL[name])

    assert sum(of for _, of in item.credit) == item.max_score
    assert {case.group for case in item.cases} == {CaseGroup.VISIBLE, CaseGroup.HIDDEN}


def test_the_example_of_the_page_is_an_item_as_it_stands():
    (written,) = re.findall(r"```toml\n(\[\[item\]\].*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    item = read_item(Table({**tomllib.loads(written)["item"][0], "misconceptions": {}}))

    assert isinstance(item, CodeItem)
    assert (item.signature, len(item.cases)) == ("project(x, W, b=None)", 13)


def test_one_entry_makes_a_case_for_each_size_and_each_variation():
    varied = [case for case in read(PROJECT).cases if case.property is Property.INPUTS]

    assert [(case.form("x").dtype, case.form("x").layout) for case in varied] == [
        ("float32", "plain"),
        ("int64", "plain"),
        ("float64", "fortran"),
        ("float64", "strided"),
        ("float64", "read_only"),
    ]
    assert {case.derivation.sizes for case in varied} == {(("S", 4), ("d", 3), ("d_k", 2))}


def test_an_integer_array_is_drawn_from_whole_numbers():
    (whole,) = (case for case in read(PROJECT).cases if case.form("x").dtype == "int64")

    assert {given.draw for given in whole.derivation.givens} == {(-2, -1, 1, 2)}


def test_what_is_left_out_is_left_out_of_the_steps_as_well():
    without = next(case for case in read(CACHE).cases if case.group is CaseGroup.VISIBLE)

    assert [step.arguments for step in without.derivation.steps if step.operation.name == "append_row"] == [
        ("k",),
        ("v",),
    ]


def test_scale_and_draw_change_what_cells_are_drawn_from():
    cases = read(ATTEND).cases
    draws = [{given.name: given.draw for given in case.derivation.givens} for case in cases]

    assert {draw["mask"] for draw in draws if "mask" in draw} == {(0,), (0, 1, 1)}
    assert max(max(draw["Q"]) for draw in draws) == 2000


def test_turns_make_a_call_of_each_letter_with_what_its_sequence_has_come_to():
    turns = [case for case in read(CACHE).cases if case.turn]

    assert [case.turn.sequence for case in turns if case.turn] == list("ABAB")
    assert [case.turn.is_first for case in turns if case.turn] == [True, False, False, False]
    assert [dict(case.derivation.sizes).get("S") for case in turns] == [None, None, 1, 1]
    assert ["K_past" in {given.name for given in case.derivation.givens} for case in turns] == [
        False,
        False,
        True,
        True,
    ]


def test_an_item_without_credit_gives_all_for_its_values():
    assert read(CODE).credit == ((Property.VALUES, Decimal(5)),)


BROKEN = [
    (CODE, 'parameters = ["x", "W", "b"]', 'parameters = ["x", "W"]', "parameters", "must be the givens: W, b, x"),
    (CODE, 'group = "visible"', 'group = "open"', "case.0.group", "'open' is unknown; known are visible, hidden"),
    (CODE, 'group = "visible"\nseed = 1', 'group = "visible"', "case.0.seed", "a visible case has a seed"),
    (CODE, 'group = "hidden"', 'group = "hidden"\nseed = 3', "case.1.seed", "a visible case has a seed"),
    (CODE, 'group = "visible"\nseed = 1', 'group = "hidden"', "case", "visible and hidden cases are needed"),
    (CODE, 'without = ["b"]', 'without = ["W"]', "case.2.without", "'W' is not optional"),
    (CODE, 'given = { x = ["d"] }', 'given = { y = ["d"] }', "case.1.given.y", "unknown key"),
    (CODE, 'given = { x = ["d"] }', 'given = { x = ["Z"] }', "case.1.given.x", "'Z' has no size"),
    (CODE, "[given]", 'returns = ["q", "k"]\n[given]', "returns", "must be the asked steps: q"),
    (CODE, "[given]", "returns = [1]\n[given]", "returns", "must be the asked steps: q"),
    (CODE, "[given]", "returns = []\n[given]", "returns", "must be the asked steps: q"),
    (CODE, "[given]", 'dtype = { x = "float16" }\n[given]', "dtype.x", "known are float64"),
    (CODE, "[given]", "credit = { values = 4 }\n[given]", "credit", "add up to 5"),
    (CODE, "[given]", "credit = { values = 6, shapes = -1 }\n[given]", "credit", "positive shares"),
    (CODE, "[given]", "credit = { shapes = 5 }\n[given]", "credit", "one for values"),
    (CODE, "[given]", "credit = { values = 4, beauty = 1 }\n[given]", "credit.beauty", "unknown key"),
    (CODE, "[given]", "credit = { values = 4, shapes = 1 }\n[given]", "credit", "no hidden case tries shapes"),
    (
        CODE,
        'without = ["b"]',
        'without = ["b"]\nproperty = "shapes"',
        "credit",
        "there are cases of shapes, which earns nothing",
    ),
    (CODE, 'without = ["b"]', 'without = ["b"]\nproperty = "beauty"', "case.2.property", "'beauty' is unknown"),
    (CODE, 'without = ["b"]', 'without = ["b"]\nvariations = ["big"]', "case.2.variations", "'big' is unknown"),
    (CODE, "[given]", 'judge = "taste"\n[given]', "judge", "'taste' is unknown; known are asymmetric_pair"),
    (CODE, "[given]", 'work = ["q"]\n[given]', "work", "some of q"),
    (CODE, "[given]", 'pairs = { y = ["x", "b"] }\n[given]', "pairs.y", "unknown key"),
    (CODE, 'x = { shape = ["S", "d"]', 'x = { shape = "S"', "given.x.shape", "a list of texts is needed"),
    (
        PROJECT,
        "draw = [-2, -1, -0.5, 0.5, 1, 2]",
        "draw = [-0.5, 0.5, 1, 2]",
        "case.5.variations",
        "x needs 3 whole numbers",
    ),
    (CACHE, 'work = ["K", "V"]', 'work = ["K", "V", "out"]', "work", "some of out, K, V"),
    (CACHE, 'work = ["K", "V"]\n', "", "credit", "no hidden case tries work"),
    (CACHE, "credit = { values = 3, work = 2 }", "credit = { values = 5 }", "work", "with a credit for work"),
    (CACHE, 'turns = "ABAB"', 'turns = "AAA"', "case.2.turns", "at least two sequences must take turns"),
    (CACHE, 'turns = "ABAB"', 'turns = "AB", without = ["cache"]', "case.2.without", "calls in turn have none"),
    (CACHE, 'carry = { K_past = "K", V_past = "V" }\n', "", "case.2.turns", "must say in `carry`"),
    (
        CACHE,
        'K_past = "K"',
        'K_past = "q"',
        "carry.K_past",
        "only what is asked for goes on to the next call: K, V, out",
    ),
    (CACHE, 'K_past = "K"', 'Z = "K"', "carry.Z", "unknown key"),
    (CACHE, 'keep = ["W_Q"', 'keep = ["K_past"', "keep", "'K_past' is none of the other givens"),
    (FIX, 'slip = "scale_missing"', 'slip = "bias_twice"', "bug.slip", "scale_missing at scaled"),
    (PAIR, 'judge = "asymmetric_pair"', "judge = 3", "judge", "a text is needed"),
]


@pytest.mark.parametrize(("toml", "old", "new", "key", "reason"), BROKEN)
def test_a_definition_that_cannot_be_meant_is_refused_with_its_key(
    toml: str, old: str, new: str, key: str, reason: str
):
    with pytest.raises(DefinitionError) as caught:
        read(changed(toml, old, new))

    assert (".".join(map(str, caught.value.key)), reason in caught.value.reason) == (key, True), caught.value.reason
