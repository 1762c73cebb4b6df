"""What comes back for a submission, laid out for the page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exercises.enums import ItemKind, MarkedBy
from exercises.queries.submission_view import Stage, SubmissionView
from exercises.web.code_view import CodeRunView, code_run_view
from exercises.web.words import STAGES, UNCOUNTED, VERDICTS, Sign, Words
from grader.marking.mark import CellState, Finding, Mark

POLL_PAUSES_MS = (500, 1000, 2000, 4000)


@dataclass(frozen=True, slots=True)
class ResultView:
    """The answer to one submission."""

    submission_id: UUID
    stage: Stage
    stage_words: Words
    sign: Sign | None
    score: Decimal | None
    max_score: Decimal | None
    by_instructor: bool
    comment: str
    score_before: Decimal | None
    criteria: tuple[str, ...] | None
    findings: tuple[Finding, ...]
    cells_right: str
    run: CodeRunView | None
    sent_at: datetime
    elapsed_seconds: int
    before: int
    counted: bool

    @property
    def is_waiting(self) -> bool:
        """Whether the page should look again by itself."""
        return self.stage in {Stage.DELAYED, Stage.QUEUED, Stage.RUNNING, Stage.MARKING}

    @property
    def is_slow(self) -> bool:
        """Whether it has lasted long enough to say what happens next."""
        return self.is_waiting and self.elapsed_seconds >= 10  # noqa: PLR2004 -- seconds that a reader waits calmly


def result_view(view: SubmissionView, stage: Stage) -> ResultView:
    """Lay out a submission; findings that speak of one field are left to that field."""
    standing = view.standing
    marking = view.marking
    return ResultView(
        submission_id=view.id,
        stage=stage,
        stage_words=STAGES[stage],
        sign=_sign(view),
        score=standing.score if standing else None,
        max_score=standing.max_score if standing else None,
        by_instructor=standing is not None and standing.by == MarkedBy.INSTRUCTOR,
        comment=standing.comment if standing else view.sent_back,
        criteria=standing.criteria if standing else None,
        score_before=standing.score_before if standing else None,
        findings=tuple(found for found in marking.findings if not found.field) if marking else (),
        cells_right=_cells_right(marking, view.kind) if marking else "",
        run=code_run_view(marking.run) if marking and marking.run else None,
        sent_at=view.created_at,
        elapsed_seconds=int((timezone.now() - view.created_at).total_seconds()),
        before=view.before if stage is Stage.QUEUED else 0,
        counted=view.counted,
    )


def _sign(view: SubmissionView) -> Sign | None:
    if view.standing is None:
        return None
    return VERDICTS[view.standing.verdict] if view.counted else UNCOUNTED


def announcement(result: ResultView, tries: int) -> str:
    """One sentence for the live region: what a reader who does not see the page needs to know."""
    if result.sign is None:
        return str(result.stage_words)
    if not result.counted:
        return str(result.sign.word)
    tried = ngettext("Try %(count)d", "Try %(count)d", tries) % {"count": tries}
    said = _("%(tried)s: %(verdict)s.") % {"tried": tried, "verdict": result.sign.word}
    return f"{said} {result.cells_right}".strip()


def _cells_right(marking: Mark, kind: ItemKind) -> str:
    cells = [cell for field in marking.fields for row in field.cells for cell in row]
    if not cells:
        return ""
    counts = {"right": cells.count(CellState.RIGHT), "total": len(cells)}
    if kind == ItemKind.SHAPE:
        return _("%(right)d of %(total)d shapes are right") % counts
    if kind == ItemKind.MATCH:
        return _("%(right)d of %(total)d pairs are right") % counts
    if kind == ItemKind.LAB:
        return _("%(right)d of %(total)d goals are reached") % counts
    return _("%(right)d of %(total)d cells are right") % counts


def poll_pause_ms(looks: int) -> int:
    """How long to wait before looking again: short at first, then longer."""
    return POLL_PAUSES_MS[min(looks, len(POLL_PAUSES_MS) - 1)]
