from __future__ import annotations

import re
from html import unescape
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from exercises.enums import Act, GradingProgress, Role
from exercises.models import AuditEntry, Course, Mark, MarkDraft, SecondLook, SentBack, StockComment, Submission, User
from exercises.services.submission_create import submission_create
from tests.exercises.conftest import AttemptBy
from tests.exercises.web.conftest import SignedIn
from tests.factories import EnrollmentFactory, UserFactory

QUEUE = "/en/courses/spring/quick-checks/"
DESK = f"{QUEUE}in-words/"
MARK, TAKE_BACK, DRAFT = f"{DESK}mark/", f"{DESK}take-back/", f"{DESK}draft/"
COMMENTS = "/en/courses/spring/comments/"


def words(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def get(browser: Client, address: str) -> str:
    return browser.get(address).content.decode()


def name_of(answer: Submission) -> str:
    return f"{answer.public_id}:{answer.standing_mark_id or ''}"


def filled(*answers: Submission, met: tuple[str, ...] = ("asks", "learned"), **more: object) -> dict[str, object]:
    return {"answer": [name_of(answer) for answer in answers], "met": list(met), "act": "mark", **more}


@pytest.fixture
def send(attempt: AttemptBy):
    def sent(user: User, text: str) -> Submission:
        return submission_create(attempt=attempt(user, "in-words"), raw_response={"text": text}).submission

    return sent


@pytest.fixture
def adas_text(ada: User, send) -> Submission:
    return send(ada, "A query <looks>\nfor something.")


@pytest.fixture
def bens_text(ben: User, send) -> Submission:
    return send(ben, "A query looks for something!")


@pytest.fixture
def assistant(course: Course) -> User:
    user = UserFactory(username="ines-2", display_name="Ines II")
    EnrollmentFactory(user=user, course=course, role=Role.ASSISTANT)
    return user


def test_queue_tells_what_waits_at_each_question(
    ada: User, ben: User, ines: User, adas_text: Submission, bens_text: Submission, as_user: SignedIn
) -> None:
    browser = as_user(ines)
    browser.post(MARK, filled(adas_text))

    said = words(get(browser, QUEUE))

    assert "In your own words 1 0 0 1 1 of 2" in said


def test_answer_is_shown_as_written_with_its_rubric_and_without_its_author(
    ines: User, adas_text: Submission, as_user: SignedIn
) -> None:
    html = get(as_user(ines), DESK)

    assert "A query &lt;looks&gt;\nfor something." in html
    assert re.findall(r'name="met"\s+value="(\w+)"', html) == ["asks", "learned", "computed"]
    assert ("Ada" in html, f"Answer {adas_text.public_id.hex[:4].upper()}" in html) == (False, True)
    assert "Ada" in get(as_user(ines), f"{DESK}?names=shown")


def test_no_answer_yet_says_so(ines: User, as_user: SignedIn) -> None:
    assert "No answer has come in yet" in get(as_user(ines), DESK)


def test_points_comment_and_tag_reach_the_student(
    ada: User, ines: User, adas_text: Submission, as_user: SignedIn
) -> None:
    form = filled(adas_text, comment="Good.\r\n<Look> again.", misconception=["w_transposed"])

    response = as_user(ines).post(MARK, form)
    page = get(as_user(ada), "/en/courses/spring/lessons/second/")

    mark = Mark.objects.get()
    assert response["Location"] == f"{DESK}?done={mark.batch}#desk"
    assert (mark.score, mark.feedback, mark.misconceptions) == (
        2,
        {"criteria": ["asks", "learned"]},
        ["w_transposed"],
    )
    assert "Good.\n&lt;Look&gt; again." in page
    assert re.search(r"2\s+of 3 points", page) is not None
    assert AuditEntry.objects.get().act == Act.MARK


def test_similar_answers_stand_on_one_card_and_what_differs_is_marked(
    ines: User, adas_text: Submission, bens_text: Submission, as_user: SignedIn
) -> None:
    html = get(as_user(ines), DESK)

    assert (html.count('class="desk-card"'), "2 similar answers" in words(html)) == (1, True)
    assert ("<mark>" in html, "<del>" in html) == (True, True)
    assert get(as_user(ines), f"{DESK}?alike=apart").count('class="desk-card"') == 2


def test_similar_answers_are_marked_by_one_act_and_taken_back_by_one(
    ines: User, adas_text: Submission, bens_text: Submission, as_user: SignedIn
) -> None:
    browser = as_user(ines)
    marked = browser.post(MARK, filled(adas_text, bens_text), follow=True).content.decode()
    batch = Mark.objects.values_list("batch", flat=True).distinct().get()
    assert ("2 answers marked." in words(marked), "Everything has been read." in words(marked)) == (True, True)

    after = browser.post(TAKE_BACK, {"batch": str(batch)}, follow=True).content.decode()

    assert "Taken back: 2 marks." in words(after)
    states = Submission.objects.values_list("grading_progress", "standing_mark")
    assert list(states) == [(GradingProgress.PENDING_MANUAL, None)] * 2
    assert (Mark.objects.count(), "2 similar answers" in words(after)) == (2, True)
    acts = list(AuditEntry.objects.order_by("pk").values_list("act", flat=True))
    assert acts == [Act.MARK, Act.MARK, Act.TAKE_BACK_MARK, Act.TAKE_BACK_MARK]


def test_answer_that_was_unticked_keeps_waiting(
    ines: User, adas_text: Submission, bens_text: Submission, as_user: SignedIn
) -> None:
    as_user(ines).post(MARK, filled(adas_text))

    waiting = Submission.objects.get(grading_progress=GradingProgress.PENDING_MANUAL)
    assert waiting == bens_text


def test_second_instructor_sees_the_first_ones_mark_and_loses_no_word(
    ines: User, assistant: User, adas_text: Submission, as_user: SignedIn
) -> None:
    as_user(ines).post(MARK, filled(adas_text))

    response = as_user(assistant).post(MARK, filled(adas_text, met=(), comment="Not <yet>."))
    html = response.content.decode()

    assert (response.status_code, Mark.objects.get().marker) == (422, ines)
    assert "Ines has just marked this answer" in html
    assert '<p class="learner-text">Not &lt;yet&gt;.</p>' in html


def test_of_a_group_only_what_is_still_as_it_was_read_is_marked(
    ines: User, assistant: User, adas_text: Submission, bens_text: Submission, as_user: SignedIn
) -> None:
    as_user(ines).post(MARK, filled(adas_text))

    html = as_user(assistant).post(MARK, filled(adas_text, bens_text, met=()), follow=True).content.decode()

    assert "1 answer had changed since you read it" in words(html)
    assert list(Mark.objects.order_by("submission").values_list("marker", "score")) == [(ines.pk, 2), (assistant.pk, 0)]


def test_answer_that_was_replaced_meanwhile_is_not_marked_and_the_comment_is_kept(
    ada: User, ines: User, adas_text: Submission, send, as_user: SignedIn
) -> None:
    send(ada, "A newer answer.")

    response = as_user(ines).post(MARK, filled(adas_text, comment="Good words."))
    html = response.content.decode()

    assert (response.status_code, Mark.objects.count()) == (422, 0)
    assert ("The student has sent a newer answer" in html, '<p class="learner-text">Good words.</p>' in html) == (
        True,
        True,
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"answer": []}, "Tick at least one answer."),
        ({"answer": ["no id", f"{uuid4()}:", f"{uuid4()}:x"]}, "Tick at least one answer."),
        ({"misconception": ["no_such_thing"]}, "This course knows no misconception"),
        ({"comment": "x" * 4_001}, "A comment has at most 4000 characters."),
        ({"act": "send_back", "comment": " "}, "Say what is missing"),
        ({"act": "send_back", "comment": "x" * 4_001}, "A comment has at most 4000 characters."),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_changes(
    change: dict[str, object], reason: str, ines: User, adas_text: Submission, as_user: SignedIn
) -> None:
    response = as_user(ines).post(MARK, filled(adas_text) | change)

    assert (response.status_code, Mark.objects.count(), SentBack.objects.count()) == (422, 0, 0)
    assert reason in response.content.decode()


