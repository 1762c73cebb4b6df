"""Products of a token and a matrix that are written in one convention alone, where the reader may choose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from grader.gate.report import Fault
from grader.gate.words import texts
from grader.marking.either import eithers, reads_both_ways

_MATHS: Final = re.compile(r"\$\$.+?\$\$|\$[^$\n]+\$", re.DOTALL)
_INDEX: Final = r"(?:_(?:\{[^{}]*\}|\w))?"
_GAP: Final = r"(?:\s|\\[,;!])*"
# A product, or a formula with the name that a matrix has in one convention; one that stands alone is named by the page.
_IN_ROWS: Final = re.compile(rf"[xX]{_INDEX}{_GAP}W|W_\{{?[QKVO]")
_IN_COLUMNS: Final = re.compile(rf"W{_INDEX}{_GAP}[xX]|W_\{{?[qkvo]")
_ALONE: Final = re.compile(r"\$W_\{?[QKVOqkvo]\}?\$")
# Titles stand in lists where nobody has chosen, so none of them takes a side.
_NAMED: Final = re.compile(r"[行列]约定|\b(?:in (?:rows|columns)|(?:row|column) convention)\b", re.IGNORECASE)
_BLOCKS: Final = re.compile(r"\n\s*\n")


def one_sided(markdown: str) -> Iterator[str]:
    """Each formula with x W or W x outside of `{row: … | column: …}`; a block that shows both compares them."""
    for block in _BLOCKS.split(_without_eithers(markdown)):
        formulas = [found[0] for found in _MATHS.finditer(block)]
        rows = [formula for formula in formulas if _IN_ROWS.search(formula)]
        columns = [formula for formula in formulas if _IN_COLUMNS.search(formula)]
        if bool(rows) != bool(columns):
            yield from (formula for formula in rows or columns if not _ALONE.fullmatch(formula))


def check_conventions(definition: Mapping[str, object]) -> Iterator[Fault]:
    """Texts of an item that reads both ways, but not all of it."""
    if not reads_both_ways(dict(definition)):
        return
    for key, words in texts(definition, ()):
        if key[0] == "title" and (named := _NAMED.search(words)):
            yield Fault(key, f"the title names a convention, and the item reads in both: {named[0]}")
        for formula in one_sided(words):
            yield Fault(key, f"this reads in one convention alone, and the item in both: {formula}")


def _without_eithers(markdown: str) -> str:
    """What reads in two ways stands for itself: a sign in its place keeps formulas apart."""
    parts, start = [], 0
    for each in eithers(markdown):
        parts += [markdown[start : each.start], "…"]
        start = each.end
    return "".join((*parts, markdown[start:]))
