"""The guess that comes before the work: a question and options, of which one is right whatever the numbers are."""

from __future__ import annotations

from grader.bank.chosen_items import read_options
from grader.bank.table import Table
from grader.marking.items import Option
from grader.marking.text import Text


def read_guess(table: Table) -> tuple[Text, tuple[Option, ...]]:
    """The question and its options."""
    guess = table.table("guess")
    guess.only("question", "option")
    options = read_options(guess)
    if sum(option.is_right for option in options) != 1:
        raise guess.error("option", "one option must be right")
    if any(option.misconception for option in options):
        raise guess.error("option", "a guess shows no misconception: nobody has worked anything out yet")
    return guess.both_languages("question"), options
