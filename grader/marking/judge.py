"""Marking in the request: the kinds of item that need neither a person nor the sandbox."""

from __future__ import annotations

from grader.marking.choice import mark_choice
from grader.marking.items import ChoiceItem, Item, NumericItem
from grader.marking.mark import Mark
from grader.marking.numeric import mark_numeric
from grader.marking.response import RawResponse
from grader.marking.variants import VariantJson, givens_of


def mark_response(item: Item, variant: VariantJson, raw_response: RawResponse) -> Mark:
    """Judge a numeric or a choice response.

    Raises ResponseError where the response is not understood, TypeError for a kind that is graded elsewhere.
    """
    if isinstance(item, NumericItem):
        return mark_numeric(item, givens_of(variant), raw_response)
    if isinstance(item, ChoiceItem):
        return mark_choice(item, raw_response)
    raise TypeError(f"a {item.kind} item is not marked in the request")
