"""The closed sets that the database stores. Their values are the grader's own words, their labels are for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Language(TextChoices):
    """The two languages of the course; an empty value follows the browser."""

    CHINESE = "zh-hans", "简体中文"
    ENGLISH = "en", "English"


class Theme(TextChoices):
    """How the pages are lit."""

    SYSTEM = "system", _("As the system")
    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


class Convention(TextChoices):
    """How a reader likes formulas to be written."""

    LESSON = "lesson", _("As each lesson has it")
    ROW = "row", _("In rows: x W")
    COLUMN = "column", _("In columns: W x")


class Editor(TextChoices):
    """Where a reader likes to write code."""

    CODE = "code", _("A box in which Tab indents")
    PLAIN = "plain", _("A plain text box, which Tab leaves")


class Digest(TextChoices):
    """Whether news come by e-mail as well, to whoever has an address."""

    DAILY = "daily", _("At most once a day, where there is news")
    OFF = "off", _("Never")


# What a reader can choose, each kept in the account and in a cookie of this name.
PREFERENCES: Final[Mapping[str, type[TextChoices]]] = {
    "language": Language,
    "theme": Theme,
    "convention": Convention,
    "editor": Editor,
    "digest": Digest,
}


class Role(TextChoices):
    """What somebody is in one course. A former member can do nothing there, and what they did is kept."""

    STUDENT = "student", _("Student")
    INSTRUCTOR = "instructor", _("Instructor")
    ASSISTANT = "assistant", _("Assistant")
    GUEST = "guest", _("Guest")
    FORMER = "former", _("Former member")


# Who sees a class and marks its answers; who may be in it, what it is called and what counts is the instructor's.
STAFF: Final = (Role.INSTRUCTOR, Role.ASSISTANT)


class QuestionKind(TextChoices):
    """What a learner has to say about an item."""

    QUESTION = "question", _("A question")
    PROBLEM = "problem", _("A problem with the exercise")


class QuestionState(TextChoices):
    """Whether it waits for an answer."""

    OPEN = "open", _("Open")
    ANSWERED = "answered", _("Answered")
    CLOSED = "closed", _("Closed")


class ItemKind(TextChoices):
    """The kinds of item; the values are those of `grader.marking.items.ItemKind`."""

    NUMERIC = "numeric", _("Numbers")
    CHOICE = "choice", _("Choice")
    CODE = "code", _("Code")
    FREE_TEXT = "free_text", _("Free text")
    SHAPE = "shape", _("Shapes")
    MATCH = "match", _("Matching")
    ORDER = "order", _("Ordering")
    PREDICT = "predict", _("Prediction")
    LAB = "lab", _("Lab")


class GradingProgress(TextChoices):
    """How far grading has come; the values are those of `grader.marking.verdict.GradingProgress`."""

    NOT_READY = "NotReady", _("Not ready")
    PENDING = "Pending", _("Waiting to be graded")
    PENDING_MANUAL = "PendingManual", _("Waiting for the instructor")
    FULLY_GRADED = "FullyGraded", _("Graded")
    FAILED = "Failed", _("Technical problem")


class Verdict(TextChoices):
    """How a response was judged; the values are those of `grader.marking.verdict.Verdict`."""

    CORRECT = "correct", _("Correct")
    PARTIALLY_CORRECT = "partially_correct", _("Partially correct")
    INCORRECT = "incorrect", _("Incorrect")


class MarkedBy(TextChoices):
    """Who gave a mark."""

    AUTO = "auto", _("Marked by the course")
    REGRADE = "regrade", _("Marked again by the course")
    INSTRUCTOR = "instructor", _("Marked by the instructor")


class Release(TextChoices):
    """When learners see what an assignment keeps back: marks and what they say, or worked solutions."""

    AT_ONCE = "at_once", _("At once")
    DUE = "due", _("After the due date")
    CLOSED = "closed", _("After closing")
    BY_HAND = "by_hand", _("When I release it")


class LateUnit(TextChoices):
    """The steps in which lateness is counted; a step that has begun counts."""

    HOUR = "hour", _("hour")
    DAY = "day", _("day")


class TriesCount(TextChoices):
    """Which try stands; the values are those of `grader.marking.policy.Counts`. An empty one is what the item says."""

    BEST = "best", _("The best try counts")
    LAST = "last", _("The last try counts")


class RegradeAction(TextChoices):
    """What a regrade gives: the mark of the item's current version, or all points."""

    REMARK = "remark", _("Mark again by the current version")
    AWARD = "award", _("Give everybody who answered all points")


