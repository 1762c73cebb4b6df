"""Markdown and TeX of our own lessons, turned into safe HTML.

Theory of operation: lesson text is written by authors whom we trust to mean well, not to be
careful, and the TeX converter passes dangerous input on. So every piece of HTML that leaves this
package has gone through an allow-list (`allowlist`), whatever made it. Text written by
learners never comes here: templates escape it and keep its line breaks.
"""

from __future__ import annotations

from exercises.markup.lesson import Heading, Segment, lesson_headings, render_lesson_segment
from exercises.markup.prose import render_in_turn, render_inline, render_prose
from exercises.markup.reading_time import reading_minutes
from exercises.markup.reference import NO_REFERENCE, Reference
from exercises.markup.symbols import symbols_in
from exercises.markup.tex import render_tex, symbol_of

__all__ = [
    "NO_REFERENCE",
    "Heading",
    "Reference",
    "Segment",
    "lesson_headings",
    "reading_minutes",
    "render_in_turn",
    "render_inline",
    "render_lesson_segment",
    "render_prose",
    "render_tex",
    "symbol_of",
    "symbols_in",
]
