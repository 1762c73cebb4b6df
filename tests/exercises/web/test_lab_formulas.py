"""The formula above each table of a lab, worked out over the tables as they stand on the page."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from exercises.web.lab_readouts import fixed
from exercises.web.lab_view import LabTable, lab_view
from grader.attention.projection import Array
from grader.attention.softmax import softmax
from grader.bank import ItemSource, item_conventions, parse_item, read_content
from grader.derivation.convention import twin_name
from grader.derivation.typeset import symbol
from grader.marking.items import Convention, ItemKind, LabItem
from grader.marking.lab_goals import run_lab
from tests.grader import samples
from tests.grader.kind_samples import LAB, LAB_TO_LOOK_AT

CONTENT = Path(__file__).parents[3] / "content"
SOURCES = [source for curriculum in read_content(CONTENT) for lesson in curriculum.lessons for source in lesson.items]
ITEMS = [parse_item(source.definition) for source in SOURCES]
LABS = [item for item in (*ITEMS, *map(samples.item, (LAB, LAB_TO_LOOK_AT))) if isinstance(item, LabItem)]
SOFTMAX = re.compile(r"\\text\{softmax\}\((.*)\)")
ROOT = r" / \sqrt{d_k}"


def tables(item: LabItem, layout: Convention) -> list[LabTable]:
    """Every table of the open lab; without fields all of them show their numbers."""
    view = lab_view(item, item.slug, {"guess": item.guesses[0].key}, (), None, layout)
    return [table for stage in view.stages for table in stage.tables]


def worked_out(right: str, known: dict[str, Array], d_k: int) -> Array:
    """The right-hand side of a caption over the arrays that its letters stand for."""
    if found := SOFTMAX.fullmatch(right):
        return softmax(known[found[1]])
    if right.endswith(ROOT):
        scaled: Array = worked_out(right.removesuffix(ROOT), known, d_k) / np.sqrt(d_k)
        return scaled
    if r"\," in right:
        factor, array = right.split(r"\,")
        return known[factor] * known[array]
    factors = [
        known[part.removesuffix(r"^\top")].T if part.endswith(r"^\top") else known[part] for part in right.split()
    ]
    product: Array = np.linalg.multi_dot(factors) if len(factors) > 1 else factors[0]
    return product


@pytest.mark.parametrize("layout", Convention)
@pytest.mark.parametrize("item", LABS, ids=lambda item: item.slug)
def test_every_formula_of_a_lab_gives_the_table_under_it(item: LabItem, layout: Convention) -> None:
    arrays = run_lab(item.lab, {})
    shown = {
        table.name: arrays[table.name].T if table.is_turned else arrays[table.name] for table in tables(item, layout)
    }
    told = {name: twin_name(name) if layout is Convention.COLUMN else name for name in shown}
    known = {symbol(told[name]): array for name, array in shown.items()}
    keys = arrays.get("K", arrays.get("X"))
    for table in tables(item, layout):
        name, _, right = table.tex.partition(" = ")
        assert name == symbol(told[table.name])
        assert [[cell.text for cell in row] for row in table.rows] == [
            [fixed(value) for value in row] for row in shown[table.name].tolist()
        ]
        assert bool(right) == (table.name not in item.lab.given)
        if right:
            d_k = 1 if keys is None else keys.shape[1]
            assert worked_out(right, known, d_k) == pytest.approx(shown[table.name]), (table.tex, layout)


def test_the_scores_of_naive_attention_are_told_as_the_statement_tells_them() -> None:
    naive = next(item for item in LABS if item.slug == "lab-naive")
    captions = {
        layout: next(table.tex for table in tables(naive, layout) if table.name == "logits") for layout in Convention
    }
    assert captions == {Convention.ROW: r"s = X X^\top", Convention.COLUMN: r"s = X^\top X"}


@pytest.mark.parametrize(
    "source", [source for source in SOURCES if source.kind is ItemKind.LAB], ids=lambda source: source.slug
)
def test_every_lab_of_the_course_can_be_told_in_both_conventions(source: ItemSource) -> None:
    assert set(item_conventions(source.definition)) == set(Convention)
