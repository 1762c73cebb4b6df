"""Before marks are released nothing of them, and nothing that was expected, reaches the student in any format."""

from __future__ import annotations

import io
import json
import re
import zipfile
from decimal import Decimal

import pytest
from django.core import mail

from exercises.enums import ApiScope
from exercises.models import Assignment, Enrollment, Extension, KeptBack, SecondLook, Submission, User
from exercises.queries.news import new_since
from exercises.queries.terms import withheld as kept_back
from exercises.services.api_token import api_token_create
from exercises.services.assignment_set import assignment_release
from exercises.services.digest_send import digests_send
from exercises.services.mark_by_instructor import mark_by_instructor
from exercises.services.news_see import news_see
from exercises.services.released_tell import released_tell
from exercises.services.submission_create import submission_create
from tests.exercises.grading import DAY, DUE, HOUR, MOMENT, assigned
from tests.exercises.responses import half_right_numbers, right_numbers, transposed_numbers

TELLING = (
    "Correct",
    "Partly correct",
    "Not yet correct",
    "w_transposed",
    "Worked solution",
    "Why is this right?",
    "turned round",
    "Well seen",
)


@pytest.fixture
def withheld(course, ada, ines, attempt, clock):
    """Ada has sent a right answer, a named mistake and a text that Ines has marked; marks come after the due date."""
    assigned(course, due_at=DUE, feedback="due", solution="due")
    assigned(course, "second", due_at=DUE, feedback="due", solution="due")
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=transposed_numbers(mine))
    submission_create(attempt=mine, raw_response=right_numbers(mine))
    text = submission_create(attempt=attempt(ada, "in-words"), raw_response={"text": "It looks for something."})
    mark_by_instructor(instructor=ines, submission=text.submission, score=Decimal(3), comment="Well seen")
    return text.submission


def pages(submission: Submission) -> list[str]:
    return [
        "/en/courses/spring/",
        "/en/courses/spring/lessons/first/",
        "/en/courses/spring/lessons/second/",
        "/en/courses/spring/items/by-hand/",
        "/en/courses/spring/items/in-words/",
        "/en/courses/spring/skills/",
        "/en/courses/spring/review/",
        "/en/courses/spring/grades/",
        "/en/news/",
        "/en/search/?q=transposed",
        "/en/search/?q=numbers",
        f"/en/submissions/{submission.public_id}/",
        f"/en/submissions/{submission.public_id}/result/",
        *(f"/en/submissions/{each.public_id}/" for each in Submission.objects.all()),
    ]


def test_no_page_tells_anything_before_and_every_mark_is_there_after(ada, withheld, as_user, clock):
    browser = as_user(ada)
    clock.move_to(DUE)
    for address in pages(withheld):
        html = browser.get(address).content.decode()
        assert [word for word in TELLING if word in html] == [], address
    clock.move_to(DUE + MOMENT)
    told = "".join(browser.get(address).content.decode() for address in pages(withheld))
    assert "Correct" in told
    assert "Well seen" in told
    assert "Why is this right?" in told


def test_the_answer_to_a_post_says_only_that_it_was_kept(ada, withheld, attempt, as_user, clock):
    mine = attempt(ada, "by-hand", fresh=True)
    sent = {
        f"{name}-{row}-{column}": value
        for name, rows in half_right_numbers(mine)["fields"].items()
        for row, cells in enumerate(rows)
        for column, value in enumerate(cells)
    }
    address = f"/en/courses/spring/items/by-hand/{mine.public_id}/submit/"
    html = as_user(ada).post(address, sent, headers={"HX-Request": "true"}).content.decode()
    assert "Sent and kept" in html
    assert [word for word in TELLING if word in html] == []


def test_no_part_of_a_page_tells_anything_either(ada, withheld, as_user, clock):
    browser, polled = as_user(ada), {"HX-Request": "true"}
    clock.move_to(DUE)
    for each in Submission.objects.all():
        for address in (f"/en/submissions/{each.public_id}/", f"/en/submissions/{each.public_id}/result/?looks=7"):
            part = browser.get(address, headers=polled)
            assert part.status_code == 200
            assert [word for word in TELLING if word in part.content.decode()] == [], address


def test_a_right_and_a_wrong_answer_are_answered_in_the_same_words(ada, ben, withheld, attempt, as_user, clock):
    said = []
    for user, response in ((ada, right_numbers), (ben, transposed_numbers)):
        mine = attempt(user, "by-hand", fresh=True)
        sent = submission_create(attempt=mine, raw_response=response(mine)).submission
        part = as_user(user).get(f"/en/submissions/{sent.public_id}/result/", headers={"HX-Request": "true"})
        text = re.sub(r"<[^>]*>|[\d.,\s−-]+", " ", part.content.decode())
        said.append((part.status_code, sorted(part.headers), text.split()))
    assert said[0] == said[1]


