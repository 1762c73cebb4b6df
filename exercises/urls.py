"""Addresses: pages, which stand under a language, and what machines call, which does not."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from exercises.api.urls import urlpatterns as api_urlpatterns
from exercises.web import (
    accounts_entrance,
    accounts_people,
    accounts_self,
    answering,
    audit_log,
    curriculums,
    drafting,
    figures,
    finding,
    health,
    helping,
    lab_look,
    my_data,
    own_reading,
    practice,
    preferences,
    quick_check_desk,
    reading,
    running,
    student_desk,
)

page_urlpatterns: list[URLPattern | URLResolver] = [
    path("", reading.home, name="home"),
    path("accounts/", accounts_self.account, name="account"),
    path("accounts/delete/", accounts_self.delete_account, name="delete_account"),
    path("accounts/consent/", accounts_self.consent, name="consent"),
    path("accounts/activate/", accounts_entrance.activate, name="activate"),
    path("accounts/campus/<slug:provider_id>/", accounts_entrance.campus_sign_on, name="campus_sign_on"),
    path("join/", accounts_entrance.join, name="join"),
    path("join/<str:code>/", accounts_entrance.invitation, name="invitation"),
    path("accounts/forgotten/", accounts_entrance.forgotten, name="forgotten"),
    path("keep/", accounts_entrance.keep, name="keep"),
    path("privacy/", accounts_entrance.privacy, name="privacy"),
    path("courses/<slug:course_slug>/welcome/", accounts_entrance.welcome, name="welcome"),
    path("courses/<slug:course_slug>/visit/", accounts_entrance.visit, name="visit"),
    path("courses/<slug:course_slug>/people/", accounts_people.roster, name="people"),
    path("courses/<slug:course_slug>/people/codes/", accounts_people.code_create, name="code_create"),
    path(
        "courses/<slug:course_slug>/people/codes/<int:code_id>/revoke/", accounts_people.code_revoke, name="code_revoke"
    ),
    path("courses/<slug:course_slug>/people/add/", accounts_people.members_create, name="members_create"),
    path("courses/<slug:course_slug>/people/activations/", accounts_people.activations, name="activations"),
    path("courses/<slug:course_slug>/people/<int:member_id>/", accounts_people.member, name="member"),
    path("courses/<slug:course_slug>/people/<int:member_id>/reset/", accounts_people.member_reset, name="member_reset"),
    path("courses/<slug:course_slug>/settings/", accounts_people.course_settings, name="course_settings"),
    path("settings/", preferences.reader_settings, name="settings"),
    path("courses/<slug:course_slug>/", reading.course, name="course"),
    path("courses/<slug:course_slug>/glossary/", reading.glossary, name="glossary"),
    path("courses/<slug:course_slug>/lessons/<slug:lesson_slug>/", reading.lesson, name="lesson"),
    path(
        "courses/<slug:course_slug>/items/<slug:item_slug>/<uuid:attempt_id>/submit/", answering.submit, name="submit"
    ),
    path("courses/<slug:course_slug>/items/<slug:item_slug>/<uuid:attempt_id>/draft/", drafting.draft, name="draft"),
    path("courses/<slug:course_slug>/items/<slug:item_slug>/", helping.item, name="item"),
    path("courses/<slug:course_slug>/items/<slug:item_slug>/<uuid:attempt_id>/hint/", helping.hint, name="hint"),
    path(
        "courses/<slug:course_slug>/items/<slug:item_slug>/<uuid:attempt_id>/solution/",
        helping.solution,
        name="solution",
    ),
    path("courses/<slug:course_slug>/items/<slug:item_slug>/another/", answering.another, name="another"),
    path("courses/<slug:course_slug>/items/<slug:item_slug>/<uuid:attempt_id>/run/", running.run, name="run_code"),
    path("runs/<uuid:run_id>/", running.run_page, name="run"),
    path("runs/<uuid:run_id>/result/", running.run_result, name="run_result"),
    path("courses/<slug:course_slug>/items/<slug:item_slug>/<uuid:attempt_id>/look/", lab_look.look, name="look"),
    path("courses/<slug:course_slug>/skills/", practice.skills, name="skills"),
    path("courses/<slug:course_slug>/review/", practice.review, name="review"),
    path("courses/<slug:course_slug>/review/next/", practice.review_next, name="review_next"),
    path("search/", finding.find, name="search"),
    path("my-data/", my_data.export, name="export"),
    path("curriculums/", curriculums.curriculums, name="curriculums"),
    path("courses/<slug:course_slug>/overview/", figures.overview, name="overview"),
    path("courses/<slug:course_slug>/progress/", figures.progress, name="progress"),
    path("courses/<slug:course_slug>/students/<int:member_id>/", student_desk.student, name="student"),
    path("courses/<slug:course_slug>/students/<int:member_id>/note/", student_desk.student_note, name="student_note"),
    path("courses/<slug:course_slug>/misconceptions/", figures.misconceptions, name="misconceptions"),
    path("courses/<slug:course_slug>/unexplained/", figures.unexplained, name="unexplained"),
    path(
        "courses/<slug:course_slug>/unexplained/<slug:item_slug>/<slug:key>.toml",
        figures.misconception_draft,
        name="misconception_draft",
    ),
    path("courses/<slug:course_slug>/analysis/", figures.item_analysis, name="item_analysis"),
    path("courses/<slug:course_slug>/analysis/<slug:item_slug>/", figures.item_figures, name="item_figures"),
    path("submissions/<uuid:submission_id>/replay/", student_desk.replay, name="replay"),
    path("courses/<slug:course_slug>/quick-checks/", quick_check_desk.quick_checks, name="quick_checks"),
    path("courses/<slug:course_slug>/comments/", quick_check_desk.stock_comment, name="stock_comment"),
    path("courses/<slug:course_slug>/quick-checks/<slug:item_slug>/", quick_check_desk.quick_check, name="quick_check"),
    path(
        "courses/<slug:course_slug>/quick-checks/<slug:item_slug>/mark/",
        quick_check_desk.quick_check_mark,
        name="quick_check_mark",
    ),
    path(
        "courses/<slug:course_slug>/quick-checks/<slug:item_slug>/take-back/",
        quick_check_desk.quick_check_take_back,
        name="quick_check_take_back",
    ),
    path(
        "courses/<slug:course_slug>/quick-checks/<slug:item_slug>/draft/",
        quick_check_desk.quick_check_draft,
        name="quick_check_draft",
    ),
    path("courses/<slug:course_slug>/log/", audit_log.log, name="log"),
    path("submissions/<uuid:submission_id>/", answering.submission, name="submission"),
    path("submissions/<uuid:submission_id>/own-mark/", own_reading.own_mark, name="own_mark"),
    path("submissions/<uuid:submission_id>/another-look/", own_reading.another_look, name="another_look"),
    path("submissions/<uuid:submission_id>/result/", answering.result, name="result"),
]

machine_urlpatterns: list[URLPattern | URLResolver] = [
    path("health/live", health.live, name="health_live"),
    path("health/ready", health.ready, name="health_ready"),
    *api_urlpatterns,
]
