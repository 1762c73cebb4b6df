"""Which misconceptions an item can name, so that its definition can carry their words."""

from __future__ import annotations

from grader.derivation.slips import slips_of
from grader.marking.items import ChoiceItem, CodeItem, Item, NumericItem
from grader.marking.slip_finder import ACCIDENTS

OTHER_LAYOUT = "laid_out_other_convention"


def misconceptions_needed(item: Item) -> tuple[str, ...]:
    """The slugs in a fixed order, each once."""
    if isinstance(item, NumericItem):
        slugs = [slip.slug for slip in slips_of(item.derivation)]
        return tuple(dict.fromkeys([*slugs, OTHER_LAYOUT, *ACCIDENTS]))
    if isinstance(item, CodeItem):
        return tuple(dict.fromkeys(slip.slug for case in item.cases for slip in slips_of(case.derivation)))
    if isinstance(item, ChoiceItem):
        return tuple(dict.fromkeys(option.misconception for option in item.options if option.misconception))
    return ()
