"""Marking in the request: the kinds of item that need neither a person nor the sandbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from grader.marking.choice import mark_choice
from grader.marking.items import ChoiceItem, Item, LabItem, MatchItem, NumericItem, OrderItem, PredictItem, ShapeItem
from grader.marking.lab import mark_lab
from grader.marking.mark import Mark
from grader.marking.match import mark_match
from grader.marking.numeric import mark_numeric
from grader.marking.order import mark_order
from grader.marking.policy import standing
from grader.marking.predict import mark_predict
from grader.marking.response import RawResponse
from grader.marking.shape import mark_shape
from grader.marking.variants import VariantJson, givens_of


def mark_response(item: Item, variant: VariantJson, raw_response: RawResponse, history: Sequence[Decimal] = ()) -> Mark:
    """Judge a response; `history` holds the scores of the tries before it.

    Raises ResponseError where the response is not understood, TypeError for a kind that is graded elsewhere.
    """
    return with_credit(item, _mark(item, variant, raw_response), history)


def with_credit(item: Item, mark: Mark, history: Sequence[Decimal]) -> Mark:
    """The mark with what stands after it, if these were the scores before it."""
    return replace(mark, credit=standing(item.policy, [*history, mark.score]).score)


def _mark(item: Item, variant: VariantJson, raw_response: RawResponse) -> Mark:
    match item:
        case NumericItem():
            mark = mark_numeric(item, givens_of(variant), raw_response)
        case PredictItem():
            mark = mark_predict(item, givens_of(variant), raw_response)
        case ChoiceItem():
            mark = mark_choice(item, raw_response)
        case ShapeItem():
            mark = mark_shape(item, raw_response)
        case MatchItem():
            mark = mark_match(item, raw_response)
        case OrderItem():
            mark = mark_order(item, raw_response)
        case LabItem():
            mark = mark_lab(item, raw_response)
        case _:
            raise TypeError(f"a {item.kind} item is not marked in the request")
    return mark
