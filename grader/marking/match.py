"""Marking matched pairs: each right pair earns its share, and a wrong one says what it shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grader.marking.items import Entry, MatchItem
from grader.marking.mark import CellState, FieldMark, FieldState, Finding, Mark, remark, verdict_for
from grader.marking.points import share
from grader.marking.response import RawResponse, refuse


def mark_match(item: MatchItem, raw_response: RawResponse) -> Mark:
    """Score by pairs. Raises ResponseError where nothing or something unknown is matched."""
    pairs = read_pairs(item, raw_response)
    marks = tuple(_mark_entry(entry, pairs.get(entry.key)) for entry in item.entries)
    right = sum(mark.state is FieldState.RIGHT for mark in marks)
    score = share(item.max_score, right, len(marks))
    findings = tuple(finding for entry in item.entries for finding in _findings(item, entry, pairs.get(entry.key)))
    return Mark(verdict_for(score, item.max_score), score, item.max_score, marks, findings)


def read_pairs(item: MatchItem, raw_response: RawResponse) -> dict[str, str]:
    """The key of the target by the key of the entry; an entry left blank is absent. Raises ResponseError."""
    pairs = raw_response.get("pairs")
    if not isinstance(pairs, Mapping) or not all(isinstance(target, str) for target in pairs.values()):
        raise refuse("form", expected='{"pairs": {"…": "…"}}')
    entries = {entry.key for entry in item.entries}
    targets = {target.key for target in item.targets}
    for entry, target in pairs.items():
        if entry not in entries:
            raise refuse("unknown_option", key=str(entry)[:40])
        if target and target not in targets:
            raise refuse("unknown_option", at=entry, key=target[:40])
    filled = {entry: target for entry, target in pairs.items() if target}
    if not filled:
        raise refuse("nothing")
    return filled


def _mark_entry(entry: Entry, target: str | None) -> FieldMark:
    state = FieldState.RIGHT if target == entry.target else FieldState.WRONG
    state = FieldState.BLANK if target is None else state
    return FieldMark(entry.key, state, ((CellState(state),),))


def _findings(item: MatchItem, entry: Entry, target: str | None) -> Iterator[Finding]:
    """The words that the item has for this wrong pair, if any."""
    for wrong in entry.wrong:
        if wrong.target == target:
            named = item.misconceptions.get(wrong.misconception)
            if named is None:
                yield remark("match_wrong", entry.text, wrong.feedback, field=entry.key)
            else:
                yield Finding(named.slug, named.title, wrong.feedback, entry.key, is_misconception=True)
