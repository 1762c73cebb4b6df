from __future__ import annotations

from decimal import Decimal

import pytest
from django.utils import timezone

from exercises import dispatch
from exercises.enums import Act, GradingProgress, MarkedBy, RegradeAction, RegradeOutcome, RegradeState, Release
from exercises.models import (
    Assignment,
    AssignmentItem,
    AuditEntry,
    Enrollment,
    Mark,
    Regrade,
    RegradeLine,
    Submission,
)
from exercises.queries.grade_page import own_grades
from exercises.queries.terms import VOID, is_withheld
from exercises.services.assignment_set import assignment_dissolve
from exercises.services.course_copy import course_copy
from exercises.services.item_void import item_count_again, item_void
from exercises.services.mark_by_instructor import mark_by_instructor
from exercises.services.outcome_record import outcome_record
from exercises.services.regrade_decide import (
    RegradeRefused,
    regrade_abandon,
    regrade_apply,
    regrade_begin,
    regrade_pause,
)
from exercises.services.regrade_step import LOST_AFTER, MOST_IN_FLIGHT, regrade_record, regrade_step, regrades_forgotten
from exercises.services.submission_create import submission_create
from grader.marking.text import Text
from tests.exercises.grading import assigned
from tests.exercises.mended import mended, right_is_the_other_one
from tests.exercises.outcomes import marked
from tests.exercises.responses import half_right_numbers, right_numbers, transposed_numbers
from tests.factories import EnrollmentFactory


@pytest.fixture
def mend(item):
    """mend(slug, change): a newer version of the item."""
    return lambda slug, change: mended(item(slug), change)


@pytest.fixture
def begin(ines, course):
    def begun(item, action=RegradeAction.REMARK, reason="The key was wrong."):
        return regrade_begin(instructor=ines, course=course, item=item, action=action, reason=reason)

    return begun


def run(regrade):
    """All steps that can be done at once."""
    for _step in range(50):
        if not regrade_step(regrade_id=regrade.pk):
            regrade.refresh_from_db()
            return
    raise AssertionError("it does not end")


def outcomes(regrade):
    return list(regrade.lines.order_by("submission").values_list("outcome", flat=True))


def choose(attempt, user, key):
    mine = attempt(user, "pick")
    return submission_create(attempt=mine, raw_response={"chosen": [key]}).submission


@pytest.fixture
def keys(item):
    return [option["key"] for option in item("pick").version.definition["option"]]


@pytest.fixture
def right_key(item):
    return next(option["key"] for option in item("pick").version.definition["option"] if option.get("right"))


def test_nothing_changes_before_it_is_applied_and_then_everything_that_was_shown(
    ada, ben, ines, attempt, mend, begin, keys, right_key
):
    wrong_key = next(key for key in keys if key != right_key)
    adas, bens = choose(attempt, ada, right_key), choose(attempt, ben, wrong_key)
    mended = mend("pick", right_is_the_other_one)

    regrade = begin(mended)
    run(regrade)
    assert (regrade.state, Mark.objects.filter(by=MarkedBy.REGRADE).count()) == (RegradeState.READY, 0)
    assert RegradeOutcome.CHANGES in outcomes(regrade)

    assert regrade_apply(instructor=ines, regrade=regrade)
    run(regrade)

    assert regrade.state == RegradeState.DONE
    adas.refresh_from_db()
    bens.refresh_from_db()
    assert (adas.standing_mark.by, adas.standing_mark.score) == (MarkedBy.REGRADE, 0)
    assert (adas.standing_mark.comment, adas.standing_mark.replaced.by) == ("The key was wrong.", MarkedBy.AUTO)
    assert set(outcomes(regrade)) <= {RegradeOutcome.APPLIED, RegradeOutcome.SAME}
    assert list(AuditEntry.objects.order_by("pk").values_list("act", flat=True)) == [
        Act.REGRADE_BEGIN,
        Act.REGRADE_APPLY,
    ]


def test_numbers_are_marked_again_as_they_were_shown_and_what_stays_the_same_is_left_alone(
    ada, ben, ines, item, attempt, begin
):
    adas, bens = attempt(ada, "by-hand"), attempt(ben, "by-hand")
    submission_create(attempt=adas, raw_response=right_numbers(adas))
    submission_create(attempt=bens, raw_response=transposed_numbers(bens))

    regrade = begin(item("by-hand"))
    run(regrade)

    assert outcomes(regrade) == [RegradeOutcome.SAME, RegradeOutcome.SAME]


