"""Courses as their learners find them: one next step, what is due, a map, and the last word that was said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from exercises.models import Enrollment
from exercises.queries.last_feedback import LastFeedback, last_feedback
from exercises.queries.outline import CourseOutline, ItemOutline, LessonOutline, course_outlines
from exercises.queries.review import ReviewQueue, review_queue
from exercises.queries.skills import SkillStanding, SkillState, skill_standings
from exercises.web.words import VERDICTS, Sign


class LessonState(StrEnum):
    """Where a learner stands with a lesson."""

    NEW = "new"
    BEGUN = "begun"
    DUE = "due"
    DONE = "done"


LESSON_STATES: Final[Mapping[LessonState, Sign]] = {
    LessonState.NEW: Sign("open", _("New"), "open"),
    LessonState.BEGUN: Sign("tried", _("In progress"), "part"),
    LessonState.DUE: Sign("due", _("Due for review"), "again"),
    LessonState.DONE: Sign("done", _("Done"), "check"),
}
SKILL_STATES: Final[Mapping[SkillState, Sign]] = {
    SkillState.NEW: Sign("open", _("Not begun"), "open"),
    SkillState.BEGUN: Sign("tried", _("In practice"), "part"),
    SkillState.DUE: Sign("due", _("Due for review"), "again"),
    SkillState.MASTERED: Sign("done", _("Mastered"), "check"),
}


@dataclass(frozen=True, slots=True)
class LessonLine:
    """A lesson on the map."""

    lesson: LessonOutline
    sign: Sign


@dataclass(frozen=True, slots=True)
class FeedbackLine:
    """The last word, with the sign of its verdict."""

    feedback: LastFeedback
    sign: Sign


@dataclass(frozen=True, slots=True)
class CourseView:
    """Everything that a course shows of itself."""

    outline: CourseOutline
    lines: tuple[LessonLine, ...]
    queue: ReviewQueue
    last: FeedbackLine | None

    @property
    def next_lesson(self) -> LessonOutline | None:
        """Where the one button leads."""
        return self.outline.next_lesson

    @property
    def next_item(self) -> ItemOutline | None:
        """The place in that lesson, once it was begun."""
        lesson = self.next_lesson
        return lesson.next_item if lesson and lesson.is_begun else None


def course_views(enrollments: Sequence[Enrollment]) -> tuple[CourseView, ...]:
    """Six queries, however many courses there are."""
    if not enrollments:
        return ()
    skills = skill_standings(enrollments)
    said = last_feedback(enrollments)
    views = []
    for each, outline in zip(enrollments, course_outlines(enrollments), strict=True):
        with timezone.override(each.course.zone):
            views.append(_course_view(outline, skills[each.pk], said.get(each.pk)))
    return tuple(views)


def _course_view(outline: CourseOutline, skills: Sequence[SkillStanding], said: LastFeedback | None) -> CourseView:
    """What is due today is due on the course's day."""
    due = {each.item.lesson_slug for skill in skills if skill.is_due for each in skill.evidence}
    return CourseView(
        outline=outline,
        lines=tuple(LessonLine(lesson, LESSON_STATES[_state(lesson, due)]) for lesson in outline.lessons),
        queue=review_queue(skills),
        last=FeedbackLine(said, VERDICTS[said.verdict]) if said else None,
    )


def _state(lesson: LessonOutline, due: set[str]) -> LessonState:
    """What is left to do comes before what is due again."""
    if not lesson.is_done:
        return LessonState.BEGUN if lesson.is_begun else LessonState.NEW
    return LessonState.DUE if lesson.slug in due else LessonState.DONE
