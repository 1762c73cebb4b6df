"""Begin a regrade, and decide what becomes of it. Nothing is written to a mark before somebody has seen what would change."""

from __future__ import annotations

from functools import partial

from django.db import IntegrityError, transaction

from exercises.enums import Act, GradingProgress, ItemKind, RegradeAction, RegradeState, Role
from exercises.models import Course, Item, Regrade, RegradeLine, Submission, User
from exercises.services.audit_record import note
from exercises.services.regrade_step import move, send_step
from exercises.services.storable import storable_text
from grader.marking.text import Text

LONGEST_REASON = 300

NO_REASON = Text(
    "请写明原因（最多 300 个字符）：学生会看到。", "Say why, in at most 300 characters: students will read it."
)
RUNNING_ALREADY = Text("这道题已有一次重评尚未结束。", "A regrade of this exercise is under way already.")
NOTHING_TO_DO = Text("还没有可以重评的答案。", "There is no graded answer yet.")
BY_HAND_ONLY = Text(
    "文字题由人评阅，不能自动重评；可以给所有作答者满分。",
    "Answers in words are marked by people, not again by a program; you can give everybody all points.",
)


class RegradeRefused(ValueError):  # noqa: N818 -- shown to the instructor as it is
    """A regrade that cannot begin; `text` says why in both languages."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


def regrade_begin(*, instructor: User, course: Course, item: Item, action: RegradeAction, reason: str) -> Regrade:
    """Take in all graded answers of students to the item, and try what each would get. Raises RegradeRefused."""
    said = storable_text(reason).strip()
    if not said or len(said) > LONGEST_REASON:
        raise RegradeRefused(NO_REASON)
    if action is RegradeAction.REMARK and item.kind == ItemKind.FREE_TEXT:
        raise RegradeRefused(BY_HAND_ONLY)
    graded = Submission.objects.filter(
        attempt__enrollment__course=course,
        attempt__enrollment__role=Role.STUDENT,
        attempt__item=item,
        counted=True,
        grading_progress=GradingProgress.FULLY_GRADED,
    )
    try:
        with transaction.atomic():
            regrade = Regrade.objects.create(
                course=course, item=item, item_version=item.version, action=action, reason=said, by=instructor
            )
            lines = [
                RegradeLine(regrade=regrade, submission_id=pk, before_id=mark)
                for pk, mark in graded.order_by("pk").values_list("pk", "standing_mark_id")
            ]
            if not lines:
                raise RegradeRefused(NOTHING_TO_DO)
            RegradeLine.objects.bulk_create(lines, batch_size=1_000)
            detail = {"item": item.slug, "action": action, "version": item.version.number, "lines": len(lines)}
            note(actor=instructor, course=course, act=Act.REGRADE_BEGIN, subject=regrade, detail=detail)
            transaction.on_commit(partial(send_step, regrade.pk), robust=True)
    except IntegrityError as error:
        raise RegradeRefused(RUNNING_ALREADY) from error
    return regrade


def regrade_apply(*, instructor: User, regrade: Regrade) -> bool:
    """Let the site worker write what was tried; False if it is not the moment for it (any more)."""
    with transaction.atomic():
        if not move(regrade, RegradeState.READY, RegradeState.APPLYING):
            return False
        note(actor=instructor, course=regrade.course, act=Act.REGRADE_APPLY, subject=regrade)
        transaction.on_commit(partial(send_step, regrade.pk), robust=True)
    return True


def regrade_pause(*, instructor: User, regrade: Regrade, is_paused: bool) -> None:
    """Stop after what is being done at this moment, or go on; what is so already, or has ended, stays as it is."""
    with transaction.atomic():
        running = Regrade.objects.filter(pk=regrade.pk, state__in=[RegradeState.TRYING, RegradeState.APPLYING])
        if not running.filter(is_paused=not is_paused).update(is_paused=is_paused):
            return
        act = Act.REGRADE_PAUSE if is_paused else Act.REGRADE_GO_ON
        note(actor=instructor, course=regrade.course, act=act, subject=regrade)
        if not is_paused:
            transaction.on_commit(partial(send_step, regrade.pk), robust=True)


def regrade_abandon(*, instructor: User, regrade: Regrade) -> bool:
    """Give up before anything was applied; False if it is too late for that."""
    with transaction.atomic():
        if not (
            move(regrade, RegradeState.TRYING, RegradeState.ABANDONED)
            or move(regrade, RegradeState.READY, RegradeState.ABANDONED)
        ):
            return False
        note(actor=instructor, course=regrade.course, act=Act.REGRADE_ABANDON, subject=regrade)
    return True