@pytest.mark.parametrize(
    "page",
    [
        "gradebook/",
        "gradebook/sheet/",
        "gradebook/sheet/?layout=canvas",
        "gradebook/sheets/",
        "progress/",
        "analysis/by-hand/",
        "items/by-hand/class/",
        "quick-checks/in-words/",
        "unexplained/",
    ],
)
def test_no_page_of_the_class_is_a_way_round(page, ada, ines, withheld, as_user, clock):
    learner, teacher = as_user(ada), as_user(ines)
    shown = teacher.get(f"/en/courses/spring/{page}")
    asked = {"If-None-Match": shown.get("ETag", '"none"')}

    refused = [learner.get(f"/en/courses/spring/{page}", headers=headers) for headers in ({}, asked)]

    assert shown.status_code == 200
    assert [(answer.status_code, answer.get("ETag")) for answer in refused] == [(404, None)] * 2


def test_the_instructor_who_looks_as_the_student_sees_no_more_than_the_student(ada, ines, withheld, as_user, clock):
    browser, member = as_user(ines), Enrollment.objects.get(user=ada).pk
    browser.post(f"/en/courses/spring/students/{member}/view-as/")
    for address in pages(withheld):
        if "/courses/spring/grades/" not in address and "/news/" not in address and "/search/" not in address:
            html = browser.get(address).content.decode()
            assert [word for word in TELLING if word in html] == [], address


def test_no_copy_of_what_is_withheld_or_shown_stays_in_a_browser(ada, withheld, as_user):
    worker = as_user(ada).get("/offline.js").content.decode()
    kept = as_user(ada).get("/en/offline/").content.decode()
    assert [word for word in ("Ada", *TELLING) if word in kept] == []
    assert re.findall(r"/en/[\w/-]+", worker) == ["/en/offline/"]


def test_whether_a_mark_came_is_not_told_to_who_asks_for_another_look(ada, withheld, as_user, clock):
    browser, place = as_user(ada), f"/en/submissions/{withheld.public_id}/another-look/"
    clock.move_to(DUE)
    asked = browser.post(place, {"reason": "Why?"}, headers={"HX-Request": "true"})
    assert (asked.status_code, SecondLook.objects.count()) == (409, 0)
    clock.move_to(DUE + MOMENT)
    browser.post(place, {"reason": "Why?"}, headers={"HX-Request": "true"})
    assert SecondLook.objects.count() == 1


def test_the_instructor_sees_all_of_it(ines, withheld, as_user, clock):
    html = as_user(ines).get(f"/en/submissions/{withheld.public_id}/").content.decode()
    assert "Well seen" in html


def test_the_own_export_keeps_the_answers_and_leaves_the_marks_out(ada, withheld, as_user, clock):
    archive = as_user(ada).get("/en/my-data/")
    content = b"".join(archive.streaming_content) if archive.streaming else archive.content
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        rows = {
            name.rsplit("/", 1)[-1]: json.loads(file.read(name)) for name in file.namelist() if name.endswith("json")
        }
    assert (len(rows["answers.json"]), rows["marks.json"]) == (3, [])


def test_the_api_tells_no_mark_verdict_score_or_solution(ada, withheld, client, clock):
    secret = api_token_create(user=ada, name="t", scopes=list(ApiScope.values), lifetime=30 * DAY).secret
    clock.move_to(DUE)

    def ask(path: str) -> str:
        answer = client.get(f"/api/v1/{path}", headers={"Authorization": f"Bearer {secret}"})
        assert answer.status_code == 200, path
        return answer.content.decode()

    grades = json.loads(ask("courses/spring/grades/"))["results"][0]
    assert (grades["score"], grades["max_score"], grades["total"]) == (0, 0, None)
    assert {each["state"] for each in grades["assignments"]} == {"withheld"}
    assert {each["score"] for each in grades["items"]} == {None}
    sent = [ask(f"submissions/{each.public_id}/") for each in Submission.objects.all()]
    mine = Submission.objects.filter(kind="numeric").first().attempt
    said = "".join(
        [
            *sent,
            ask("courses/spring/items/"),
            ask("courses/spring/items/by-hand/"),
            ask("courses/spring/items/by-hand/submissions/"),
            ask(f"courses/spring/items/by-hand/attempts/{mine.public_id}/help/"),
        ]
    )
    assert [word for word in ('"correct"', '"incorrect"', "w_transposed", "Well seen", '"done"') if word in said] == []
    assert [json.loads(each)["mark"] for each in sent] == [None] * 3


def test_released_by_hand_waits_for_the_word(course, ada, attempt, as_user, clock):
    row = assigned(course, feedback="by_hand", solution="at_once")
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=right_numbers(mine))
    browser = as_user(ada)
    hidden = browser.get("/en/courses/spring/items/by-hand/").content.decode()
    assert "Why is this right?" not in hidden
    assert "once your instructor releases them" in hidden
    row.released_at = clock.now
    row.save()
    assert "Why is this right?" in browser.get("/en/courses/spring/items/by-hand/").content.decode()


def test_an_enrollment_elsewhere_is_not_touched(course, ada, otto, attempt, clock):
    assigned(course, feedback="by_hand")
    found = kept_back(list(Enrollment.objects.filter(user=otto)))
    assert list(found.values()) == [frozenset()]


