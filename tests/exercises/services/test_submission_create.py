from __future__ import annotations

import json
from decimal import Decimal

import pytest

from exercises.enums import GradingProgress, MarkedBy, Verdict
from exercises.models import Mark, MisconceptionSighting, Submission
from exercises.services.job_limit import TooManyPending
from exercises.services.submission_create import submission_create
from grader.marking.mark import Mark as Marking
from grader.marking.response import ResponseError
from tests.exercises.responses import RIGHT_CODE, half_right_numbers, right_numbers, transposed_numbers
from tests.factories import SubmissionFactory


def test_right_numbers_are_marked_at_once(ada, attempt):
    mine = attempt(ada, "by-hand")
    submitted = submission_create(attempt=mine, raw_response=right_numbers(mine))
    stored = Submission.objects.get()
    assert (submitted.submission, submitted.is_repeat) == (stored, False)
    assert stored.grading_progress == GradingProgress.FULLY_GRADED
    assert stored.settled_at is not None
    assert stored.counted
    assert stored.ticket is None
    mark = Mark.objects.get()
    assert stored.standing_mark == mark
    assert (mark.by, mark.verdict, mark.score, mark.max_score) == (MarkedBy.AUTO, Verdict.CORRECT, 2, 2)


def test_a_named_mistake_is_stored_with_its_words_and_sighted(ada, attempt):
    mine = attempt(ada, "by-hand")
    submission = submission_create(attempt=mine, raw_response=transposed_numbers(mine)).submission
    mark = Mark.objects.get()
    assert mark.verdict == Verdict.INCORRECT
    assert mark.misconceptions == ["w_transposed"]
    assert Marking.from_json(mark.feedback).misconceptions == ("w_transposed",)
    sighting = MisconceptionSighting.objects.get()
    assert (sighting.submission, sighting.slug, sighting.title["en"]) == (
        submission,
        "w_transposed",
        "Mistake w_transposed",
    )


def test_half_of_the_cells_earn_half_of_the_score(ada, attempt):
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=half_right_numbers(mine))
    mark = Mark.objects.get()
    assert (mark.verdict, mark.score) == (Verdict.PARTIALLY_CORRECT, Decimal(1))


def test_a_choice_is_marked_at_once(ada, attempt):
    mine = attempt(ada, "pick")
    wrong = submission_create(attempt=mine, raw_response={"chosen": ["b"]}).submission
    right = submission_create(attempt=mine, raw_response={"chosen": ["a"]}).submission
    assert [each.standing_mark.verdict for each in (wrong, right)] == [Verdict.INCORRECT, Verdict.CORRECT]
    assert MisconceptionSighting.objects.get().slug == "activations_are_parameters"


@pytest.mark.parametrize(
    ("slug", "response"),
    [
        ("by-hand", {"fields": {"q": [["one", "2"]]}}),
        ("by-hand", {"fields": {"q": [["", ""]]}}),
        ("by-hand", {"fields": {"q": [["1\0", "2"]]}}),
        ("by-hand", {"fields": {"q": [[float("nan"), "2"]]}}),
        ("by-hand", {}),
        ("pick", {"chosen": []}),
        ("pick", {"chosen": ["z"]}),
        ("program", {"code": ""}),
        ("program", {"code": "#" * 65_537}),
        ("program", {"code": 7}),
        ("in-words", {"text": "\u200b \u3000"}),
        ("in-words", {"text": "字" * 4_001}),
        ("in-words", {"text": [[[[[[[[[[[[["deep"]]]]]]]]]]]]]}),
    ],
)
def test_what_is_not_understood_leaves_no_row(ada, attempt, slug, response):
    mine = attempt(ada, slug)
    with pytest.raises(ResponseError):
        submission_create(attempt=mine, raw_response=response)
    assert Submission.objects.count() == 0


def test_an_identical_answer_is_the_earlier_submission(ada, attempt):
    mine = attempt(ada, "by-hand")
    response = right_numbers(mine)
    first = submission_create(attempt=mine, raw_response=response)
    again = submission_create(attempt=mine, raw_response=response)
    padded = {"fields": {"q": [[f" {cell} " for cell in response["fields"]["q"][0]]]}}
    padded_again = submission_create(attempt=mine, raw_response=padded)
    assert [again.submission, padded_again.submission] == [first.submission, first.submission]
    assert [first.is_repeat, again.is_repeat, padded_again.is_repeat] == [False, True, True]
    assert Submission.objects.count() == 1


def test_the_same_answer_to_other_numbers_is_no_repeat(ada, attempt):
    first = attempt(ada, "pick")
    submission_create(attempt=first, raw_response={"chosen": ["a"]})
    second = attempt(ada, "pick", fresh=True)
    assert not submission_create(attempt=second, raw_response={"chosen": ["a"]}).is_repeat


