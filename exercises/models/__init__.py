"""Fields, constraints and names. What may be done with them stands in access, queries and services."""

from __future__ import annotations

from exercises.models.activation import Activation
from exercises.models.api_token import ApiToken
from exercises.models.assignment import Assignment, AssignmentItem
from exercises.models.attempt import Attempt
from exercises.models.audit_entry import AuditEntry
from exercises.models.class_round import ClassRound
from exercises.models.consent import Consent
from exercises.models.course import Course
from exercises.models.course_code import CourseCode
from exercises.models.curriculum import Curriculum
from exercises.models.draft import Draft
from exercises.models.enrollment import Enrollment
from exercises.models.exemption import Exemption
from exercises.models.extension import Extension
from exercises.models.grade_layout import GradeLayout
from exercises.models.hint_taken import HintTaken
from exercises.models.idempotency_key import IdempotencyKey
from exercises.models.item import Item, ItemVersion
from exercises.models.kept_back import KeptBack
from exercises.models.label import Label
from exercises.models.lesson import Lesson, LessonVersion
from exercises.models.mark import Mark, MisconceptionSighting
from exercises.models.mark_draft import MarkDraft
from exercises.models.override import Override
from exercises.models.question import Question, Reply
from exercises.models.regrade import Regrade, RegradeLine
from exercises.models.run import Run
from exercises.models.second_look import SecondLook
from exercises.models.self_mark import SelfMark
from exercises.models.sent_back import SentBack
from exercises.models.snapshot import Snapshot
from exercises.models.stock_comment import StockComment
from exercises.models.student_note import StudentNote
from exercises.models.submission import Submission
from exercises.models.user import User

__all__ = [
    "Activation",
    "ApiToken",
    "Assignment",
    "AssignmentItem",
    "Attempt",
    "AuditEntry",
    "ClassRound",
    "Consent",
    "Course",
    "CourseCode",
    "Curriculum",
    "Draft",
    "Enrollment",
    "Exemption",
    "Extension",
    "GradeLayout",
    "HintTaken",
    "IdempotencyKey",
    "Item",
    "ItemVersion",
    "KeptBack",
    "Label",
    "Lesson",
    "LessonVersion",
    "Mark",
    "MarkDraft",
    "MisconceptionSighting",
    "Override",
    "Question",
    "Regrade",
    "RegradeLine",
    "Reply",
    "Run",
    "SecondLook",
    "SelfMark",
    "SentBack",
    "Snapshot",
    "StockComment",
    "StudentNote",
    "Submission",
    "User",
]
