"""Django's own admin over the tables. What is history there can be read and not changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from exercises.models import (
    ApiToken,
    Attempt,
    AuditEntry,
    ClassRound,
    Course,
    Curriculum,
    Draft,
    Enrollment,
    HintTaken,
    Item,
    ItemVersion,
    Lesson,
    LessonVersion,
    Mark,
    MarkDraft,
    Regrade,
    RegradeLine,
    Run,
    SecondLook,
    SelfMark,
    SentBack,
    Snapshot,
    StockComment,
    StudentNote,
    Submission,
    User,
)

# The stubs know these classes as generic; at run time they are not.
if TYPE_CHECKING:
    RowsAdmin = admin.ModelAdmin[Any]
    RowsInline = admin.TabularInline[Any, Any]
    PeopleAdmin = UserAdmin[User]
else:
    RowsAdmin = admin.ModelAdmin
    RowsInline = admin.TabularInline
    PeopleAdmin = UserAdmin


class ReadOnlyAdmin(RowsAdmin):
    """To look at: these rows are written by services, which keep their promises."""

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 -- Django's signature
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002 -- the same
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002 -- the same
        """Never."""
        return False


@admin.register(User)
class PersonAdmin(PeopleAdmin):
    """Django's user page, and the three fields of ours."""

    list_display = ("username", "display_name", "email", "is_active", "is_staff", "is_demo")
    fieldsets = (*(UserAdmin.fieldsets or ()), ("QKV Course", {"fields": ("display_name", "language", "theme")}))


class EnrollmentInline(RowsInline):
    """The members of a course, on its page."""

    model = Enrollment
    autocomplete_fields = ("user",)
    extra = 1


@admin.register(Course)
class CourseAdmin(RowsAdmin):
    """Courses are made here: a slug, two titles, a curriculum, members."""

    list_display = ("slug", "curriculum", "created_at")
    inlines = (EnrollmentInline,)


@admin.register(Curriculum, Lesson, LessonVersion, Item, ItemVersion)
class ContentAdmin(ReadOnlyAdmin):
    """Content is changed in its files."""


@admin.register(Attempt)
class AttemptAdmin(ReadOnlyAdmin):
    """Who works on which numbers."""

    list_display = ("public_id", "enrollment", "item", "number", "created_at")
    list_select_related = ("enrollment__user", "enrollment__course", "item")


@admin.register(HintTaken)
class HintTakenAdmin(ReadOnlyAdmin):
    """Which hints were asked for, and when."""

    list_display = ("attempt", "rung", "step", "created_at")
    list_filter = ("rung",)
    list_select_related = ("attempt__enrollment__user", "attempt__enrollment__course", "attempt__item")


@admin.register(Submission)
class SubmissionAdmin(ReadOnlyAdmin):
    """What was sent, and how far its grading has come. The ticket is a secret of a running job."""

    list_display = ("public_id", "kind", "grading_progress", "counted", "sends", "failure", "created_at")
    list_filter = ("grading_progress", "kind", "counted")
    exclude = ("ticket",)


@admin.register(Mark)
class MarkAdmin(ReadOnlyAdmin):
    """Marks, with those that were replaced."""

    list_display = ("submission", "by", "verdict", "score", "max_score", "created_at")
    list_filter = ("by", "verdict")
    list_select_related = ("submission",)


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """Which keys exist; the keys themselves are stored nowhere."""

    list_display = ("prefix", "name", "user", "course", "expires_at", "last_used_at", "revoked_at")
    list_select_related = ("user", "course")
    exclude = ("digest",)


@admin.register(SelfMark)
class SelfMarkAdmin(ReadOnlyAdmin):
    """How learners read their own answers."""

    list_display = ("submission", "criteria", "created_at")
    list_select_related = ("submission",)


@admin.register(SecondLook)
class SecondLookAdmin(ReadOnlyAdmin):
    """Which marks learners ask to be looked at once more."""

    list_display = ("mark", "reason", "created_at")
    list_select_related = ("mark",)


@admin.register(Draft)
class DraftAdmin(ReadOnlyAdmin):
    """What was typed and not sent: whose, and when; the text itself is nobody else's."""

    list_display = ("attempt", "saved_at")
    exclude = ("fields",)


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    """Code that was run and not submitted."""

    list_display = ("public_id", "attempt", "created_at", "settled_at", "failure")


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    """What instructors did."""

    list_display = ("created_at", "actor", "course", "act", "subject")
    list_filter = ("act",)
    list_select_related = ("actor", "course")


@admin.register(Snapshot)
class SnapshotAdmin(ReadOnlyAdmin):
    """How old the figures of each course are, and what they cost."""

    list_display = ("course", "name", "made_at", "cost_ms")
    list_select_related = ("course",)
    exclude = ("figures",)


@admin.register(StudentNote)
class StudentNoteAdmin(ReadOnlyAdmin):
    """Who noted something about whom; the text is for those who teach the course."""

    list_display = ("enrollment", "author", "created_at")
    list_select_related = ("enrollment__user", "enrollment__course", "author")
    exclude = ("text",)


@admin.register(MarkDraft)
class MarkDraftAdmin(ReadOnlyAdmin):
    """Which marks are being written, and by whom; the words are nobody else's."""

    list_display = ("submission", "instructor", "saved_at")
    list_select_related = ("submission", "instructor")
    exclude = ("criteria", "misconceptions", "comment")


@admin.register(SentBack)
class SentBackAdmin(ReadOnlyAdmin):
    """Which answers went back unmarked, and why."""

    list_display = ("submission", "by", "comment", "created_at")
    list_select_related = ("submission", "by")


@admin.register(StockComment)
class StockCommentAdmin(ReadOnlyAdmin):
    """The comments that each course keeps."""

    list_display = ("course", "text", "by", "created_at")
    list_select_related = ("course", "by")


@admin.register(Regrade)
class RegradeAdmin(ReadOnlyAdmin):
    """What was marked again, and how far that is."""

    list_display = ("public_id", "course", "item", "action", "state", "is_paused", "by", "created_at")
    list_filter = ("state", "action")
    list_select_related = ("course", "item", "by")


@admin.register(RegradeLine)
class RegradeLineAdmin(ReadOnlyAdmin):
    """What a regrade meant for each answer."""

    list_display = ("regrade", "submission", "outcome", "sends", "sent_at")
    list_filter = ("outcome",)
    list_select_related = ("regrade__item", "regrade__course", "submission")
    exclude = ("ticket",)


@admin.register(ClassRound)
class ClassRoundAdmin(ReadOnlyAdmin):
    """Which items were put before a class."""

    list_display = ("course", "item", "stage", "started_at")
    list_select_related = ("course", "item")
