"""Marking a prediction: the guess earns nothing, and is held against the numbers once those are right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.derivation.graph import Values
from grader.marking.items import Option, PredictItem
from grader.marking.mark import Finding, Mark, remark
from grader.marking.numeric import mark_numeric
from grader.marking.phrases import phrase
from grader.marking.response import RawResponse, refuse
from grader.marking.verdict import Verdict


def mark_predict(item: PredictItem, givens: Values, raw_response: RawResponse) -> Mark:
    """Judge the numbers, and say something of the guess. Raises ResponseError where either is not understood."""
    guess = read_guess(item.guesses, raw_response)
    mark = mark_numeric(item.numeric, givens, raw_response)
    return replace(mark, findings=(answer_guess(guess, is_seen=mark.verdict is Verdict.CORRECT), *mark.findings))


def read_guess(guesses: Sequence[Option], raw_response: RawResponse) -> Option:
    """The option that was guessed. Raises ResponseError: without a guess there is nothing to see."""
    key = raw_response.get("guess")
    if key is None or key == "":
        raise refuse("guess_first")
    for option in guesses:
        if option.key == key:
            return option
    raise refuse("unknown_option", key=str(key)[:40])


def answer_guess(guess: Option, *, is_seen: bool, kept: str = "guess_kept") -> Finding:
    """Until the work is done the guess is only kept: to compare it would give the answer away."""
    if not is_seen:
        return remark("guess_kept", phrase("remark.guess_kept_title"), phrase(f"remark.{kept}"))
    name = "guess_right" if guess.is_right else "guess_wrong"
    return remark(name, phrase(f"remark.{name}_title"), guess.feedback)
