"""Marking a choice: all of it right, or a word on each option that was chosen, and whether any is missing."""

from __future__ import annotations

from collections.abc import Collection
from decimal import Decimal

from grader.marking.items import ChoiceItem, Option
from grader.marking.mark import Finding, Mark, remark, verdict_for
from grader.marking.phrases import phrase
from grader.marking.response import RawResponse, refuse


def mark_choice(item: ChoiceItem, raw_response: RawResponse) -> Mark:
    """All or nothing. Raises ResponseError where nothing, too much or something unknown is chosen."""
    chosen = read_chosen(item, raw_response)
    wrongly_chosen = [option for option in item.options if option.key in chosen and not option.is_right]
    rightly_chosen = [option for option in item.options if option.key in chosen and option.is_right]
    is_missing = any(option.is_right and option.key not in chosen for option in item.options)
    findings = [_finding(item, option) for option in wrongly_chosen]
    if is_missing and item.multiple:
        name = "choice_missing" if rightly_chosen else "choice_none_right"
        findings.append(remark(name, phrase("remark.choice_title"), phrase(f"remark.{name}")))
    is_right = not wrongly_chosen and not is_missing
    slug = "choice_right" if is_right else "choice_partly_right"
    findings += [remark(slug, option.text, option.feedback) for option in rightly_chosen]
    score = item.max_score if is_right else Decimal(0)
    return Mark(verdict_for(score, item.max_score), score, item.max_score, findings=tuple(findings))


def read_chosen(item: ChoiceItem, raw_response: RawResponse) -> Collection[str]:
    """The keys that were chosen. Raises ResponseError."""
    chosen = raw_response.get("chosen")
    if not isinstance(chosen, list) or not all(isinstance(key, str) for key in chosen):
        raise refuse("form", expected='{"chosen": ["…"]}')
    keys = {option.key for option in item.options}
    for key in chosen:
        if key not in keys:
            raise refuse("unknown_option", key=key[:40])
    if not chosen:
        raise refuse("choose_one")
    if len(set(chosen)) > 1 and not item.multiple:
        raise refuse("one_only")
    return set(chosen)


def _finding(item: ChoiceItem, option: Option) -> Finding:
    named = item.misconceptions.get(option.misconception)
    if named is None:
        return remark("choice_wrong", option.text, option.feedback)
    return Finding(named.slug, named.title, option.feedback, is_misconception=True)
