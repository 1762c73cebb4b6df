"""What the instructor sees of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exercises.management.smoke.guest import Guest
from exercises.management.smoke.page import Node, Surprise
from exercises.management.smoke.student import BY_HAND, IN_CODE, IN_WORDS

STATES = {BY_HAND: "heat-correct", IN_CODE: "heat-correct", IN_WORDS: "heat-waiting"}


@dataclass(frozen=True, slots=True)
class Instructor(Guest):
    """The demo course's teacher."""

    def sees_progress(self, student: str, titles: dict[str, str]) -> str:
        """The table of students and items shows the student's three items as they now stand."""
        table = self.course("progress/").root.one("table")
        columns = [head.text() for head in table.one("thead").all("th")]
        cells = _cells(_row_of(table, student))
        for slug, state in STATES.items():
            if titles[slug] not in columns:
                raise Surprise(f"the progress table should have a column “{titles[slug]}” and has none")
            cell = cells[columns.index(titles[slug])]
            if state not in cell.classes:
                raise Surprise(
                    f"the progress table should show {state} for {slug} of {student}, and shows: {cell.text()}"
                )
        return f"progress table: {len(table.one('tbody').all('tr'))} students, {len(columns)} columns"

    def sees_misconceptions(self, student: str, named: Sequence[str]) -> str:
        """Each mistake is listed under its name, with who made it."""
        table = self.course("misconceptions/").root.one("table")
        for name in named:
            if student not in _row_of(table, name).text():
                raise Surprise(f"the misconception “{name}” should be listed with {student} and is not")
        return f"misconceptions seen: {', '.join(named)}"

    def sees_words(self, words: str) -> str:
        """The quick check is there, with a rubric to mark it by."""
        cards = self.course(f"quick-checks/{IN_WORDS}/?alike=apart").root.all("article", css="desk-card")
        ours = [card for card in cards if words in card.text()]
        if not ours:
            raise Surprise("the instructor should find the quick check that was just sent, and does not")
        criteria = len(ours[0].all("input", name="met"))
        return f"quick check: a rubric of {criteria}, each point to be given"


def _row_of(table: Node, heading: str) -> Node:
    for row in table.one("tbody").all("tr"):
        if row.one("th").text() == heading:
            return row
    raise Surprise(f"the table should have a row “{heading}” and has none")


def _cells(row: Node) -> list[Node]:
    return [cell for cell in row.children if isinstance(cell, Node)]
