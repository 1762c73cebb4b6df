"""Which misconceptions an item can name, so that its definition can carry their words."""

from __future__ import annotations

from collections.abc import Iterator

from grader.derivation.slips import slips_of
from grader.marking.items import ChoiceItem, CodeItem, Item, MatchItem, NumericItem, OrderItem, PredictItem, ShapeItem
from grader.marking.shape import SHAPE_SLIPS
from grader.marking.slip_finder import ACCIDENTS

OTHER_LAYOUT = "laid_out_other_convention"


def misconceptions_needed(item: Item) -> tuple[str, ...]:
    """The slugs in a fixed order, each once."""
    return tuple(dict.fromkeys(slug for slug in _slugs(item) if slug))


def _slugs(item: Item) -> Iterator[str]:
    match item:
        case NumericItem():
            yield from (slip.slug for slip in slips_of(item.derivation))
            yield from (OTHER_LAYOUT, *ACCIDENTS)
        case PredictItem():
            yield from _slugs(item.numeric)
        case CodeItem():
            yield from (slip.slug for case in item.cases for slip in slips_of(case.derivation))
        case ShapeItem():
            yield from SHAPE_SLIPS
        case ChoiceItem():
            yield from (option.misconception for option in item.options)
        case MatchItem():
            yield from (wrong.misconception for entry in item.entries for wrong in entry.wrong)
        case OrderItem():
            yield from (line.misconception for line in (*item.lines, *item.distractors))