def test_refused_card_keeps_all_that_was_filled_in(ines: User, adas_text: Submission, as_user: SignedIn) -> None:
    form = filled(adas_text, met=("computed",), comment="Many <words>.", misconception=["w_transposed", "nothing"])

    html = as_user(ines).post(MARK, form).content.decode()

    assert re.findall(r'name="met"\s+value="(\w+)"\s+checked', html) == ["computed"]
    assert re.findall(r'<option\s+value="(\w+)"\s+selected', html) == ["w_transposed"]
    assert "Many &lt;words&gt;.</textarea>" in html


def test_answer_sent_back_waits_for_the_student_who_reads_why(
    ada: User, ines: User, adas_text: Submission, send, as_user: SignedIn
) -> None:
    browser = as_user(ines)
    sent = browser.post(MARK, filled(adas_text, act="send_back", comment="What does it look for?"), follow=True)
    assert "Sent back: 1 answer." in words(sent.content.decode())
    assert "In your own words 0 0 1 0 1 of 1" in words(get(browser, QUEUE))
    assert "What does it look for?" in get(browser, f"{DESK}?show=sent_back")

    page = words(get(as_user(ada), "/en/courses/spring/lessons/second/"))
    assert "Your instructor has sent this back" in page
    assert "What does it look for?" in page

    newer = send(ada, "It looks for keys that fit.")
    assert "In your own words 1 0 0 0 0 of 1" in words(get(browser, QUEUE))
    assert str(newer.public_id) in get(browser, DESK)


