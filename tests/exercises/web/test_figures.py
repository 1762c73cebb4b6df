from __future__ import annotations

import re
import tomllib
from html import unescape

import pytest
from django.urls import reverse

from exercises.enums import Act, Role
from exercises.models import AuditEntry, Enrollment, Mark, Snapshot, StudentNote
from exercises.services.note_write import LONGEST_NOTE
from exercises.services.predictions_keep import predictions_bring_up_to_date
from exercises.services.submission_create import submission_create
from tests.exercises.responses import half_right_numbers, right_numbers, transposed_numbers
from tests.factories import EnrollmentFactory, UserFactory

PAGES = ["overview", "progress", "misconceptions", "unexplained", "analysis", "analysis/by-hand", "predictions"]


def words(browser, address):
    html = browser.get(address).content.decode()
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


@pytest.fixture
def sent(attempt):
    """sent(user, respond): that answer of the user's to the numeric item."""

    def send(user, respond):
        mine = attempt(user, "by-hand")
        return submission_create(attempt=mine, raw_response=respond(mine)).submission

    return send


@pytest.fixture
def member(course):
    return lambda user: Enrollment.objects.get(user=user, course=course).pk


def addresses(member, ada, submission):
    yield from (f"/en/courses/spring/{page}/" for page in PAGES)
    yield f"/en/courses/spring/students/{member(ada)}/"
    yield f"/en/submissions/{submission.public_id}/replay/"


def test_those_who_teach_see_every_page_and_nobody_else_does(ada, ben, ines, otto, sent, member, as_user, other_course):
    submission = sent(ada, transposed_numbers)
    stranger = UserFactory(username="stranger")
    EnrollmentFactory(user=stranger, course=other_course, role=Role.INSTRUCTOR)
    for address in addresses(member, ada, submission):
        assert as_user(ines).get(address).status_code == 200, address
        for user in (ada, ben, otto, stranger):
            assert as_user(user).get(address).status_code == 404, (user, address)


def test_an_assistant_reads_figures(course, ada, sent, as_user):
    helper = UserFactory(username="helper")
    EnrollmentFactory(user=helper, course=course, role=Role.ASSISTANT)
    for page in PAGES:
        assert as_user(helper).get(f"/en/courses/spring/{page}/").status_code == 200


def test_the_instructors_own_trial_is_in_no_figure(ines, sent, as_user):
    sent(ines, transposed_numbers)
    assert "students 0 have started 0" in words(as_user(ines), "/en/courses/spring/overview/")
    assert "No named mistake has been seen yet" in words(as_user(ines), "/en/courses/spring/misconceptions/")
    assert "students with a mark 0" in words(as_user(ines), "/en/courses/spring/analysis/")


def test_a_trial_of_those_who_teach_changes_no_page_of_figures(ada, course, ines, sent, member, as_user):
    helper = UserFactory(username="helper")
    EnrollmentFactory(user=helper, course=course, role=Role.ASSISTANT)
    sent(ada, transposed_numbers)
    pages = [*PAGES, "gradebook", "quick-checks", f"students/{member(ada)}"]
    browser = as_user(ines)

    def shown():
        return [re.sub(r"As of [-0-9: ]+", "", words(browser, f"/en/courses/spring/{page}/")) for page in pages]

    before = shown()
    sent(ines, half_right_numbers)
    sent(helper, transposed_numbers)
    assert shown() == before
    sheet = browser.get("/en/courses/spring/gradebook/sheet/").content.decode("utf-8-sig")
    assert "Ada" in sheet
    assert "ines" not in sheet.lower()


def test_predictions_stand_beside_what_the_class_shows(ada, ines, course, sent, as_user):
    browser = as_user(ines)
    assert "at work" in words(browser, "/en/courses/spring/predictions/")
    assert predictions_bring_up_to_date(course_id=course.pk)
    before = words(browser, "/en/courses/spring/predictions/")
    assert re.search(r"One query \d+ % too few [-\d.–]+ too few 0", before)
    sent(ada, transposed_numbers)
    after = words(browser, "/en/courses/spring/predictions/")
    assert re.search(r"One query \d+ % too few [-\d.–]+ too few 1", after)