def test_a_text_waits_for_the_instructor_and_a_newer_one_takes_its_place(ada, attempt):
    mine = attempt(ada, "in-words")
    first = submission_create(attempt=mine, raw_response={"text": "它在提问。"}).submission
    second = submission_create(attempt=mine, raw_response={"text": "它在找别的词元。"}).submission
    first.refresh_from_db()
    assert [first.counted, second.counted] == [False, True]
    assert {first.grading_progress, second.grading_progress} == {GradingProgress.PENDING_MANUAL}
    third = submission_create(attempt=mine, raw_response={"text": "它在提问。"})
    assert not third.is_repeat
    assert list(Submission.objects.filter(counted=True)) == [third.submission]


def test_a_zero_byte_and_half_a_character_are_stored_as_signs(ada, attempt):
    text = attempt(ada, "in-words")
    code = attempt(ada, "program")
    submission_create(attempt=text, raw_response={"text": "a\0b\ud800"})
    submission_create(attempt=code, raw_response={"code": "x = '\udfff'"})
    responses = [each.raw_response for each in Submission.objects.order_by("id")]
    assert responses == [{"text": "a␀b�"}, {"code": "x = '�'"}]


def test_the_same_program_in_another_editors_hand_is_no_new_try(ada, attempt, broker):
    mine = attempt(ada, "program")
    first = submission_create(attempt=mine, raw_response={"code": "def f():\n    return 1\n"})
    for code in ("\ufeffdef f():\r\n    return 1\r\n", "def f():  \n    return 1\t\n\n\n", "def f():\r    return 1"):
        again = submission_create(attempt=mine, raw_response={"code": code})
        assert (again.submission, again.is_repeat) == (first.submission, True)
    assert not submission_create(attempt=mine, raw_response={"code": "def f():\n     return 1\n"}).is_repeat


def test_code_is_stored_with_plain_line_ends_and_no_mark(ada, attempt, broker):
    code = "\ufeffx = 1\r\ny = 2\rz = 3\n"
    submission = submission_create(attempt=attempt(ada, "program"), raw_response={"code": code}).submission
    assert submission.raw_response == {"code": "x = 1\ny = 2\nz = 3\n"}


def test_code_is_queued_when_the_row_is_stored(ada, attempt, broker, valkey, django_capture_on_commit_callbacks):
    mine = attempt(ada, "program")
    with django_capture_on_commit_callbacks(execute=True):
        submission = submission_create(attempt=mine, raw_response={"code": RIGHT_CODE}).submission
        assert valkey.llen("interactive") == 0
    submission.refresh_from_db()
    assert submission.grading_progress == GradingProgress.PENDING
    assert len(submission.ticket) == 64
    assert (submission.sends, submission.sent_at is None) == (1, False)
    message = json.loads(valkey.lindex("interactive", -1))
    assert message["headers"]["task"] == "grader.grade_code"
    assert message["headers"]["sent_at"] == submission.sent_at.isoformat()


def test_a_double_click_on_code_is_one_submission(ada, attempt):
    mine = attempt(ada, "program")
    first = submission_create(attempt=mine, raw_response={"code": RIGHT_CODE})
    second = submission_create(attempt=mine, raw_response={"code": RIGHT_CODE})
    assert (second.submission, second.is_repeat) == (first.submission, True)


def test_code_that_failed_by_our_fault_may_be_sent_again(ada, attempt):
    mine = attempt(ada, "program")
    first = submission_create(attempt=mine, raw_response={"code": RIGHT_CODE}).submission
    Submission.objects.update(grading_progress=GradingProgress.FAILED, counted=False)
    second = submission_create(attempt=mine, raw_response={"code": RIGHT_CODE})
    assert not second.is_repeat
    assert second.submission != first


def test_a_third_program_waits_until_one_is_through(ada, ben, attempt):
    mine = attempt(ada, "program")
    for code in ("a", "b"):
        submission_create(attempt=mine, raw_response={"code": code})
    with pytest.raises(TooManyPending):
        submission_create(attempt=mine, raw_response={"code": "c"})
    assert submission_create(attempt=mine, raw_response={"code": "a"}).is_repeat
    assert not submission_create(attempt=attempt(ben, "program"), raw_response={"code": "c"}).is_repeat
    Submission.objects.filter(raw_response__code="a").update(grading_progress=GradingProgress.FULLY_GRADED)
    assert not submission_create(attempt=mine, raw_response={"code": "c"}).is_repeat


def test_another_students_waiting_programs_are_not_mine(ada, ben, attempt):
    SubmissionFactory.create_batch(2, attempt=attempt(ben, "program"))
    assert submission_create(attempt=attempt(ada, "program"), raw_response={"code": "c"}).submission.ticket
