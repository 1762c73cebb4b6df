"""Every address of the site and of the API, tried by everybody who has no business there.

An address is closed to whoever `OPENS` does not name for its door. A closed one answers as if there were nothing, whatever
is sent, and changes no row. An open one shows no outsider a word of Ada and changes nothing of hers. An address that stands
in no door's list fails the test that walks the resolver: whoever adds one says here who may open it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from enum import StrEnum
from io import BytesIO
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from django.utils.translation import override

from exercises.enums import ApiScope, QuestionKind, RegradeAction, Role
from exercises.models import (
    ApiToken,
    ClassRound,
    CourseCode,
    Draft,
    Enrollment,
    Extension,
    GradeLayout,
    Label,
    Question,
    Run,
    StudentNote,
    User,
)
from exercises.services.guest_start import guest_start
from exercises.services.mark_by_instructor import mark_by_instructor
from exercises.services.regrade_decide import regrade_begin
from exercises.services.submission_create import submission_create
from exercises.web.accounts import LIMITS
from tests.exercises.grading import assigned
from tests.exercises.responses import right_numbers
from tests.factories import ApiTokenFactory, CourseFactory, EnrollmentFactory, UserFactory


class Door(StrEnum):
    """Whose address it is."""

    ANYBODY = "anybody's"
    READER = "whoever is signed in: what is one's own"
    MEMBER = "members of the course"
    LEARNER = "whoever the attempt belongs to"
    AUTHOR = "whoever wrote it, and the staff of the course"
    STAFF = "those who teach the course or assist in it"
    INSTRUCTOR = "those who teach the course"
    SITE = "the operator"


# What allauth serves is about the account of whoever asks.
PREFIXES = {
    "admin:logout": Door.ANYBODY,
    "admin:": Door.SITE,
    "account_": Door.ANYBODY,
    "mfa_": Door.ANYBODY,
    "usersessions_": Door.ANYBODY,
    "socialaccount_": Door.ANYBODY,
    "openid_connect_": Door.ANYBODY,
    "saml_": Door.ANYBODY,
    "cas_": Door.ANYBODY,
}
DOORS = {
    Door.ANYBODY: """
        activate campus_sign_on forgotten health_live health_ready invitation join offline offline_worker privacy settings
        visit welcome digest_off api:schema api:missing
    """,
    Door.READER: """
        home account delete_account consent keep search export news news_seen curriculums leave_view api:me api:courses
    """,
    Door.MEMBER: """
        course glossary lesson stamp item another skills review review_next my_grades
        api:course api:items api:item api:grades api:attempts api:submissions api:runs
    """,
    Door.LEARNER: """
        submit draft hint solution run_code look ask run run_result own_mark another_look
        api:attempt api:submit api:help api:hints api:solution api:run
    """,
    Door.AUTHOR: "submission result question reply close api:submission",
    Door.STAFF: """
        inbox overview progress student student_note misconceptions unexplained item_analysis item_figures
        replay predicted quick_checks quick_check quick_check_mark quick_check_take_back quick_check_draft stock_comment
        misconception_draft bank author similar class_mode class_act gradebook assignments
    """,
    Door.INSTRUCTOR: """
        people code_create code_revoke members_create activations member member_reset course_settings roster_file
        roster_apply assignment_new assignment assignment_act extension_create extension_remove score_sheet
        score_sheets score_sheet_apply layout_save layout_remove copy_course reopen_course student_extension view_as
        grade regrades regrade_new void regrade regrade_decide log
    """,
}
DOOR_OF = {name: door for door, names in DOORS.items() for name in names.split()}

EVERYWHERE = {Door.ANYBODY, Door.READER}
OPENS = {
    "anonymous": {Door.ANYBODY},
    "guest": {*EVERYWHERE, Door.MEMBER},
    "classmate": {*EVERYWHERE, Door.MEMBER},
    "student_elsewhere": EVERYWHERE,
    "instructor_elsewhere": EVERYWHERE,
    "former": EVERYWHERE,
    "assistant": {*EVERYWHERE, Door.MEMBER, Door.AUTHOR, Door.STAFF},
}
OUTSIDERS = tuple(name for name in OPENS if name != "assistant")
# Of which an item, and not the one with numbers, is asked for.
ITEM_OF = {"quick_check": "in-words", "run_code": "program", "api:runs": "program"}
# There for those whose they are only with more than an address: an item with a lab, an answer that waits for a mark, one that nothing explains.
ASKS_MORE = {"look", "misconception_draft", "quick_check_draft"}
OF_ADA = re.compile(r"\bAda\b|\bada\b|AdasOwnWords|SeenByInesAlone|AdasCode")


@dataclass(frozen=True, slots=True)
class Address:
    """One pattern of the resolver, with a name for what stands in its place."""

    name: str
    route: str

    @property
    def door(self) -> Door | None:
        """Whose it is; None if nobody has said so."""
        known = DOOR_OF.get(self.name)
        return known or next((door for prefix, door in PREFIXES.items() if self.name.startswith(prefix)), None)

    def filled(self, values: dict[str, str]) -> str:
        """The address that somebody asks for."""
        item = next((slug for name, slug in ITEM_OF.items() if self.name.startswith(name)), values["item_slug"])
        known = values | {"item_slug": item, "attempt_id": values.get(f"attempt_id of {item}", values["attempt_id"])}
        plain = re.sub(r"\(\?P<(\w+)>[^)]*\)", r"<\1>", self.route)
        return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda place: known[place[1]], re.sub(r"\^|\$|\\Z", "", plain))


def walk(patterns: list[Any], route: str = "", spaces: tuple[str, ...] = ()) -> Iterator[Address]:
    for each in patterns:
        here = route + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from walk(each.url_patterns, here, (*spaces, each.namespace) if each.namespace else spaces)
        elif isinstance(each, URLPattern):
            name = each.name or getattr(each.callback, "__name__", "")
            yield Address(":".join((*spaces, name)), here)


with override("en"):
    ADDRESSES = tuple(walk(get_resolver().url_patterns))


def test_every_address_has_a_door_and_every_door_an_address():
    assert [each.route for each in ADDRESSES if each.door is None] == []
    assert DOOR_OF.keys() - {each.name for each in ADDRESSES} == set()


@pytest.fixture
def values(course, ada, ines, attempt, item, enrollment_of, broker) -> dict[str, str]:
    """What stands in addresses: everything is Ada's, or the course's."""
    course.is_open = True
    course.save()
    adas, teacher = enrollment_of(ada), enrollment_of(ines)
    row = assigned(course)
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=right_numbers(mine))
    said = submission_create(attempt=attempt(ada, "in-words"), raw_response={"text": "AdasOwnWords"}).submission
    mark_by_instructor(instructor=ines, submission=said, score=Decimal(3), comment="SeenByInesAlone")
    Draft.objects.create(attempt=mine, fields={"text": "AdasOwnWords"})
    StudentNote.objects.create(enrollment=adas, author=ines, text="SeenByInesAlone")
    Label.objects.create(course=course, name="SeenByInesAlone").enrollments.add(adas)
    ClassRound.objects.create(course=course, item=item("by-hand"))
    question = Question.objects.create(attempt=mine, kind=QuestionKind.QUESTION, text="AdasOwnWords")
    program = attempt(ada, "program")
    run = Run.objects.create(attempt=program, code="AdasCode = 1", ticket="ticket")
    later = timezone.now() + timedelta(days=1)
    code = CourseCode.objects.create(course=course, code="ABCDEFGH", expires_at=later, most_uses=9)
    regrade = regrade_begin(
        instructor=ines, course=course, item=item("by-hand"), action=RegradeAction.REMARK, reason="SeenByInesAlone"
    )
    extension = Extension.objects.create(assignment=row, enrollment=adas, due_at=later, granted_by=teacher.user)
    layout = GradeLayout.objects.create(course=course, name="SeenByInesAlone", columns=[["No.", "number"]])
    return {
        "course_slug": course.slug,
        "lesson_slug": "first",
        "item_slug": "by-hand",
        "assignment_slug": "first",
        "attempt_id": str(mine.public_id),
        "attempt_id of program": str(program.public_id),
        "submission_id": str(said.public_id),
        "run_id": str(run.public_id),
        "question_id": str(question.public_id),
        "regrade_id": str(regrade.public_id),
        "member_id": str(adas.pk),
        "code_id": str(code.pk),
        "extension_id": str(extension.pk),
        "layout_id": str(layout.pk),
        "code": "WRONGCOD",
        "token": "made-up",
        "key": "made-up",
        "uidb36": "1",
        "provider_id": "oidc",
        "organization_slug": "campus",
        "pk": str(ada.pk),
        "id": str(ada.pk),
        "object_id": str(ada.pk),
        "content_type_id": "1",
        "app_label": "exercises",
        "url": "nowhere/",
        "rest": "nowhere/",
    }


@pytest.fixture
def cast(values, course, other_course, monkeypatch) -> dict[str, User | None]:
    """Everybody whom `OPENS` names."""
    monkeypatch.setitem(LIMITS, "guest_post", "100000/m/user")
    member = {
        "classmate": (course, Role.STUDENT),
        "assistant": (course, Role.ASSISTANT),
        "former": (course, Role.FORMER),
        "student_elsewhere": (other_course, Role.STUDENT),
        "instructor_elsewhere": (CourseFactory(slug="winter", curriculum=course.curriculum), Role.INSTRUCTOR),
    }
    people: dict[str, User | None] = {"anonymous": None, "guest": guest_start(course=course)}
    for name, (where, role) in member.items():
        people[name] = UserFactory(username=name)
        EnrollmentFactory(user=people[name], course=where, role=role)
    return people


@pytest.fixture
def ask(values) -> Callable[..., HttpResponse]:
    """ask(user, method, address, query): one request, by session for a page and by token for the API."""
    secrets: dict[int, str] = {}
    browsers: dict[int, Client] = {}

    def call(user: User | None, method: str, path: str) -> HttpResponse:
        client = Client(raise_request_exception=False)
        if user and user.pk not in secrets:
            secrets[user.pk] = ApiTokenFactory(user=user, name=str(uuid4()), scopes=list(ApiScope.values)).name
        headers = {"Authorization": f"Bearer {secrets[user.pk]}"} if user else {}
        return client.generic(method, path, "" if method == "GET" else "{}", "application/json", headers=headers)

    def browse(user: User | None, method: str, path: str) -> HttpResponse:
        client = browsers.pop(user.pk, None) if user else Client(raise_request_exception=False)
        if client is None:
            client = Client(raise_request_exception=False)
            client.force_login(user)
        answer = client.get(path) if method == "GET" else client.post(path, {"submission": values["submission_id"]})
        # What an open door did to a session is not carried to the next one.
        if user and is_shut(answer):
            browsers[user.pk] = client
        return answer

    def asked(user: User | None, method: str, address: Address, query: str = "") -> HttpResponse:
        path = address.filled(values) + (f"?{query}" if query else "")
        return (call if path.startswith("/api/") else browse)(user, method, path)

    return asked


def methods(address: Address) -> tuple[str, ...]:
    """The hundreds of pages of the admin stand behind one door, which asks nobody what they came for."""
    return ("GET",) if address.door == Door.SITE else ("GET", "POST")


def is_shut(answer: HttpResponse) -> bool:
    """As if there were nothing, or the way to sign in."""
    if answer.status_code == 302:
        return bool(re.match(r"/(en|zh-hans)/accounts/login/|/admin/login/", answer["Location"]))
    return answer.status_code in {401, 403, 404, 405}


def told(answer: HttpResponse) -> str:
    """All that an answer says; a zip is opened."""
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if answer.get("Content-Type") == "application/zip":
        with ZipFile(BytesIO(body)) as file:
            body = b"\n".join(file.read(name) for name in file.namelist())
    return body.decode(errors="replace")


def rows() -> dict[str, list[Any]]:
    """Every row of ours, without when people signed in and the tokens that they call with."""
    people = list(User.objects.order_by("pk").values_list("username", "password", "is_active"))
    tables = [model for model in apps.get_app_config("exercises").get_models() if model not in {User, ApiToken}]
    kept = {model._meta.label: list(model._base_manager.order_by("pk").values()) for model in tables}
    return {"people": people, **kept}


@pytest.mark.parametrize("who", OPENS)
def test_what_is_closed_answers_as_if_it_were_not_there_and_changes_nothing(who, cast, ask):
    user = cast[who]
    before = rows()
    closed = [each for each in ADDRESSES if each.door not in OPENS[who]]
    answers = [(each, method, ask(user, method, each)) for each in closed for method in methods(each)]
    after = rows()
    assert [(each.name, method, got.status_code) for each, method, got in answers if not is_shut(got)] == []
    assert [name for name in before if before[name] != after[name]] == []
    assert [(each.name, method) for each, method, got in answers if OF_ADA.search(told(got))] == []


@pytest.mark.parametrize("who", OUTSIDERS)
def test_what_is_open_tells_an_outsider_nothing_of_ada_and_never_breaks(who, cast, ask, ada):
    opened = [each for each in ADDRESSES if each.door in OPENS[who]]
    adas = Enrollment.objects.filter(user=ada)

    def hers() -> list[Any]:
        own = [User.objects.filter(pk=ada.pk), adas, Draft.objects.all(), Question.objects.all(), Run.objects.all()]
        return [list(rows.values()) for rows in own] + [
            list(mine.submissions.values()) for one in adas for mine in one.attempts.order_by("pk")
        ]

    before = hers()
    answers = [(each, method, ask(cast[who], method, each)) for each in opened for method in ("GET", "POST")]
    assert [(each.name, method, got.status_code) for each, method, got in answers if got.status_code >= 500] == []
    assert [(each.name, method) for each, method, got in answers if OF_ADA.search(told(got))] == []
    assert hers() == before


def test_every_closed_address_is_there_for_those_whose_it_is(cast, ask, ada, ines):
    # Otherwise all of the above would be true of addresses at which there is nothing.
    insiders = {
        Door.MEMBER: (ada, ines),
        Door.LEARNER: (ada,),
        Door.AUTHOR: (ada, ines, cast["assistant"]),
        Door.STAFF: (ines, cast["assistant"]),
        Door.INSTRUCTOR: (ines,),
    }
    missing = [
        (each.name, user.username)
        for each in ADDRESSES
        for user in insiders.get(each.door, ())
        if each.name not in ASKS_MORE
        and all(ask(user, method, each).status_code in {403, 404, 405} for method in ("GET", "POST"))
    ]
    assert missing == []