def test_marked_answer_is_not_sent_back(ines: User, adas_text: Submission, as_user: SignedIn) -> None:
    browser = as_user(ines)
    browser.post(MARK, filled(adas_text))
    adas_text.refresh_from_db()

    response = browser.post(MARK, filled(adas_text, act="send_back", comment="Once more."))

    assert (response.status_code, SentBack.objects.count()) == (422, 0)


def test_request_for_another_look_stands_alone_and_ends_with_a_new_mark(
    ada: User, ines: User, adas_text: Submission, bens_text: Submission, as_user: SignedIn
) -> None:
    browser = as_user(ines)
    browser.post(MARK, filled(adas_text, bens_text, met=()))
    SecondLook.objects.create(mark=Mark.objects.get(submission=adas_text), reason="I did <say> it.")
    html = get(browser, DESK)
    assert (html.count('class="desk-card"'), "I did &lt;say&gt; it." in html) == (1, True)

    adas_text.refresh_from_db()
    browser.post(MARK, filled(adas_text, met=("asks", "learned", "computed")))

    assert "Everything has been read." in get(browser, DESK)
    assert Mark.objects.latest("pk").replaced == Mark.objects.earliest("pk")


def test_mark_over_a_mark_is_taken_back_to_the_first_one_with_its_tags(
    ines: User, adas_text: Submission, as_user: SignedIn
) -> None:
    browser = as_user(ines)
    browser.post(MARK, filled(adas_text, misconception=["w_transposed"]))
    adas_text.refresh_from_db()
    browser.post(MARK, filled(adas_text, met=()))

    browser.post(TAKE_BACK, {"batch": str(Mark.objects.latest("pk").batch)})

    adas_text.refresh_from_db()
    assert adas_text.standing_mark == Mark.objects.earliest("pk")
    assert list(adas_text.sightings.values_list("slug", flat=True)) == ["w_transposed"]
    assert adas_text.grading_progress == GradingProgress.FULLY_GRADED


def test_only_the_one_who_marked_takes_it_back_and_only_while_it_stands(
    ines: User, assistant: User, otto: User, adas_text: Submission, as_user: SignedIn
) -> None:
    as_user(ines).post(MARK, filled(adas_text))
    first = Mark.objects.get()
    adas_text.refresh_from_db()

    as_user(assistant).post(TAKE_BACK, {"batch": str(first.batch)})
    as_user(assistant).post(MARK, filled(adas_text, met=()))
    as_user(ines).post(TAKE_BACK, {"batch": str(first.batch)})
    as_user(ines).post(TAKE_BACK, {"batch": "none"})

    adas_text.refresh_from_db()
    assert adas_text.standing_mark == Mark.objects.latest("pk") != first


def test_mark_taken_back_from_a_text_that_was_replaced_leaves_one_that_waits(
    ada: User, ines: User, adas_text: Submission, send, as_user: SignedIn
) -> None:
    browser = as_user(ines)
    browser.post(MARK, filled(adas_text))
    newer = send(ada, "A newer answer.")

    browser.post(TAKE_BACK, {"batch": str(Mark.objects.get().batch)})

    assert list(Submission.objects.filter(counted=True)) == [newer]


def test_draft_fills_the_card_until_the_mark_is_given_and_tells_colleagues(
    ines: User, assistant: User, adas_text: Submission, as_user: SignedIn
) -> None:
    browser = as_user(ines)
    response = browser.post(DRAFT, filled(adas_text, met=("computed",), comment="Half a th"))
    assert (response.status_code, Mark.objects.count()) == (204, 0)

    mine, theirs = get(browser, DESK), get(as_user(assistant), DESK)

    assert re.findall(r'name="met"\s+value="(\w+)"\s+checked', mine) == ["computed"]
    assert ("Half a th</textarea>" in mine, "Half a th" in theirs) == (True, False)
    assert "Ines is writing about this answer" in words(theirs)
    browser.post(MARK, filled(adas_text))
    assert MarkDraft.objects.count() == 0