def test_marks_of_several_tries_claim_no_credit_by_scores_that_a_regrade_took_back(
    ada, ines, attempt, mend, begin, keys, right_key
):
    first, second = (choose(attempt, ada, key) for key in (next(key for key in keys if key != right_key), right_key))
    regrade = begin(mend("pick", right_is_the_other_one))
    run(regrade)
    regrade_apply(instructor=ines, regrade=regrade)
    run(regrade)

    for submission, score in ((first, 1), (second, 0)):
        submission.refresh_from_db()
        mark = submission.standing_mark
        assert (mark.by, mark.score, mark.feedback["credit"]) == (MarkedBy.REGRADE, score, None)
    assert shown_of(ada, "pick") == 1


def test_answer_that_the_new_version_cannot_read_keeps_its_mark(ada, attempt, mend, begin):
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=right_numbers(mine))

    def rename(definition):
        definition["given"] = {"y": definition["given"]["x"], "W_Q": definition["given"]["W_Q"]}
        definition["steps"] = {"q": "project_rows(y, W_Q)"}

    regrade = begin(mend("by-hand", rename))
    run(regrade)

    assert outcomes(regrade) == [RegradeOutcome.IMPOSSIBLE]


def test_instructors_mark_is_left_and_said_so(ada, ines, attempt, mend, begin, right_key):
    submission = choose(attempt, ada, right_key)
    mark_by_instructor(instructor=ines, submission=submission, score=Decimal("0.5"))

    regrade = begin(mend("pick", right_is_the_other_one))
    run(regrade)
    regrade_apply(instructor=ines, regrade=regrade)
    run(regrade)

    submission.refresh_from_db()
    assert (outcomes(regrade), submission.standing_mark.score) == ([RegradeOutcome.BY_HAND], Decimal("0.5"))


def test_mark_that_was_given_after_the_trial_is_not_overwritten(ada, ines, attempt, mend, begin, right_key):
    submission = choose(attempt, ada, right_key)
    regrade = begin(mend("pick", right_is_the_other_one))
    run(regrade)
    mark_by_instructor(instructor=ines, submission=submission, score=Decimal("0.5"))

    regrade_apply(instructor=ines, regrade=regrade)
    run(regrade)

    submission.refresh_from_db()
    assert (outcomes(regrade), submission.standing_mark.score) == ([RegradeOutcome.PASSED_OVER], Decimal("0.5"))


def test_crash_in_the_middle_goes_on_where_it_ended_and_nothing_is_given_twice(
    course, ines, attempt, mend, begin, right_key, monkeypatch
):
    for _ in range(4):
        choose(attempt, EnrollmentFactory(course=course).user, right_key)
    regrade = begin(mend("pick", right_is_the_other_one))
    run(regrade)
    regrade_apply(instructor=ines, regrade=regrade)
    monkeypatch.setattr("exercises.services.regrade_step.IN_ONE_STEP", 2)
    assert regrade_step(regrade_id=regrade.pk)
    assert outcomes(regrade).count(RegradeOutcome.APPLIED) == 2
    # The message for the next step is lost with its worker.
    Regrade.objects.update(stepped_at=timezone.now() - LOST_AFTER)
    assert regrades_forgotten() == [regrade.pk]

    run(regrade)
    regrade_step(regrade_id=regrade.pk)

    assert (regrade.state, Mark.objects.filter(by=MarkedBy.REGRADE).count()) == (RegradeState.DONE, 4)


def test_paused_regrade_does_nothing_until_it_goes_on_and_the_log_says_who_did_both(
    ada, ines, attempt, mend, begin, right_key
):
    choose(attempt, ada, right_key)
    regrade = begin(mend("pick", right_is_the_other_one))
    for _twice in range(2):
        regrade_pause(instructor=ines, regrade=regrade, is_paused=True)
    run(regrade)
    assert outcomes(regrade) == [RegradeOutcome.WAITING]

    regrade_pause(instructor=ines, regrade=regrade, is_paused=False)
    run(regrade)

    assert outcomes(regrade) == [RegradeOutcome.CHANGES]
    regrade_pause(instructor=ines, regrade=regrade, is_paused=True)
    assert list(AuditEntry.objects.order_by("pk").values_list("act", "actor")) == [
        (Act.REGRADE_BEGIN, ines.pk),
        (Act.REGRADE_PAUSE, ines.pk),
        (Act.REGRADE_GO_ON, ines.pk),
    ]


def test_given_up_regrade_is_never_applied(ada, ines, attempt, mend, begin, right_key):
    choose(attempt, ada, right_key)
    regrade = begin(mend("pick", right_is_the_other_one))
    run(regrade)

    assert regrade_abandon(instructor=ines, regrade=regrade)
    assert not regrade_apply(instructor=ines, regrade=regrade)
    run(regrade)

    assert Mark.objects.filter(by=MarkedBy.REGRADE).count() == 0
    assert not regrade_abandon(instructor=ines, regrade=regrade)


