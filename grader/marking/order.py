"""Marking an order of lines: what comes too early, what does not belong, what is missing.

Lines need not stand in one order: two are free to change places unless one must stand above the other. What must stand
above what is closed under "and so on": a line's `after` names all lines above it, not only the nearest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from grader.marking.items import Line, OrderCredit, OrderItem
from grader.marking.mark import Finding, Mark, remark, verdict_for
from grader.marking.phrases import phrase
from grader.marking.points import share
from grader.marking.response import RawResponse, refuse
from grader.marking.text import NO_TEXT, Text


def mark_order(item: OrderItem, raw_response: RawResponse) -> Mark:
    """All or nothing, or by the lines that need not move. Raises ResponseError where the order is not understood."""
    placed = read_order(item, raw_response)
    used = [line for line in placed if line in item.lines]
    strange = [line for line in placed if line in item.distractors]
    findings = (
        *(_about(item, line, "order_distractor", line.feedback) for line in strange),
        *_too_early(item, used),
        *_missing(len(item.lines) - len(used)),
    )
    score = _score(item, used, strange)
    return Mark(verdict_for(score, item.max_score), score, item.max_score, findings=findings)


def read_order(item: OrderItem, raw_response: RawResponse) -> list[Line]:
    """The lines in the order that they were given; what is not in it was left out. Raises ResponseError."""
    order = raw_response.get("order")
    if not isinstance(order, list) or not all(isinstance(key, str | list) for key in order):
        raise refuse("form", expected='{"order": ["…"]}')
    lines = {line.key: line for line in (*item.lines, *item.distractors)}
    for place, key in enumerate(order):
        if isinstance(key, list):
            raise refuse("order_tie", place=str(place + 1))
        if key not in lines:
            raise refuse("unknown_option", key=key[:40])
        if key in order[:place]:
            raise refuse("order_twice", line=key)
    if not order:
        raise refuse("nothing")
    return [lines[key] for key in order]


def is_right_order(item: OrderItem, keys: Sequence[str]) -> bool:
    """Whether the lines among these keys stand in a right order, distractors aside."""
    lines = {line.key: line for line in item.lines}
    return _first_too_early([lines[key] for key in keys if key in lines]) is None


def _score(item: OrderItem, used: Sequence[Line], strange: Sequence[Line]) -> Decimal:
    """Each distractor takes back what one line earns."""
    kept = len(used) - _must_move(used) - len(strange)
    if item.credit is OrderCredit.ALL_OR_NOTHING:
        return item.max_score if kept == len(item.lines) else Decimal(0)
    return share(item.max_score, max(0, kept), len(item.lines))


def _must_move(used: Sequence[Line]) -> int:
    """How few lines have to be taken out so that the others stand in a right order.

    Two lines are at odds if the first must stand below the second. That is an order itself (what is at odds with a line
    that is at odds with a third is at odds with the third), so by Dilworth's theorem the largest set of lines of which
    no two are at odds has as many fewer than all as the largest matching of lines that are at odds has pairs.
    """
    at_odds = {
        line.key: [other.key for other in used[place + 1 :] if other.key in line.after]
        for place, line in enumerate(used)
    }
    partner: dict[str, str] = {}

    def finds_partner(key: str, seen: set[str]) -> bool:
        for other in at_odds[key]:
            if other not in seen:
                seen.add(other)
                if other not in partner or finds_partner(partner[other], seen):
                    partner[other] = key
                    return True
        return False

    return sum(finds_partner(line.key, set()) for line in used)


def _first_too_early(used: Sequence[Line]) -> int | None:
    """The place of the first line that stands above one that must be above it."""
    for place, line in enumerate(used):
        if any(other.key in line.after for other in used[place + 1 :]):
            return place
    return None


def _too_early(item: OrderItem, used: Sequence[Line]) -> Iterator[Finding]:
    place = _first_too_early(used)
    if place is not None:
        line = used[place]
        text = line.feedback if line.feedback != NO_TEXT else phrase("remark.order_too_early")
        yield _about(item, line, "order_too_early", text)


def _missing(count: int) -> Iterator[Finding]:
    """How many lines are missing, without naming them."""
    if count:
        yield remark(
            "order_missing", phrase("remark.order_missing_title"), phrase("remark.order_missing", count=str(count))
        )


def _about(item: OrderItem, line: Line, slug: str, text: Text) -> Finding:
    """A finding about one line: its misconception if the item names one, else a remark headed by the line."""
    named = item.misconceptions.get(line.misconception)
    if named is not None:
        return Finding(named.slug, named.title, text, is_misconception=True)
    return remark(slug, line.text.map("`{}`".format) if line.is_code else line.text, text)
