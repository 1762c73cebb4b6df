from __future__ import annotations

import numpy as np
import pytest

from grader.derivation.explorer import explore
from grader.derivation.variants import separable_variant, slip_classes
from grader.marking.items import NumericItem
from tests.grader.samples import QKV
from tests.grader.samples import item as sample


@pytest.fixture(scope="module")
def item() -> NumericItem:
    found = sample(QKV)
    assert isinstance(found, NumericItem)
    return found


def test_a_seed_is_told_with_its_numbers_its_answer_and_every_mistake(item: NumericItem) -> None:
    (told,) = explore(item.derivation, [7])

    right = item.derivation.evaluate(told.givens)
    asked = np.concatenate([ask.pick(right[ask.name]).reshape(-1) for ask in item.derivation.asks])
    assert told.right == pytest.approx(asked, abs=0.5)
    assert len(told.slips) == len(slip_classes(item.derivation))


def test_issued_seeds_are_those_that_learners_get_and_have_no_collision(item: NumericItem) -> None:
    told = list(explore(item.derivation, range(40)))

    assert {each.is_issued for each in told} == {True, False}
    for each in told:
        assert each.is_issued == (separable_variant(item.derivation, each.seed).seed == each.seed)
        if each.is_issued:
            assert not any(slip.is_collision for slip in each.slips)


def test_a_collision_names_what_it_meets(item: NumericItem) -> None:
    collisions = [slip for told in explore(item.derivation, range(200)) for slip in told.slips if slip.is_collision]

    assert collisions
    assert all(slip.cells is not None and slip.meets is not slip.slip for slip in collisions)
