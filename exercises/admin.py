"""Django's own admin over the tables. What is history there can be read and not changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from exercises.models import (
    Activation,
    ApiToken,
    Assignment,
    AssignmentItem,
    Attempt,
    AuditEntry,
    ClassRound,
    Consent,
    Course,
    CourseCode,
    Curriculum,
    Draft,
    Enrollment,
    Exemption,
    Extension,
    GradeLayout,
    HintTaken,
    Item,
    ItemVersion,
    KeptBack,
    Label,
    Lesson,
    LessonVersion,
    Mark,
    MarkDraft,
    Override,
    Question,
    Regrade,
    RegradeLine,
    Reply,
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


@admin.register(KeptBack)
class KeptBackAdmin(ReadOnlyAdmin):
    """Which marks were kept back, and since when their learners know of them."""

    list_display = ("mark", "told_at")
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


@admin.register(Label)
class LabelAdmin(ReadOnlyAdmin):
    """The labels that a course puts on its members."""

    list_display = ("course", "name", "created_at")
    list_select_related = ("course",)


@admin.register(CourseCode)
class CourseCodeAdmin(ReadOnlyAdmin):
    """How often each way into a course was used; the code itself lets people in, and is shown to its instructors alone."""

    list_display = ("course", "created_by", "uses", "most_uses", "expires_at", "revoked_at")
    list_select_related = ("course", "created_by")
    exclude = ("code",)


@admin.register(Activation)
class ActivationAdmin(ReadOnlyAdmin):
    """Which accounts wait for their owner, without what is needed to open them."""

    list_display = ("user", "issued_by", "issued_at", "expires_at")
    list_select_related = ("user", "issued_by")
    exclude = ("digest",)


@admin.register(Consent)
class ConsentAdmin(ReadOnlyAdmin):
    """Who agreed to which version of the privacy notice."""

    list_display = ("user", "version", "given_at")
    list_select_related = ("user",)


@admin.register(Assignment)
class AssignmentAdmin(ReadOnlyAdmin):
    """What is set, and its dates."""

    list_display = ("course", "slug", "opens_at", "due_at", "closes_at", "weight")
    list_select_related = ("course",)


@admin.register(AssignmentItem)
class AssignmentItemAdmin(ReadOnlyAdmin):
    """Which items stand in another assignment than their lesson's."""

    list_display = ("assignment", "item")
    list_select_related = ("assignment", "item")


@admin.register(Extension)
class ExtensionAdmin(ReadOnlyAdmin):
    """Who was given more time, and why."""

    list_display = ("assignment", "enrollment", "label", "due_at", "reason", "granted_by")
    list_select_related = ("assignment", "enrollment__user", "enrollment__course", "label", "granted_by")


@admin.register(Exemption)
class ExemptionAdmin(ReadOnlyAdmin):
    """Who need not do what, and why."""

    list_display = ("assignment", "enrollment", "reason", "granted_by", "granted_at")
    list_select_related = ("assignment", "enrollment__user", "enrollment__course", "granted_by")


@admin.register(Override)
class OverrideAdmin(ReadOnlyAdmin):
    """Every grade that was set by hand; the last one counts."""

    list_display = ("assignment", "enrollment", "score", "reason", "given_by", "given_at")
    list_select_related = ("assignment", "enrollment__user", "enrollment__course", "given_by")


@admin.register(GradeLayout)
class GradeLayoutAdmin(ReadOnlyAdmin):
    """The score sheets that a course has arranged for itself."""

    list_display = ("course", "name", "created_at")
    list_select_related = ("course",)


@admin.register(Question)
class QuestionAdmin(ReadOnlyAdmin):
    """What was asked where; the words are for those who teach the course."""

    list_display = ("public_id", "attempt", "kind", "state", "created_at")
    list_filter = ("kind", "state")
    list_select_related = ("attempt__enrollment__user", "attempt__item")
    exclude = ("text",)


@admin.register(Reply)
class ReplyAdmin(ReadOnlyAdmin):
    """Who answered when."""

    list_display = ("question", "author", "is_from_staff", "created_at")
    list_select_related = ("question", "author")
    exclude = ("text",)
