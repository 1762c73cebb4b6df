"""The main job, walked through as people do it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from exercises.models import Submission, User
from exercises.services.outcome_record import outcome_record
from tests.e2e.conftest import OpenReader
from tests.e2e.numbers import projections, type_in
from tests.exercises.outcomes import marked
from tests.factories import PASSWORD


def test_student_reads_errs_mends_and_is_marked(ada: User, ines: User, reader: OpenReader) -> None:
    page = reader().open("/zh-hans/")

    sign_in(page)
    page.get_by_role("link", name="开始读").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("朴素注意力")
    page.goto(page.url.replace("/naive/", "/qkv/"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("查询")
    err_and_mend(page, ada)
    page.locator("#qc-1-text").fill("一个向量身兼三职。")
    page.locator("#item-qc-1").get_by_role("button", name="提交").click()
    expect(page.locator("#item-qc-1 .result")).to_contain_text("教师会读")
    give_two_points(reader(ines).open("/zh-hans/courses/spring/quick-checks/qc-1/"))

    page.reload()
    expect(page.locator("#item-qc-1 .result")).to_contain_text("再说说为什么混合 v。")
    expect(page.locator("#item-qc-1 .verdict-score")).to_contain_text("2 / 3 分")


def sign_in(page: Page) -> None:
    page.get_by_label("用户名或邮箱").fill("ada")
    page.get_by_label("密码").fill(PASSWORD)
    page.get_by_role("button", name="登录").click()
    page.locator("#id_consent").check()
    page.locator(".consent-form .button").click()


def err_and_mend(page: Page, user: User) -> None:
    item = page.locator("#item-pj-qkv")
    type_in(page, projections(user, W_for_q="W_K"))
    item.get_by_role("button", name="检查答案").click()
    expect(item.locator(".finding-title")).to_contain_text("用错了矩阵")
    expect(page.locator("#announcer")).to_contain_text("第 1 次")
    expect(item.locator("[data-focus]").first).to_be_focused()
    type_in(page, projections(user))
    item.get_by_role("button", name="检查答案").click()
    expect(item.locator(".verdict")).to_contain_text("正确")
    expect(page.locator("#mark-pj-qkv")).to_contain_text("完成")


def give_two_points(desk: Page) -> None:
    expect(desk.locator(".learner-text")).to_have_text("一个向量身兼三职。")
    for criterion in (0, 1):
        desk.locator("[name=met]").nth(criterion).check()
    desk.get_by_label("给学生的评语").fill("再说说为什么混合 v。")
    desk.get_by_role("button", name="保存评分").click()
    expect(desk.locator(".desk-undo")).to_contain_text("1 份答案已评分")
    desk.get_by_role("link", name="误区").click()
    expect(desk.get_by_role("row", name=re.compile("用错了矩阵"))).to_contain_text("Ada")


def test_the_same_walk_works_without_scripts(ada: User, reader: OpenReader) -> None:
    page = reader(ada, scripts=False).open("/en/courses/spring/lessons/qkv/")

    page.fill("#pj-qkv-q-0-0", "not a number")
    page.locator("#item-pj-qkv").get_by_role("button", name="Check").click()
    expect(page.locator(".error-summary")).to_be_visible()
    expect(page.locator("#pj-qkv-q-0-0")).to_have_value("not a number")

    type_in(page, projections(ada))
    page.locator("#item-pj-qkv").get_by_role("button", name="Check").click()
    expect(page).to_have_url(re.compile("/lessons/qkv/#item-pj-qkv$"))
    expect(page.locator("#item-pj-qkv .verdict")).to_contain_text("Correct")


@pytest.mark.usefixtures("broker_away")
def test_waiting_code_turns_into_its_result_by_itself(ada: User, reader: OpenReader) -> None:
    ada.editor = "plain"
    ada.save(update_fields=["editor"])
    page = reader(ada).open("/en/courses/spring/lessons/qkv/")
    item = page.locator("#item-cd-project")

    page.fill("#cd-project-code", "def project(x, W, b=None):\n    return x @ W\n")
    item.get_by_role("button", name="Submit").click()
    expect(item.locator(".waiting")).to_contain_text("Received and stored")
    page.fill("#cd-project-code", "# the next idea")
    settle_as_right(Submission.objects.get())

    expect(item.locator(".verdict")).to_contain_text("Correct")
    expect(page.locator("#state-cd-project")).to_contain_text("Done")
    expect(page.locator("#cd-project-code")).to_have_value("# the next idea")


def settle_as_right(submission: Submission) -> None:
    outcome = marked(submission)
    outcome["mark"] |= dict.fromkeys(("score", "max_score"), str(submission.attempt.item.max_score))
    assert outcome_record(outcome=outcome)


def test_double_click_is_one_submission(ada: User, reader: OpenReader) -> None:
    page = reader(ada).open("/en/courses/spring/lessons/qkv/")
    type_in(page, projections(ada))

    page.locator("#item-pj-qkv").get_by_role("button", name="Check").dblclick()
    expect(page.locator("#item-pj-qkv .verdict")).to_contain_text("Correct")

    assert Submission.objects.count() == 1


def test_lost_connection_keeps_what_was_typed_and_says_so(ada: User, reader: OpenReader) -> None:
    window = reader(ada)
    page = window.open("/en/courses/spring/lessons/qkv/")
    page.fill("#qc-1-text", "My own words.")
    page.context.set_offline(True)

    page.locator("#item-qc-1").get_by_role("button", name="Send").click()
    expect(page.locator("#announcer")).to_contain_text(re.compile("no connection", re.IGNORECASE))
    page.context.set_offline(False)
    page.reload()

    expect(page.locator("#qc-1-text")).to_have_value("My own words.")
    window.complaints.clear()  # the browser's own note that it was offline


def test_code_that_is_too_large_to_send_stays_and_says_so(ada: User, reader: OpenReader) -> None:
    window = reader(ada)
    page = window.open("/en/courses/spring/lessons/qkv/")
    page.eval_on_selector("#cd-project-code", "(box) => { box.value = '#'.repeat(3_000_000); }")

    page.locator("#item-cd-project").get_by_role("button", name="Submit").click()

    expect(page.locator("#announcer")).to_contain_text("too large to be sent")
    assert page.eval_on_selector("#cd-project-code", "(box) => box.value.length") == 3_000_000
    window.complaints.clear()  # the browser's own note of the 413


def test_sign_in_that_ran_out_keeps_what_was_typed_and_says_so(ada: User, reader: OpenReader) -> None:
    window = reader(ada)
    page = window.open("/en/courses/spring/lessons/qkv/")
    page.fill("#qc-1-text", "My own words.")
    page.context.clear_cookies(name="sessionid")

    page.locator("#item-qc-1").get_by_role("button", name="Send").click()

    expect(page.locator("#announcer")).to_contain_text("You have been signed out")
    expect(page.locator("#qc-1-text")).to_have_value("My own words.")
    window.complaints.clear()  # the browser's own note of the 401
