"""Coming, staying and leaving at a real browser: code, slip of paper, guest, second factors, deletion; all of it sound."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.core.cache import cache
from playwright.sync_api import Page, expect

from exercises.models import Course, Enrollment, Submission, User
from exercises.services.consent_give import consent_give
from exercises.services.course_code import course_code_create
from exercises.services.members_add import ListedPerson, members_add
from tests.e2e.conftest import OpenReader
from tests.e2e.numbers import projections, type_in
from tests.e2e.test_accessibility import assert_sound, looks
from tests.factories import PASSWORD


@pytest.fixture(autouse=True)
def fresh_limits(transactional_db: None) -> None:
    cache.clear()


@pytest.fixture
def teacher(ines: User) -> Enrollment:
    consent_give(user=ines)
    return Enrollment.objects.select_related("course__curriculum", "user").get(user=ines)


@pytest.fixture
def open_course(course: Course) -> Course:
    course.is_open = True
    course.save()
    return course


def sign_in(page: Page, username: str) -> None:
    page.get_by_label("User name or e-mail").fill(username)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def choose_password(page: Page) -> None:
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("The password once more").fill(PASSWORD)
    page.get_by_label("I have read the privacy notice").check()


def sign_up(page: Page) -> None:
    page.get_by_label("User name or student number").fill("ada")
    page.get_by_label("Your name").fill("Ada")
    choose_password(page)
    page.get_by_role("button", name="Join the course").click()
    expect(page.get_by_text("Welcome. Your account is yours now.")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_code_from_the_board_makes_a_student(scripts: bool, teacher: Enrollment, reader: OpenReader) -> None:
    code = course_code_create(instructor=teacher, lifetime=timedelta(days=1), most_uses=3)
    page = reader(scripts=scripts).open("/en/accounts/login/")

    page.get_by_role("link", name="I have a course code").click()
    page.get_by_label("Course code").fill(f"{code.code[:4].lower()} {code.code[4:]}")
    page.get_by_role("button", name="Go on").click()
    sign_up(page)

    expect(page.get_by_role("link", name="Account")).to_be_visible()
    assert Enrollment.objects.get(user__username="ada").role == "student"


def test_a_slip_from_the_printed_sheet_opens_an_account(teacher: Enrollment, reader: OpenReader) -> None:
    desk = reader(teacher.user).open("/en/courses/spring/people/")
    desk.get_by_label("Student numbers, with or without a name").fill("2023001\tAda\n2023002\tBen")
    desk.get_by_role("button", name="Add and show the codes").click()
    slip = desk.locator(".slip", has_text="2023001")
    code = slip.locator(".spoken-code").inner_text()

    page = reader().open("/en/accounts/activate/")
    page.get_by_label("Student number").fill("2023001")
    page.get_by_label("Activation code").fill(code)
    choose_password(page)
    page.get_by_role("button", name="Activate").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Course spring")
    expect(desk.locator(".slip")).to_have_count(2)


def test_a_guest_reads_practises_and_keeps_it(open_course: Course, reader: OpenReader) -> None:
    page = reader().open("/en/accounts/login/")
    page.get_by_role("link", name="Look into “Course spring” without an account").click()
    page.get_by_role("button", name="Come in as a guest").click()
    page.goto(f"{page.url.split('/courses')[0]}/courses/spring/lessons/qkv/")
    type_in(page, projections(User.objects.get(is_guest=True)))
    page.locator("#item-pj-qkv .item-form button:not([type]):not([hx-post])").click()
    expect(page.locator("#item-pj-qkv .verdict")).to_be_visible()

    page.get_by_role("link", name="Guest: keep your progress").click()
    sign_up(page)

    assert Submission.objects.get().attempt.enrollment.user.username == "ada"
    assert not User.objects.filter(is_guest=True).exists()


def set_up_an_app(page: Page) -> list[str]:
    """Type the code that an app would show; the recovery codes that come of it."""
    secret = page.locator("#authenticator_secret").input_value()
    page.locator("#id_code").fill(format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time())))))
    page.get_by_role("button", name="Turn it on").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Recovery codes")
    return page.locator(".recovery-codes li").all_inner_texts()


def plug_a_key_in(page: Page) -> None:
    """A security key that says yes to everything."""
    browser = page.context.new_cdp_session(page)
    browser.send("WebAuthn.enable")
    key = {"protocol": "ctap2", "transport": "usb", "hasUserVerification": True, "isUserVerified": True}
    browser.send("WebAuthn.addVirtualAuthenticator", {"options": key | {"automaticPresenceSimulation": True}})


def test_an_app_with_codes_and_a_security_key_are_set_up_and_asked_for(ada: User, reader: OpenReader) -> None:
    consent_give(user=ada)
    window = reader()
    page = window.open("/en/accounts/login/?next=/en/accounts/second-factor/totp/activate/")
    sign_in(page, "ada")
    recovery = set_up_an_app(page)
    plug_a_key_in(page)
    window.open("/en/accounts/second-factor/webauthn/add/")
    page.locator("#mfa_webauthn_add").click()
    page.wait_for_url(re.compile(r"second-factor/(?!webauthn/add/)"))
    window.open("/en/accounts/second-factor/")
    expect(page.get_by_text("1 key", exact=True)).to_be_visible()

    window.open("/en/accounts/logout/").get_by_role("button", name="Sign out").click()
    window.open("/en/accounts/login/")
    sign_in(page, "ada")
    page.locator("#mfa_webauthn_authenticate").click()
    expect(page.get_by_role("link", name="Account")).to_be_visible()

    elsewhere = reader().open("/en/accounts/login/")
    sign_in(elsewhere, "ada")
    elsewhere.locator("#id_code").fill(recovery[0])
    elsewhere.get_by_role("button", name="Sign in", exact=True).click()
    expect(elsewhere.get_by_role("link", name="Account")).to_be_visible()


def test_leaving_offers_the_data_and_is_final(ada: User, reader: OpenReader) -> None:
    consent_give(user=ada)
    page = reader().open("/en/accounts/login/?next=/en/accounts/")
    sign_in(page, "ada")
    page.get_by_role("link", name="Delete my account").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Take a file with all of it").click()
    page.get_by_label("Type your user name").fill("ada")
    page.get_by_role("button", name="Delete my account for good").click()

    expect(page.get_by_text("Your account is deleted.")).to_be_visible()
    assert download.value.suggested_filename.endswith(".zip")
    sign_in(page, "ada")
    expect(page.get_by_role("alert")).to_be_visible()


@looks
def test_the_doors_are_sound(
    language: str, theme: str, width: int, open_course: Course, teacher: Enrollment, reader: OpenReader
) -> None:
    code = course_code_create(instructor=teacher, lifetime=timedelta(days=1), most_uses=3)
    window = reader(width=width, theme=theme)
    doors = ("accounts/login", "accounts/forgotten", "accounts/activate", "join", f"join/{code.code}", "privacy")
    links = (f"accounts/password/reset{path}" for path in ("", "/done", "/key/1-old", "/key/done"))
    for path in (*links, *doors, "courses/spring/welcome"):
        page = window.open(f"/{language}/{path}/")
        assert_sound(page)
    page.locator(".door form .button").last.click()
    expect(page.locator(".field-error").first).to_be_visible()
    assert_sound(page)


@looks
def test_a_guest_sees_what_leaving_means(
    language: str, theme: str, width: int, open_course: Course, reader: OpenReader
) -> None:
    window = reader(width=width, theme=theme)
    page = window.open(f"/{language}/courses/spring/welcome/")
    page.locator("form[action*=visit] button").click()
    page.wait_for_url("**/courses/spring/")
    assert_sound(window.open(f"/{language}/accounts/login/"))
    expect(page.locator(".guest-door")).to_be_visible()
    page.locator(".masthead a[href$='/accounts/logout/']").click()
    page.wait_for_url("**/accounts/logout/")
    assert_sound(page)
    page.locator(".door form button").click()
    page.wait_for_url("**/accounts/login/**")
    assert page.locator(".guest-door").count() == 0


@looks
def test_pages_of_an_account_are_sound(language: str, theme: str, width: int, ada: User, reader: OpenReader) -> None:
    window = reader(width=width, theme=theme)
    page = window.open(f"/{language}/accounts/login/")
    page.locator("#id_login").fill("ada")
    page.locator("#id_password").fill(PASSWORD)
    page.locator(".door form .button").first.click()
    page.wait_for_url("**/accounts/consent/")
    assert_sound(page)
    page.locator("#id_consent").check()
    page.locator(".consent-form .button").click()
    page.wait_for_url("**/courses/spring/")
    for path in ("", "password/change/", "email/", "second-factor/", "sessions/", "connections/", "delete/", "logout/"):
        assert_sound(window.open(f"/{language}/accounts/{path}"))
    for path in ("totp/activate/", "webauthn/", "webauthn/add/"):
        assert_sound(window.open(f"/{language}/accounts/second-factor/{path}"))


@looks
def test_pages_of_people_are_sound(
    language: str, theme: str, width: int, teacher: Enrollment, ada: User, reader: OpenReader
) -> None:
    course_code_create(instructor=teacher, lifetime=timedelta(days=1), most_uses=3)
    members_add(instructor=teacher, people=[ListedPerson("2023001", "Ben")])
    member = Enrollment.objects.get(user__username="2023001")
    window = reader(teacher.user, width=width, theme=theme)
    for path in ("people", f"people/{member.pk}", "settings"):
        assert_sound(window.open(f"/{language}/courses/spring/{path}/"))
    page = window.open(f"/{language}/courses/spring/people/")
    page.locator(".waiting-form button").click()
    expect(page.locator(".slip")).to_have_count(1)
    assert_sound(page)