def test_a_mark_that_is_kept_back_lights_no_bell_and_its_release_does(course, ada, ben, ines, attempt, as_user, clock):
    assigned(course, "second", feedback="by_hand")
    teacher = Enrollment.objects.get(course=course, user=ines)
    text = submission_create(attempt=attempt(ada, "in-words"), raw_response={"text": "It looks for something."})
    mark_by_instructor(instructor=ines, submission=text.submission, score=Decimal(3), comment="Well seen")
    before = as_user(ada).get("/en/news/").content.decode()
    assignment_release(instructor=teacher, slug="second", is_released=True)
    after = as_user(ada).get("/en/news/").content.decode()

    assert [("has-news" in page, "Well seen" in page) for page in (before, after)] == [(False, False), (True, True)]
    assert "has-news" not in as_user(ben).get("/en/news/").content.decode()


def lit(user: User) -> bool:
    user.refresh_from_db()
    return user.has_news


def new_to(user: User) -> int:
    user.refresh_from_db()
    return new_since(user)


def test_a_date_lights_the_bell_of_whoever_has_marks_by_hand_and_no_other(ada, ben, withheld, clock):
    news_see(user=ada, until=clock.now + DAY)
    clock.move_to(DUE)
    early = (released_tell(), lit(ada), new_to(ada))
    clock.move_to(DUE + MOMENT)

    assert early == (0, False, 0)
    assert (released_tell(), lit(ada), new_to(ada), lit(ben)) == (1, True, 1, False)
    assert KeptBack.objects.get().told_at == DUE


def test_a_released_mark_is_news_once(ada, withheld, clock):
    clock.move_to(DUE + MOMENT)
    first = released_tell()
    news_see(user=ada, until=clock.now)
    clock.move_to(DUE + DAY)

    assert (first, released_tell(), lit(ada), new_to(ada)) == (1, 0, False, 0)


def test_what_was_read_before_anybody_was_told_is_no_news_again(ada, withheld, as_user, clock):
    clock.move_to(DUE + MOMENT)
    on_the_page = (new_to(ada), "is-new" in as_user(ada).get("/en/news/").content.decode())
    as_user(ada).post("/en/news/seen/", {"until": clock.now.isoformat()})
    clock.move_to(DUE + HOUR)

    assert on_the_page == (1, True)
    assert (released_tell(), lit(ada), new_to(ada)) == (0, False, 0)


def test_an_extension_keeps_the_bell_dark_for_its_student_alone(course, ada, ben, ines, attempt, withheld, clock):
    text = submission_create(attempt=attempt(ben, "in-words"), raw_response={"text": "It asks."})
    mark_by_instructor(instructor=ines, submission=text.submission, score=Decimal(2), comment="Well said")
    row = Assignment.objects.get(course=course, slug="second")
    Extension.objects.create(
        assignment=row, enrollment=Enrollment.objects.get(course=course, user=ada), due_at=DUE + DAY, granted_by=ines
    )
    clock.move_to(DUE + MOMENT)
    first = (released_tell(), lit(ada), lit(ben))
    clock.move_to(DUE + DAY + MOMENT)

    assert first == (1, False, True)
    assert (released_tell(), lit(ada), KeptBack.objects.order_by("pk").first().told_at) == (1, True, DUE + DAY)


def test_a_date_that_was_moved_back_tells_as_of_the_moment_it_was_moved(course, ada, withheld, clock):
    clock.move_to(DUE - DAY)
    news_see(user=ada, until=clock.now)
    clock.move_to(DUE - HOUR)
    Assignment.objects.filter(course=course, slug="second").update(due_at=DUE - 3 * DAY)

    assert (released_tell(), lit(ada), KeptBack.objects.get().told_at) == (1, True, clock.now)


def test_a_mark_that_another_replaced_before_the_date_is_no_news(ada, ines, withheld, clock):
    mark_by_instructor(instructor=ines, submission=withheld, score=Decimal(1), comment="On second thought")
    clock.move_to(DUE + MOMENT)

    assert (released_tell(), new_to(ada), KeptBack.objects.filter(told_at=None).count()) == (1, 1, 1)


def test_the_digest_tells_of_a_mark_that_a_date_released_once(settings, ada, withheld, clock):
    settings.EMAIL_HOST = "mail.example.org"
    User.objects.filter(pk=ada.pk).update(email="ada@example.org", language="en", digested_at=clock.now + HOUR)
    before = digests_send()
    clock.move_to(DUE + HOUR)
    sent = [digests_send(), digests_send()]
    clock.move_to(DUE + 3 * DAY)

    assert (before, sent, digests_send()) == (0, [1, 0], 0)
    assert "In your own words" in mail.outbox[0].body


def test_those_who_wait_for_a_date_are_asked_after_in_few_queries(
    course, ada, ben, ines, attempt, withheld, clock, django_assert_num_queries
):
    with django_assert_num_queries(4):
        released_tell()
    text = submission_create(attempt=attempt(ben, "in-words"), raw_response={"text": "It asks."})
    mark_by_instructor(instructor=ines, submission=text.submission, score=Decimal(2), comment="Well said")
    with django_assert_num_queries(4):
        released_tell()