def test_everybody_who_answered_gets_all_points_and_what_was_understood_stays_seen(
    ada, ben, ines, item, attempt, begin
):
    adas, bens = attempt(ada, "by-hand"), attempt(ben, "by-hand")
    wrong = submission_create(attempt=adas, raw_response=transposed_numbers(adas)).submission
    half = submission_create(attempt=bens, raw_response=half_right_numbers(bens)).submission
    mark_by_instructor(instructor=ines, submission=half, score=Decimal(1))

    regrade = begin(item("by-hand"), RegradeAction.AWARD, "The figure was illegible.")
    run(regrade)
    regrade_apply(instructor=ines, regrade=regrade)
    run(regrade)

    for submission in (wrong, half):
        submission.refresh_from_db()
        mark = submission.standing_mark
        assert (mark.by, mark.marker, mark.score, mark.comment) == (
            MarkedBy.INSTRUCTOR,
            ines,
            mark.max_score,
            "The figure was illegible.",
        )
    assert wrong.sightings.exists()


@pytest.mark.parametrize(
    ("slug", "reason", "refusal"),
    [("pick", " ", "Say why"), ("pick", "x" * 301, "Say why"), ("in-words", "y", "marked by")],
)
def test_regrade_without_a_reason_or_of_words_is_refused(ada, attempt, item, begin, slug, reason, refusal):
    with pytest.raises(RegradeRefused, match=refusal):
        begin(item(slug), reason=reason)


def test_second_regrade_of_one_item_waits_for_the_first(ada, attempt, item, begin, right_key):
    with pytest.raises(RegradeRefused, match="no graded answer"):
        begin(item("pick"))
    choose(attempt, ada, right_key)
    begin(item("pick"))
    with pytest.raises(RegradeRefused, match="under way"):
        begin(item("pick"))


@pytest.fixture
def program(ada, attempt):
    """A program of Ada's that was graded."""
    mine = attempt(ada, "program")
    submission = submission_create(attempt=mine, raw_response={"code": "def project(x, W):\n    return x\n"}).submission
    outcome_record(outcome=marked(submission))
    return submission


def test_program_runs_again_on_its_hidden_cases_behind_all_that_learners_wait_for(
    ines, program, item, begin, valkey, django_capture_on_commit_callbacks
):
    regrade = begin(item("program"))
    run(regrade)
    line = RegradeLine.objects.get()
    assert (line.outcome, valkey.llen("interactive"), valkey.llen("interactive\x06\x169")) == (
        RegradeOutcome.SENT,
        0,
        1,
    )

    outcome = marked(program) | {"ticket": line.ticket}
    outcome["mark"] |= {"verdict": "incorrect", "score": "0"}
    assert regrade_record(outcome=outcome) == regrade.pk
    assert regrade_record(outcome=outcome) is None
    run(regrade)
    assert regrade.state == RegradeState.READY
    regrade_apply(instructor=ines, regrade=regrade)
    run(regrade)

    program.refresh_from_db()
    assert (program.standing_mark.by, program.standing_mark.score) == (MarkedBy.REGRADE, 0)
    assert program.grading_progress == GradingProgress.FULLY_GRADED


def test_programs_that_people_marked_do_not_hold_up_those_that_run_again(ines, course, item, attempt, begin, broker):
    for number in range(MOST_IN_FLIGHT + 2):
        mine = attempt(EnrollmentFactory(course=course).user, "program")
        sent = submission_create(attempt=mine, raw_response={"code": f"def project(x, W):\n    return x  # {number}\n"})
        outcome_record(outcome=marked(sent.submission))
        if number < MOST_IN_FLIGHT:
            sent.submission.refresh_from_db()
            mark_by_instructor(instructor=ines, submission=sent.submission, score=Decimal(1))

    regrade = begin(item("program"))
    run(regrade)

    assert outcomes(regrade) == [RegradeOutcome.BY_HAND] * MOST_IN_FLIGHT + [RegradeOutcome.SENT] * 2


def test_program_that_is_lost_three_times_keeps_its_mark(program, item, begin, broker):
    regrade = begin(item("program"))
    for _ in range(4):
        run(regrade)
        RegradeLine.objects.update(sent_at=timezone.now() - 2 * LOST_AFTER)

    assert outcomes(regrade) == [RegradeOutcome.IMPOSSIBLE]