def test_the_overview_says_who_is_stuck_on_what(ada, ines, attempt, as_user):
    for _ in range(3):
        mine = attempt(ada, "by-hand", fresh=True)
        submission_create(attempt=mine, raw_response=transposed_numbers(mine))
    said = words(as_user(ines), "/en/courses/spring/overview/")
    assert re.search(r"Ada One query 3 Mistake w_transposed \d{4}-", said)
    assert "One query 3 3 1 1" in said


def test_figures_tell_how_old_they_are(ada, ines, sent, as_user):
    sent(ada, transposed_numbers)
    browser = as_user(ines)
    assert "Newer figures are being worked out" not in words(browser, "/en/courses/spring/overview/")
    Snapshot.objects.update(cost_ms=10_000, made_at="2026-03-01T12:00:00Z")
    said = words(browser, "/en/courses/spring/overview/")
    assert "As of 2026-03-01 20:00" in said
    assert "Newer figures are being worked out" in said


def test_few_students_have_too_few_figures(ada, ines, sent, as_user):
    sent(ada, right_numbers)
    said = words(as_user(ines), "/en/courses/spring/analysis/")
    assert "students with a mark 1 fewer than ten" in said
    assert "One query 1 too few" in said


def test_an_item_tells_what_its_wrong_answers_show_and_how_many_had_which_numbers(ada, ben, ines, sent, as_user):
    sent(ada, transposed_numbers)
    sent(ben, half_right_numbers)
    said = words(as_user(ines), "/en/courses/spring/analysis/by-hand/")
    assert "2 counted tries are wrong" in said
    assert "Mistake w_transposed 1 Nothing that has a name 1" in said
    assert as_user(ines).get("/en/courses/spring/analysis/nothing/").status_code == 404


def test_tries_can_be_chosen_and_nonsense_chooses_the_first(ada, ines, attempt, as_user):
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=transposed_numbers(mine))
    submission_create(attempt=mine, raw_response=right_numbers(mine))
    browser = as_user(ines)
    for tries, wrong in (("first", True), ("best", False), ("nonsense", True)):
        said = words(browser, f"/en/courses/spring/analysis/by-hand/?tries={tries}")
        assert ("1 counted try is wrong" in said) == wrong


def test_an_unexplained_answer_becomes_a_draft_that_authors_can_read(ada, ben, ines, sent, as_user):
    sent(ada, half_right_numbers)
    sent(ben, half_right_numbers)
    browser = as_user(ines)
    html = browser.get("/en/courses/spring/unexplained/").content.decode()
    [address] = re.findall(r'href="([^"]+\.toml)"', html)
    file = browser.get(address)
    assert file["Content-Disposition"].startswith('attachment; filename="by-hand-')
    text = file.content.decode()
    [draft] = tomllib.loads(text).values()
    assert set(draft) == {"title", "explanation", "hint"}
    assert all(set(each) == {"zh-hans", "en"} for each in draft.values())
    assert "# 2 answers of 2 students to by-hand" in text
    assert "one cell alone is off, by 100" in text
    assert browser.get(address.replace("by-hand", "pick")).status_code == 404


def test_whatever_a_learner_typed_a_draft_stays_readable(ada, ines, attempt, as_user):
    mine = attempt(ada, "by-hand")
    response = {"fields": {"q": "7\n\n[x]\n"}}
    with pytest.raises(ValueError, match=r"."):
        submission_create(attempt=mine, raw_response=response)
    submission = submission_create(attempt=mine, raw_response=half_right_numbers(mine)).submission
    submission.raw_response = {**submission.raw_response, "note": "\x07\n[evil]\na = 1"}
    submission.save()
    browser = as_user(ines)
    [address] = re.findall(r'href="([^"]+\.toml)"', browser.get("/en/courses/spring/unexplained/").content.decode())
    assert len(tomllib.loads(browser.get(address).content.decode())) == 1


