"""Marking a stored answer once more, by the version and the numbers that it was given for."""

from __future__ import annotations

from dataclasses import dataclass

from exercises.enums import ItemKind, MarkedBy
from exercises.models import Submission
from exercises.queries.definitions import attempt_content
from grader.marking.judge import mark_response
from grader.marking.mark import Mark as Marking


@dataclass(frozen=True, slots=True)
class Replay:
    """What marking says now, beside the automatic mark that was stored. `again` is None where marking runs elsewhere."""

    stored: Marking | None
    again: Marking | None

    @property
    def is_same(self) -> bool:
        """Whether the judgement is the same in every field and every finding; its words may have been mended since."""
        if self.stored is None or self.again is None:
            return False
        return _judgement(self.stored) == _judgement(self.again)


def replay(submission: Submission) -> Replay:
    """One query. Code needs the sandbox, and a text a reader: neither is marked again here."""
    auto = submission.marks.filter(by=MarkedBy.AUTO).first()
    stored = Marking.from_json(auto.feedback) if auto else None
    if submission.kind in {ItemKind.CODE, ItemKind.FREE_TEXT}:
        return Replay(stored, None)
    attempt = submission.attempt
    return Replay(stored, mark_response(attempt_content(attempt), attempt.variant, submission.raw_response))


def _judgement(marking: Marking) -> tuple[object, ...]:
    found = [(each.slug, each.field, each.is_misconception) for each in marking.findings]
    return marking.verdict, marking.score, marking.max_score, marking.fields, found
