"""What is shown of a variant, and what is not."""

from __future__ import annotations

import pytest

from grader.marking.variants import Presentation, draw_variant, present
from tests.grader import samples


def test_numbers_are_shown_as_formulas_in_their_convention():
    item = samples.item(samples.COLUMNS)
    shown = present(item, {"seed": 1, "values": {"W_q": [[1, 0], [2, 1]], "X": [[1, 2], [3, 4]], "b_q": [10, 20]}})

    assert shown.convention == "column"
    assert shown.givens[2].tex == r"b_{q} = \begin{bmatrix} 10 \\ 20 \end{bmatrix}"
    assert [(field.name, field.rows, field.columns, field.decimals) for field in shown.fields] == [("Q", 2, 2, 2)]


@pytest.mark.parametrize(
    ("toml", "shown"),
    [(samples.CODE, Presentation(convention="row")), (samples.FREE_TEXT, Presentation())],
)
def test_a_program_and_a_text_start_from_their_prompt_alone(toml, shown):
    item = samples.item(toml)
    assert present(item, draw_variant(item, 4)) == shown
    assert draw_variant(item, 4) == {"seed": 4}
