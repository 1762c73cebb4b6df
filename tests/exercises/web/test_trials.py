"""What those who teach try out themselves is in no figure: every address of the site and of the API is asked before and after.

The walker of `test_every_address` finds the addresses, so that none can be forgotten: a new one that tells of a course is
compared here, or stands below with the reason why it may change.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.http import HttpResponse
from django.utils import timezone

from exercises.enums import QuestionKind, RegradeAction, Role
from exercises.models import Course, Question, User
from exercises.queries.class_counts import class_counts, current_round, round_mark
from exercises.queries.similar_programs import similar_pairs
from exercises.services.outcome_record import outcome_record
from exercises.services.regrade_decide import NOTHING_TO_DO, RegradeRefused, regrade_begin
from exercises.services.snapshot_refresh import MAKERS, Figures
from exercises.services.submission_create import submission_create
from tests.exercises.outcomes import marked
from tests.exercises.responses import half_right_numbers, right_numbers, transposed_numbers
from tests.exercises.web.test_every_address import ADDRESSES, Address, Door, ask, told, values
from tests.factories import EnrollmentFactory, SubmissionFactory, UserFactory

__all__ = ["ask", "values"]  # fixtures

TELL = {Door.MEMBER, Door.AUTHOR, Door.STAFF, Door.INSTRUCTOR}
MAY_CHANGE = {
    "log": "it tells what those who teach have done",
    "inbox": "a question waits for an answer, whoever asks it",
}
WAYS_TO_LOOK = {
    "progress": ("order=points", "order=stuck", "order=latest", "order=quiet"),
    "gradebook": ("sort=total", "sort=-total"),
    "item_analysis": ("tries=best", "tries=last"),
    "item_figures": ("tries=best", "tries=last"),
    "score_sheet": ("layout=moodle", "layout=canvas", "layout=registry"),
}
# What differs between two answers to the same request: the clock, and what is drawn anew against forgery.
NEVER_TWICE = re.compile(
    r'As of [-0-9: ]+|截至[-0-9: ]+|name="(?:csrfmiddlewaretoken|plan)" value="[^"]*"|"X-CSRFToken": ?"[^"]*"'
)


@pytest.fixture
def those_who_teach(course: Course) -> tuple[User, ...]:
    """A second instructor and an assistant; Ines, who looks, makes three."""
    people = {role: UserFactory(username=f"second-{role}") for role in (Role.INSTRUCTOR, Role.ASSISTANT)}
    for role, user in people.items():
        EnrollmentFactory(user=user, course=course, role=role)
    return tuple(people.values())


@pytest.fixture
def try_everything(attempt, broker) -> Callable[[User], None]:
    """Answers of every outcome, a text that waits, a program, a hint, a solution that was shown, a question."""

    def tried(user: User) -> None:
        numbers = attempt(user, "by-hand")
        numbers.hints.create(rung=1)
        for respond in (transposed_numbers, half_right_numbers, right_numbers):
            submission_create(attempt=numbers, raw_response=respond(numbers))
        submission_create(attempt=attempt(user, "pick"), raw_response={"chosen": ["b"]})
        submission_create(attempt=attempt(user, "in-words"), raw_response={"text": "A query asks."})
        outcome_record(outcome=marked(SubmissionFactory(attempt=attempt(user, "program")), score=3))
        Question.objects.create(attempt=numbers, kind=QuestionKind.QUESTION, text="Does this work?")
        again = attempt(user, "by-hand", fresh=True)
        again.shown_at = timezone.now()
        again.save()

    return tried


def looks() -> list[tuple[Address, str]]:
    """Every address that tells of a course, in every way in which it can be looked at."""
    told_of = [each for each in ADDRESSES if each.door in TELL and each.name not in MAY_CHANGE]
    return [(each, query) for each in told_of for query in ("", *WAYS_TO_LOOK.get(each.name, ()))]


def test_every_way_to_look_and_every_exception_is_an_address():
    assert {*MAY_CHANGE, *WAYS_TO_LOOK} - {each.name for each in ADDRESSES} == set()


def test_trials_of_those_who_teach_change_no_page_no_file_and_no_list_of_the_api(
    values, ask, ada, ines, those_who_teach, try_everything
):
    def shown() -> dict[tuple[str, str], str]:
        return {(each.name, query): page(ask(ines, "GET", each, query)) for each, query in looks()}

    def page(answer: HttpResponse) -> str:
        return f"{answer.status_code} {NEVER_TWICE.sub('', told(answer))}"

    shown()  # who looks first begins attempts of the own
    before = shown()
    for user in those_who_teach:
        try_everything(user)
    after = shown()

    assert [address for address in before if before[address] != after[address]] == []
    # Else nothing would be compared: a student's answers do change them.
    try_everything(ada)
    changed = {name for (name, _), said in shown().items() if said != before[name, _]}
    assert {
        "overview",
        "progress",
        "gradebook",
        "quick_checks",
        "item_analysis",
        "score_sheet",
        "api:grades",
    } <= changed


@pytest.mark.parametrize("name", Figures)
def test_no_kept_figures_hold_a_trial(name, course, values, ada, ines, those_who_teach, try_everything):
    before = MAKERS[name](course)
    for user in (ines, *those_who_teach):
        try_everything(user)
    assert MAKERS[name](course) == before


def test_no_count_of_a_class_and_no_comparison_of_programs_holds_a_trial(
    course, item, values, ada, ines, those_who_teach, try_everything
):
    the_round = current_round(course, item("by-hand"))
    before = class_counts(the_round), round_mark(the_round)
    for user in (ines, *those_who_teach):
        try_everything(user)
    assert (class_counts(the_round), round_mark(the_round)) == before
    assert similar_pairs(course, item("program")) == ()


def test_a_regrade_takes_no_trial_in(course, item, ines, those_who_teach, try_everything):
    for user in (ines, *those_who_teach):
        try_everything(user)
    with pytest.raises(RegradeRefused, match=re.escape(NOTHING_TO_DO.en)):
        regrade_begin(
            instructor=ines,
            course=course,
            item=item("by-hand"),
            action=RegradeAction.REMARK,
            reason="A cell was wrong.",
        )
