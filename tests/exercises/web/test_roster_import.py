from __future__ import annotations

import re
from html import unescape

from django.core.files.uploadedfile import SimpleUploadedFile

from exercises.enums import Act, Role
from exercises.models import Activation, AuditEntry, Enrollment, User

HERE = "/en/courses/spring/people/file/"
LIST = "学号,姓名,班级\nada,Ada,一班\n2027001,新生,一班 晚班\n20,短,\n2027001,again,\nOtto,,二班\n"


def words(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def look(browser, content: bytes) -> str:
    return browser.post(HERE, {"sheet": SimpleUploadedFile("class.csv", content)}).content.decode()


def test_a_list_is_shown_before_anything_changes_and_taken_in_once(ada, ines, otto, course, as_user):
    browser = as_user(ines)
    seen = look(browser, LIST.encode("gb18030"))
    said = words(seen)
    assert "3 people would be taken in." in said
    assert "2027001 新生 一班 · 晚班 new, with an activation code" in said
    assert "Otto 二班 there already" in said
    assert "Row 4: “20” is no student number" in said
    assert "Row 5: The number “2027001” came before." in said
    assert User.objects.count() == 3
    plan = re.search(r'name="plan" value="([^"]+)"', seen)[1]
    codes = browser.post(f"{HERE}apply/", {"plan": plan}).content.decode()
    new = User.objects.get(username="2027001")
    assert (new.display_name, new.has_usable_password(), Activation.objects.filter(user=new).exists()) == (
        "新生",
        False,
        True,
    )
    assert "2027001" in codes
    enrolled = Enrollment.objects.filter(course=course, role=Role.STUDENT)
    labels = {each.user.username: sorted(each.labels.values_list("name", flat=True)) for each in enrolled}
    assert labels == {"ada": ["一班"], "2027001": ["一班", "晚班"], "otto": ["二班"]}
    assert AuditEntry.objects.filter(act=Act.IMPORT_ROSTER).count() == 1
    assert "0 people would be taken in. 3 are in the course already." in words(look(browser, LIST.encode()))
    assert browser.post(f"{HERE}apply/", {"plan": "forged"}).status_code == 302


def test_formulas_in_a_list_become_nobody(ines, as_user):
    said = words(look(as_user(ines), b"number,name\n'=1+1,x\n=cmd,y\n2027002,'=HYPERLINK(1)\n"))
    assert "1 person would be taken in." in said
    assert "Row 2: “=1+1” is no student number" in said
    assert "=HYPERLINK(1)" in said


def test_only_who_teaches_takes_lists_in(ada, otto, client, as_user):
    assert as_user(ada).get(HERE).status_code == 404
    assert as_user(otto).get(HERE).status_code == 404
    assert client.get(HERE).status_code == 302


def test_who_had_left_comes_back_by_the_list(ada, ines, course, as_user):
    Enrollment.objects.filter(user=ada).update(role=Role.FORMER)
    browser = as_user(ines)
    seen = look(browser, "学号,姓名\nada,Ada\n".encode())
    assert "Ada there already" in words(seen).replace("  ", " ")
    browser.post(f"{HERE}apply/", {"plan": re.search(r'name="plan" value="([^"]+)"', seen)[1]})
    assert Enrollment.objects.get(user=ada).role == Role.STUDENT