def test_comment_is_kept_for_the_course_added_to_a_mark_and_dropped(
    ines: User, assistant: User, adas_text: Submission, bens_text: Submission, as_user: SignedIn
) -> None:
    browser = as_user(ines)
    browser.post(MARK, filled(adas_text, comment="Say what W_Q is.", keep="on"))
    kept = StockComment.objects.get()
    assert "Say what W_Q is." in get(as_user(assistant), DESK)

    browser.post(MARK, filled(bens_text, comment="Nearly.", stock=[str(kept.pk), "999", "x"]))
    assert Mark.objects.get(submission=bens_text).comment == "Nearly.\nSay what W_Q is."

    browser.post(COMMENTS, {"drop": str(kept.pk)})
    browser.post(COMMENTS, {"drop": str(kept.pk)})
    assert StockComment.objects.count() == 0
    said = browser.post(COMMENTS, {"text": " "}, follow=True).content.decode()
    assert ("A comment for the bank needs" in said, StockComment.objects.count()) == (True, 0)
    browser.post(COMMENTS, {"text": "Twice."})
    browser.post(COMMENTS, {"text": "Twice."})
    assert StockComment.objects.get().text == "Twice."


def test_order_is_random_and_stays_the_same_for_one_instructor(
    course: Course, ines: User, assistant: User, send, as_user: SignedIn
) -> None:
    texts = ["查询", "Every key", "值被混合", "nothing at all", "它在找别的词", "W", "42", "softmax!"]
    for text in texts:
        send(EnrollmentFactory(course=course).user, text)

    def order(user: User) -> list[str]:
        return re.findall(r'id="card-([\w-]+)"', get(as_user(user), DESK))

    assert order(ines) == order(ines)
    assert sorted(order(ines)) == sorted(order(assistant))
    assert order(ines) != order(assistant)


def test_desk_is_read_in_pages_and_goes_on_at_the_next_card(
    course: Course, ines: User, send, as_user: SignedIn
) -> None:
    for number in range(25):
        send(EnrollmentFactory(course=course).user, chr(0x4E00 + 7 * number) * 4)
    browser = as_user(ines)
    first, second, beyond = (get(browser, f"{DESK}?page={page}") for page in ("1", "2", "99999"))
    assert [html.count('class="desk-card"') for html in (first, second, beyond)] == [20, 5, 5]

    key, following = re.findall(r'id="card-([\w-]+)"', second)[:2]
    form = {"answer": [f"{key}:"], "met": ["asks"], "act": "mark", "back": "page=2&show=open", "next": following}
    response = browser.post(MARK, form)

    assert response["Location"] == f"{DESK}?page=2&done={Mark.objects.get().batch}#card-{following}"


@pytest.mark.parametrize("address", [QUEUE, DESK])
def test_desk_is_open_to_those_who_teach_alone(
    address: str, ada: User, ines: User, assistant: User, otto: User, as_user: SignedIn, client: Client
) -> None:
    statuses = [as_user(user).get(address).status_code for user in (ada, ines, assistant, otto)]

    assert ([*statuses, client.get(address).status_code]) == [404, 200, 200, 404, 302]


@pytest.mark.parametrize("address", [MARK, TAKE_BACK, DRAFT, COMMENTS])
def test_acts_are_open_to_those_who_teach_alone(
    address: str, ada: User, ines: User, otto: User, adas_text: Submission, as_user: SignedIn
) -> None:
    statuses = [as_user(user).post(address, filled(adas_text)).status_code for user in (ada, otto)]

    assert (statuses, as_user(ines).get(address).status_code) == ([404, 404], 405)
    assert (Mark.objects.count(), MarkDraft.objects.count()) == (0, 0)


def test_item_of_another_kind_has_no_desk(ines: User, as_user: SignedIn) -> None:
    assert as_user(ines).get(f"{QUEUE}by-hand/").status_code == 404


def test_answer_of_another_course_is_not_marked(
    ines: User, otto: User, adas_text: Submission, send, as_user: SignedIn
) -> None:
    elsewhere = send(otto, "Elsewhere.")

    as_user(ines).post(MARK, filled(adas_text, elsewhere))

    assert Mark.objects.get().submission == adas_text


@pytest.mark.parametrize("address_and_queries", [(QUEUE, 6), (DESK, 10)])
def test_desk_asks_the_database_as_often_for_three_students_as_for_one(
    address_and_queries: tuple[str, int],
    course: Course,
    ines: User,
    send,
    as_user: SignedIn,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    address, queries = address_and_queries
    browser = as_user(ines)
    for texts in (["它在找。"], ["值", "Keys offer something."]):
        for text in texts:
            send(EnrollmentFactory(course=course).user, text)
        with django_assert_num_queries(queries):
            browser.get(address)
