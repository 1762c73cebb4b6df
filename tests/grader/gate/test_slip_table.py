"""The page of all slips: a row for each computation, however many functions compute it."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.derivation.slips import WRONG_FORWARDS, slips_of
from grader.gate.report import ContentReport, ItemReport, SlipClass
from grader.gate.slip_table import slip_table
from tests.grader import samples


def table(directory: Path, slug: str, *items: ItemReport) -> list[str]:
    """The rows of the page for a folder that has words for this slug alone."""
    words = f'[{slug}]\ntitle = {{ zh-hans = "误", en = "Slip" }}'
    (directory / "misconceptions.toml").write_text(words, encoding="utf-8")
    page = slip_table([directory], ContentReport(items, ()))
    return [line for line in page.splitlines() if line.startswith("| `")]


def test_functions_of_one_formula_share_a_row(tmp_path: Path):
    assert [row for row in table(tmp_path, "softmax_linear_share") if "`softmax`" in row] == [
        r"| `softmax_linear_share` | `softmax` | $s / \sum s$ | Slip | 误 | no item |"
    ]


def test_a_mistake_with_and_without_a_bias_has_both_formulas(tmp_path: Path):
    (from_the_right, _, _) = table(tmp_path, "w_transposed")
    assert from_the_right.split(" | ")[2] == r"$X W^{\top}$, $X W^{\top} + b$"


def test_a_swapped_role_belongs_to_no_operation(tmp_path: Path):
    assert table(tmp_path, "wrong_matrix") == [
        "| `wrong_matrix` | any | another $W$ of the same shape | Slip | 误 | no item |"
    ]


def test_a_slip_without_words_is_left_out_and_an_item_that_shows_it_is_told(tmp_path: Path):
    slips = tuple(slip for slip in slips_of(samples.item(samples.COLUMNS).derivation) if slip.slug == "bias_twice")
    item = ItemReport("qkv/projection/pj-col", "numeric", 1, (SlipClass(slips),), 1.0, (), ())
    rows = table(tmp_path, "bias_twice", item)
    assert [row.split(" | ")[-1] for row in rows] == ["no item |", "`pj-col` |"]


@pytest.mark.parametrize("slug", sorted({wrong.slug for wrong in WRONG_FORWARDS}))
def test_every_slip_has_its_rows_and_none_twice(tmp_path: Path, slug: str):
    rows = [row for row in table(tmp_path, slug) if "| any |" not in row]
    assert rows == list(dict.fromkeys(rows))
    assert len(rows) == len({(wrong.operation, wrong.letters) for wrong in WRONG_FORWARDS if wrong.slug == slug})