def test_outcome_that_makes_no_sense_changes_nothing(program, item, begin, broker):
    regrade = begin(item("program"))
    run(regrade)
    line = RegradeLine.objects.get()

    regrade_record(outcome={"ticket": line.ticket, "mark": {"verdict": "correct", "score": "99", "max_score": "99"}})

    assert outcomes(regrade) == [RegradeOutcome.IMPOSSIBLE]


@pytest.mark.usefixtures("broker_away")
def test_broker_that_is_away_leaves_the_program_waiting(program, item, begin):
    regrade = begin(item("program"))
    run(regrade)

    line = RegradeLine.objects.get()
    assert (line.outcome, line.sends) == (RegradeOutcome.WAITING, 0)


def test_void_item_weighs_nothing_until_it_counts_again(ines, course, item):
    assert item_void(instructor=ines, course=course, item=item("pick"), reason="Ambiguous.")
    assert not item_void(instructor=ines, course=course, item=item("pick"), reason="Ambiguous.")
    assert course.assignments.get().weight == 0
    assert item_count_again(instructor=ines, course=course, item=item("pick"))
    assert not item_count_again(instructor=ines, course=course, item=item("pick"))
    assert list(AuditEntry.objects.order_by("pk").values_list("act", flat=True)) == [Act.VOID_ITEM, Act.COUNT_ITEM]


def test_only_students_answers_are_regraded(ada, ines, attempt, item, begin, right_key):
    choose(attempt, ines, right_key)
    mine = choose(attempt, ada, right_key)

    regrade = begin(item("pick"))

    assert [line.submission for line in regrade.lines.all()] == [mine]
    assert Submission.objects.count() == 2
    assert dispatch.LAST > 0


@pytest.fixture
def withheld_pick(ada, course, attempt, right_key):
    """Ada's right answer to an item of an assignment of its own, whose marks wait for a word."""
    submission = choose(attempt, ada, right_key)
    row = Assignment.objects.create(course=course, slug="midterm", title={"zh-hans": "期中", "en": "Midterm"})
    AssignmentItem.objects.create(assignment=row, course=course, item=submission.attempt.item)
    Assignment.objects.filter(pk=row.pk).update(feedback=Release.BY_HAND)
    return submission


def shown_of(user, slug):
    enrollment = Enrollment.objects.select_related("course", "user").get(user=user)
    (line,) = own_grades(enrollment).students
    return next(each.score for each in line.items if each.item_slug == slug)


@pytest.mark.parametrize("is_of_lesson", [True, False])
def test_void_item_keeps_back_what_its_assignment_keeps_back(ada, ines, course, withheld_pick, item, is_of_lesson):
    if is_of_lesson:
        AssignmentItem.objects.all().delete()
        assigned(course, feedback=Release.BY_HAND)
    assert (is_withheld(withheld_pick.attempt), shown_of(ada, "pick")) == (True, None)

    item_void(instructor=ines, course=course, item=item("pick"), reason="Ambiguous.")
    assert (is_withheld(withheld_pick.attempt), shown_of(ada, "pick")) == (True, None)

    Assignment.objects.filter(slug="first" if is_of_lesson else "midterm").update(released_at=timezone.now())
    assert (is_withheld(withheld_pick.attempt), shown_of(ada, "pick")) == (False, withheld_pick.standing_mark.score)


def test_void_item_goes_back_to_where_it_comes_from(ines, course, withheld_pick, item, enrollment_of):
    item_void(instructor=ines, course=course, item=item("pick"), reason="Ambiguous.")
    item_count_again(instructor=ines, course=course, item=item("pick"))
    assert (AssignmentItem.objects.get().assignment.slug, AssignmentItem.objects.get().taken_from) == ("midterm", None)

    item_void(instructor=ines, course=course, item=item("pick"), reason="Ambiguous.")
    assignment_dissolve(instructor=enrollment_of(ines), slug=VOID, agreed=False)
    assert AssignmentItem.objects.get().assignment.slug == "midterm"

    item_void(instructor=ines, course=course, item=item("pick"), reason="Ambiguous.")
    assignment_dissolve(instructor=enrollment_of(ines), slug="midterm", agreed=False)
    item_count_again(instructor=ines, course=course, item=item("pick"))
    assert not AssignmentItem.objects.exists()


def test_copied_course_knows_where_void_items_come_from(ines, course, withheld_pick, item, enrollment_of):
    item_void(instructor=ines, course=course, item=item("pick"), reason="Ambiguous.")
    title = Text("秋季", "Autumn")
    new = course_copy(instructor=enrollment_of(ines), slug="next", title=title, days=364)
    copied = AssignmentItem.objects.get(course=new)
    assert (copied.assignment.slug, copied.taken_from.slug, copied.taken_from.course) == (VOID, "midterm", new)
