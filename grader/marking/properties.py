"""What a case of a code item is for: who may see it, and which part of the credit it decides."""

from __future__ import annotations

from enum import StrEnum


class CaseGroup(StrEnum):
    """Visible cases stand on the page. Hidden ones are drawn anew for each submission, and decide the mark with them.

    Witnesses are tiny, drawn anew and uncounted: the smallest that fails is shown whole.
    """

    VISIBLE = "visible"
    WITNESS = "witness"
    HIDDEN = "hidden"


class Property(StrEnum):
    """What a function can be right about; each that an item gives credit for earns it when all its cases pass."""

    VALUES = "values"  # the numbers
    SHAPES = "shapes"  # every shape that is promised: one token, a batch
    STABILITY = "stability"  # extreme numbers
    INPUTS = "inputs"  # other kinds of arrays, all of them left as they were
    WORK = "work"  # what is kept for the next call
    EXAMPLE = "example"  # the failing case that the learner wrote