def test_a_students_page_tells_each_try_with_its_numbers_and_its_mark(ada, ines, attempt, member, as_user):
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=transposed_numbers(mine))
    mine.hints.create(rung=1)
    submission_create(attempt=mine, raw_response=right_numbers(mine))
    said = words(as_user(ines), f"/en/courses/spring/students/{member(ada)}/")
    assert re.search(rf"Try 2 seed {mine.seed}, version 1 Replay q = .* Correct 2 / 2", said)
    assert "Took hint 1" in said
    assert re.search(r"Try 1 .*Not yet correct .*Mistake w_transposed", said)


def test_a_note_is_kept_seen_and_noted_down(ada, ines, member, as_user):
    browser, address = as_user(ines), f"/en/courses/spring/students/{member(ada)}/"
    answer = browser.post(f"{address}note/", {"text": " Ask about shapes. "})
    assert answer.status_code == 302
    assert StudentNote.objects.get().text == "Ask about shapes."
    assert "Ask about shapes. Ines" in words(browser, address)
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.actor, entry.detail) == (Act.WRITE_NOTE, ines, {"student": member(ada)})
    assert "Ask about shapes." not in words(as_user(ada), "/en/courses/spring/")


@pytest.mark.parametrize("text", ["", "  ", "x" * (LONGEST_NOTE + 1)])
def test_a_note_that_cannot_be_kept_comes_back(ada, ines, member, as_user, text):
    answer = as_user(ines).post(f"/en/courses/spring/students/{member(ada)}/note/", {"text": text})
    assert answer.status_code == 422
    assert f"between one and {LONGEST_NOTE}" in answer.content.decode().replace(",", "")
    assert not StudentNote.objects.exists()


def test_a_replay_shows_the_same_and_says_where_marking_has_changed(ada, ines, sent, as_user):
    submission = sent(ada, transposed_numbers)
    address = reverse("replay", args=[submission.public_id])
    assert "judged the same in every field" in words(
        as_user(ines), f"/en{address.removeprefix('/zh-hans').removeprefix('/en')}"
    )
    mark = Mark.objects.get()
    mark.feedback = {**mark.feedback, "findings": []}
    mark.save()
    assert "judged otherwise than it was" in words(as_user(ines), f"/en/submissions/{submission.public_id}/replay/")


def test_a_text_is_not_replayed(ada, ines, attempt, as_user):
    text = submission_create(attempt=attempt(ada, "in-words"), raw_response={"text": "它在找。"}).submission
    assert "a text a reader" in words(as_user(ines), f"/en/submissions/{text.public_id}/replay/")


def test_progress_is_paged_ordered_and_filtered(course, ines, ada, ben, sent, as_user, monkeypatch):
    monkeypatch.setattr("exercises.queries.progress.STUDENTS_SHOWN", 2)
    cleo = UserFactory(username="cleo", display_name="Cleo")
    EnrollmentFactory(user=cleo, course=course)
    sent(ben, right_numbers)
    sent(ada, transposed_numbers)
    label = course.labels.create(name="Group A")
    for user in (ben, cleo):
        Enrollment.objects.get(user=user).labels.add(label)

    def shown(query):
        html = as_user(ines).get(f"/en/courses/spring/progress/{query}").content.decode()
        return re.findall(r"/students/\d+/\"\s*>(\w+)</a>", html)

    assert shown("") == ["Ada", "Ben"]
    assert shown("?page=2") == shown("?page=999") == ["Cleo"]
    assert shown("?order=points") == ["Ben", "Ada"]
    assert shown("?order=latest") == ["Ada", "Ben"]
    assert shown("?order=quiet") == ["Cleo", "Ben"]
    assert shown("?label=Group+A") == ["Ben", "Cleo"]
    assert shown("?label=nothing&order=nonsense&page=x") == ["Ada", "Ben"]
