"""Codes, lists, roles, labels, activation: who may come in, as what, and who may let them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from exercises.enums import Act, Role
from exercises.models import Activation, ApiToken, AuditEntry, CourseCode, Enrollment, Label, User
from exercises.queries.invitations import Invitation, canonical_code, invitation_by_code
from exercises.services.account_activate import account_activate, activation_for
from exercises.services.activation_issue import ResetRefusedError, activation_reset, activations_renew
from exercises.services.course_change import course_change
from exercises.services.course_code import course_code_create, course_code_revoke, course_code_use
from exercises.services.enrollment_join import InvitationEndedError, enrollment_join
from exercises.services.member_change import LastInstructorError, labels_set, role_change
from exercises.services.members_add import ListedPerson, members_add, read_list
from exercises.services.spoken_code import in_groups
from exercises.services.student_number_claim import student_number_claim
from tests.factories import PASSWORD, ApiTokenFactory, EnrollmentFactory, UserFactory


@pytest.fixture
def teacher(ines, enrollment_of) -> Enrollment:
    return enrollment_of(ines)


@pytest.fixture
def code(teacher) -> CourseCode:
    return course_code_create(instructor=teacher, lifetime=timedelta(days=7), most_uses=2)


def test_a_code_is_found_however_it_is_typed(code):
    full_width = "".join(chr(ord(sign) + 0xFEE0) for sign in code.code)
    for typed in (code.code.lower(), in_groups(code.code), f" {code.code} ", full_width):
        assert invitation_by_code(typed) == Invitation(code.course, code), typed


@pytest.mark.parametrize("change", [{"revoked_at": timezone.now()}, {"expires_at": timezone.now()}, {"uses": 2}])
def test_a_code_that_has_ended_opens_nothing(code, ada, change):
    CourseCode.objects.filter(pk=code.pk).update(**change)
    assert invitation_by_code(code.code) is None
    assert not course_code_use(code=code)


def test_a_code_makes_as_many_students_as_it_says_and_no_more(code):
    users = UserFactory.create_batch(3)
    for user in users[:2]:
        assert enrollment_join(user=user, invitation=Invitation(code.course, code)).role == Role.STUDENT
    with pytest.raises(InvitationEndedError):
        enrollment_join(user=users[2], invitation=Invitation(code.course, code))
    assert not Enrollment.objects.filter(user=users[2]).exists()


def test_joining_again_spends_nothing_and_takes_no_rights(code, ines, ada):
    for member, role in ((ines, Role.INSTRUCTOR), (ada, Role.STUDENT)):
        assert enrollment_join(user=member, invitation=Invitation(code.course, code)).role == role
    code.refresh_from_db()
    assert code.uses == 0


def test_a_former_member_comes_back_by_a_code_and_not_through_an_open_door(code, ada):
    Enrollment.objects.filter(user=ada).update(role=Role.FORMER)
    with pytest.raises(InvitationEndedError):
        enrollment_join(user=ada, invitation=Invitation(code.course))
    assert enrollment_join(user=ada, invitation=Invitation(code.course, code)).role == Role.STUDENT


def test_codes_are_bounded_and_leave_a_trace(teacher, code):
    for lifetime, most_uses in ((timedelta(0), 1), (timedelta(days=400), 1), (timedelta(days=1), 0)):
        with pytest.raises(ValueError, match="course code"):
            course_code_create(instructor=teacher, lifetime=lifetime, most_uses=most_uses)
    course_code_revoke(instructor=teacher.user, code=code)
    course_code_revoke(instructor=teacher.user, code=code)
    acts = AuditEntry.objects.order_by("pk").values_list("act", flat=True)
    assert list(acts) == [Act.MAKE_CODE, Act.REVOKE_CODE]


def test_a_list_is_read_as_it_comes_out_of_a_spreadsheet():
    people, unread = read_list("2023001\tAda\n\n2023002，Ben Two\n 2023003 \n2023001 twice\n=cmd|x\n姓名 学号\n")
    assert people == [ListedPerson("2023001", "Ada"), ListedPerson("2023002", "Ben Two"), ListedPerson("2023003")]
    assert [(line.place, line.text) for line in unread] == [(6, "=cmd|x"), (7, "姓名 学号")]


def test_a_list_makes_accounts_with_codes_and_leaves_those_that_were_there(teacher, otto, ada):
    added = members_add(
        instructor=teacher, people=[ListedPerson("2023001", "Ben"), ListedPerson("OTTO"), ListedPerson("ada")]
    )
    new = User.objects.get(username="2023001")
    assert [each.user for each in added.issued] == [new]
    assert (added.joined, added.present) == ((otto,), (ada,))
    assert (new.display_name, new.origin, new.has_usable_password()) == ("Ben", teacher.course, False)
    assert Enrollment.objects.get(user=new).role == Enrollment.objects.get(user=otto, course=teacher.course).role
    otto.refresh_from_db()
    assert (otto.origin, otto.check_password(PASSWORD)) == (None, True)


def test_a_list_of_a_thousand_takes_few_queries(teacher, django_assert_max_num_queries):
    with django_assert_max_num_queries(40):
        added = members_add(instructor=teacher, people=[ListedPerson(f"20230{place:04}") for place in range(1000)])
    assert len({each.code for each in added.issued}) == 1000


def test_an_activation_code_works_once_and_is_not_stored(teacher):
    (issued,) = members_add(instructor=teacher, people=[ListedPerson("2023001")]).issued
    stored = Activation.objects.get()
    assert issued.code not in f"{stored.digest}{stored.__dict__}"
    assert activation_for(username="2023001", code="ABCD-EFGH-JKMN") is None
    assert activation_for(username="2023002", code=issued.code) is None
    activation = activation_for(username=" 2023001 ", code=in_groups(issued.code).lower())
    assert account_activate(activation=activation, password=PASSWORD).check_password(PASSWORD)
    assert account_activate(activation=activation, password="another") is None
    assert issued.user.consents.count() == 1


def test_an_activation_code_ends_with_its_time_and_with_the_next_one(teacher):
    (first,) = members_add(instructor=teacher, people=[ListedPerson("2023001")]).issued
    (second,) = activations_renew(instructor=teacher)
    assert activation_for(username="2023001", code=first.code) is None
    assert activation_for(username="2023001", code=second.code) is not None
    Activation.objects.update(expires_at=timezone.now())
    assert activation_for(username="2023001", code=second.code) is None


def test_a_reset_closes_the_account_at_once(teacher, client, db):
    (issued,) = members_add(instructor=teacher, people=[ListedPerson("2023001")]).issued
    account_activate(activation=activation_for(username="2023001", code=issued.code), password=PASSWORD)
    token = ApiTokenFactory(user=issued.user)
    client.force_login(issued.user)
    member = Enrollment.objects.get(user=issued.user)
    again = activation_reset(instructor=teacher, member=member)
    assert again.code != issued.code
    assert client.get("/en/").status_code == 302
    assert ApiToken.objects.get(pk=token.pk).revoked_at is not None
    assert activation_for(username="2023001", code=again.code) is not None


def test_nobody_resets_an_account_that_their_course_did_not_make_or_that_has_rights(teacher, otto, other_course):
    """Else an instructor of one course could become an instructor of another by putting them on a list."""
    members_add(instructor=teacher, people=[ListedPerson("otto"), ListedPerson("2023001")])
    theirs = Enrollment.objects.get(course=teacher.course, user=otto)
    promoted = Enrollment.objects.get(course=teacher.course, user__username="2023001")
    EnrollmentFactory(course=other_course, user=promoted.user, role=Role.ASSISTANT)
    for member in (theirs, promoted, teacher):
        with pytest.raises(ResetRefusedError):
            activation_reset(instructor=teacher, member=member)


def test_a_course_keeps_an_instructor(teacher, ada, enrollment_of):
    with pytest.raises(LastInstructorError):
        role_change(instructor=teacher, member=teacher, role=Role.FORMER)
    role_change(instructor=teacher, member=enrollment_of(ada), role=Role.INSTRUCTOR)
    role_change(instructor=teacher, member=teacher, role=Role.STUDENT)
    assert Enrollment.objects.get(user=ada).role == Role.INSTRUCTOR
    assert [entry.detail for entry in AuditEntry.objects.order_by("pk")] == [
        {"from": "student", "to": "instructor"},
        {"from": "instructor", "to": "student"},
    ]


def test_nobody_is_made_a_guest(teacher, ada, enrollment_of):
    with pytest.raises(ValueError, match="guest"):
        role_change(instructor=teacher, member=enrollment_of(ada), role=Role.GUEST)


def test_labels_are_of_one_course_and_set_as_a_whole(teacher, ada, enrollment_of):
    labels_set(instructor=teacher, member=enrollment_of(ada), names=["Class 2", " Class 1 ", "", "Class 1"])
    labels_set(instructor=teacher, member=enrollment_of(ada), names=["Class 2"])
    assert [label.name for label in enrollment_of(ada).labels.all()] == ["Class 2"]
    assert set(Label.objects.values_list("course", flat=True)) == {teacher.course.pk}


def test_a_course_takes_a_time_zone_that_exists(teacher):
    course_change(instructor=teacher, time_zone="America/St_Johns", is_open=True)
    teacher.course.refresh_from_db()
    assert (teacher.course.time_zone, teacher.course.is_open) == ("America/St_Johns", True)
    with pytest.raises(ValueError, match="Mars"):
        course_change(instructor=teacher, time_zone="Mars/Olympus", is_open=True)


def test_the_campus_opens_only_accounts_that_a_list_made_and_nobody_opened(teacher, ada):
    members_add(instructor=teacher, people=[ListedPerson("2023001"), ListedPerson("2023002")])
    promoted = Enrollment.objects.get(user__username="2023002")
    role_change(instructor=teacher, member=promoted, role=Role.ASSISTANT)
    assert student_number_claim(number="2023001") == User.objects.get(username="2023001")
    assert [student_number_claim(number=number) for number in ("2023001", "2023002", "ada", "nobody")] == [None] * 4


def test_codes_are_read_without_blanks_and_dashes():
    assert canonical_code(" k7qm-2xwd　9ftp ") == "K7QM2XWD9FTP"