class RegradeState(TextChoices):
    """How far a regrade is. Until it is applied nothing of it is written to any mark."""

    TRYING = "trying", _("Being tried")
    READY = "ready", _("Waiting for your decision")
    APPLYING = "applying", _("Being applied")
    DONE = "done", _("Applied")
    ABANDONED = "abandoned", _("Given up")


class RegradeOutcome(TextChoices):
    """What a regrade means for one submission."""

    WAITING = "waiting", _("Not tried yet")
    SENT = "sent", _("Being run")
    CHANGES = "changes", _("Would change")
    SAME = "same", _("Stays as it is")
    BY_HAND = "by_hand", _("Marked by an instructor: stays")
    IMPOSSIBLE = "impossible", _("Cannot be marked by this version: stays")
    APPLIED = "applied", _("Changed")
    PASSED_OVER = "passed_over", _("Got another mark meanwhile: stays")


class RoundStage(TextChoices):
    """What the projector shows of a round."""

    COLLECTING = "collecting", _("How many have answered")
    COUNTS = "counts", _("What was answered")
    REVEALED = "revealed", _("What is right")


class ApiScope(TextChoices):
    """What an API token may do, on top of what its user may do."""

    READ_ITEMS = "items:read", _("List items")
    SUBMIT = "submissions:write", _("Draw variants and send answers")
    READ_SUBMISSIONS = "submissions:read", _("Read answers and their marks")
    READ_GRADES = "grades:read", _("Read the grades of a course")


class Act(TextChoices):
    """What an instructor does that is noted down. Whoever adds an act to the site adds it here: subject, dot, verb."""

    MAKE_CODE = "course_code.create", _("Made a course code")
    REVOKE_CODE = "course_code.revoke", _("Revoked a course code")
    ADD_MEMBER = "enrollment.add", _("Added somebody to the course")
    CHANGE_ROLE = "enrollment.change_role", _("Changed somebody's role")
    CHANGE_LABELS = "enrollment.change_labels", _("Changed somebody's labels")
    ISSUE_ACTIVATION = "activation.issue", _("Issued an activation code")
    CHANGE_COURSE = "course.change", _("Changed the settings of the course")
    VIEW_AS = "student.view_as", _("Looked at the course as a student sees it")
    WRITE_NOTE = "student.write_note", _("Wrote a note about a student")
    MARK = "submission.mark", _("Marked an answer")
    TAKE_BACK_MARK = "submission.take_back_mark", _("Took back a mark")
    SEND_BACK = "submission.send_back", _("Sent an answer back")
    KEEP_COMMENT = "comment.keep", _("Kept a comment for the course")
    DROP_COMMENT = "comment.drop", _("Dropped a kept comment")
    REGRADE_BEGIN = "regrade.begin", _("Tried a regrade")
    REGRADE_APPLY = "regrade.apply", _("Applied a regrade")
    REGRADE_ABANDON = "regrade.abandon", _("Gave up a regrade")
    REGRADE_PAUSE = "regrade.pause", _("Paused a regrade")
    REGRADE_GO_ON = "regrade.go_on", _("Let a regrade go on")
    VOID_ITEM = "item.void", _("Took an exercise out of the grades")
    COUNT_ITEM = "item.count", _("Let an exercise count again")
    CLASS_ROUND = "item.class_round", _("Put an exercise before the class")
    CLASS_STAGE = "item.class_stage", _("Showed the class more or less of an exercise")
    SET_ASSIGNMENT = "assignment.set", _("Changed an assignment")
    DROP_ASSIGNMENT = "assignment.drop", _("Dissolved an assignment")
    RELEASE = "assignment.release", _("Released marks and solutions")
    GRANT_EXTENSION = "extension.grant", _("Gave more time")
    DROP_EXTENSION = "extension.drop", _("Took back more time")
    OVERRIDE_GRADE = "grade.override", _("Overrode a grade")
    GRANT_EXEMPTION = "exemption.grant", _("Exempted a student")
    DROP_EXEMPTION = "exemption.drop", _("Ended an exemption")
    IMPORT_GRADES = "grades.import", _("Took in grades from a file")
    EXPORT_GRADES = "grades.export", _("Downloaded grades")
    SET_LAYOUT = "layout.set", _("Changed the columns of a score sheet")
    IMPORT_ROSTER = "roster.import", _("Took in a list of students")
    COPY_COURSE = "course.copy", _("Copied a course into a new term")
    REOPEN_COURSE = "course.reopen", _("Made a course writable again")
