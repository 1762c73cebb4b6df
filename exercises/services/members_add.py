"""Put people of a list into a course: student numbers, with or without a name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.models.functions import Lower

from exercises.enums import Act, Role
from exercises.models import Enrollment, User
from exercises.services.activation_issue import IssuedCode, issue_codes
from exercises.services.audit_record import note
from exercises.services.storable import storable_text

MOST_LINES: Final = 2000
_NUMBER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{2,31}")
_BETWEEN: Final = re.compile(r"[\t,;，；、]|\s+")


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """One line of a list: the student number becomes the user name."""

    number: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class UnreadLine:
    """A line that is no student number with a name, by its place from 1."""

    place: int
    text: str


@dataclass(frozen=True, slots=True)
class Added:
    """What came of a list: codes for new accounts, accounts that were there before, those in the course already."""

    issued: tuple[IssuedCode, ...]
    joined: tuple[User, ...]
    present: tuple[User, ...]


def read_list(text: str) -> tuple[list[ListedPerson], list[UnreadLine]]:
    """The lines of a list as they come out of a spreadsheet: number, then name. A number that comes twice counts once."""
    people: dict[str, ListedPerson] = {}
    unread: list[UnreadLine] = []
    for place, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        number, *rest = [part.strip() for part in _BETWEEN.split(line.strip(), maxsplit=1)]
        if place > MOST_LINES or not _NUMBER.fullmatch(number):
            unread.append(UnreadLine(place, line.strip()))
            continue
        people.setdefault(number.lower(), ListedPerson(number, storable_text(rest[0] if rest else "")[:150]))
    return list(people.values()), unread


@transaction.atomic
def members_add(*, instructor: Enrollment, people: Sequence[ListedPerson]) -> Added:
    """Make an account for every number that has none, and students of them all.

    An account that was there before joins the course and stays as it is: this course cannot reset it. Whoever had left
    comes back with what they had done.
    """
    course = instructor.course
    known = _accounts(people)
    new = [
        User(username=each.number, display_name=each.name, origin=course)
        for each in people
        if each.number.lower() not in known
    ]
    for user in new:
        user.set_unusable_password()
    User.objects.bulk_create(new)
    inside = {each.user_id: each for each in Enrollment.objects.filter(course=course, user__in=known.values())}
    back = [each for each in inside.values() if each.role in {Role.FORMER, Role.GUEST}]
    Enrollment.objects.filter(pk__in=[each.pk for each in back]).update(role=Role.STUDENT)
    joined = [user for user in known.values() if user.pk not in inside]
    Enrollment.objects.bulk_create(Enrollment(course=course, user=user, role=Role.STUDENT) for user in [*new, *joined])
    returned = {each.user_id for each in back}
    joined += [user for user in known.values() if user.pk in returned]
    present = [user for user in known.values() if user.pk in inside and user.pk not in returned]
    added = [user.username for user in [*new, *joined]]
    if added:
        note(actor=instructor.user, course=course, act=Act.ADD_MEMBER, subject=course, detail={"numbers": added})
    return Added(tuple(issue_codes(users=new, issued_by=instructor.user)), tuple(joined), tuple(present))


def _accounts(people: Sequence[ListedPerson]) -> dict[str, User]:
    """Number in small letters -> account. Numbers are told apart as sign-in does: letters large or small are the same."""
    numbers = [each.number.lower() for each in people]
    found = User.objects.annotate(small=Lower("username")).filter(small__in=numbers)
    return {user.username.lower(): user for user in found}
