"""Class mode: one item before the class, for a projector. Counts, and never a name."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from exercises.access import ItemAccess, item_for_staff
from exercises.enums import RoundStage, Verdict
from exercises.models import ClassRound
from exercises.queries.class_counts import AnswerCount, class_counts, current_round, round_mark
from exercises.queries.definitions import item_content
from exercises.services.class_round import round_begin, round_show
from exercises.web.desk_frame import desk_frame
from exercises.web.requests import MemberRequest, signed_in
from exercises.web.words import VERDICTS, Sign
from grader.marking.text import Text


@dataclass(frozen=True, slots=True)
class Bar:
    """One line of the projector's page."""

    text: Text
    count: int
    is_typed: bool
    sign: Sign | None


@require_safe
@signed_in
def class_mode(request: MemberRequest, course_slug: str, item_slug: str) -> HttpResponse:
    """The projector's page. While nothing has changed an answer costs one small query and no page."""
    found = item_for_staff(user=request.user, course_slug=course_slug, item_slug=item_slug)
    current = current_round(found.enrollment.course, found.item)
    etag = f'"{request.LANGUAGE_CODE}-{round_mark(current)}"' if current else '"none"'
    if request.headers.get("If-None-Match") == etag:
        unchanged = HttpResponseNotModified()
        unchanged["ETag"] = etag
        return unchanged
    response = render(request, "exercises/instructor/class_mode.html", _shown(found, current))
    response["ETag"] = etag
    return response


@require_POST
@signed_in
def class_act(request: MemberRequest, course_slug: str, item_slug: str) -> HttpResponse:
    """Begin a round, or show more or less of it."""
    found = item_for_staff(user=request.user, course_slug=course_slug, item_slug=item_slug)
    act, course = request.POST.get("act", ""), found.enrollment.course
    current = current_round(course, found.item)
    if act == "begin":
        round_begin(instructor=request.user, course=course, item=found.item)
    elif current is not None and act in set(RoundStage):
        round_show(instructor=request.user, found=current, stage=RoundStage(act))
    return redirect("class_mode", course_slug=course_slug, item_slug=item_slug)


def _shown(found: ItemAccess, current: ClassRound | None) -> dict[str, object]:
    course, content = found.enrollment.course, item_content(found.item.version)
    counts = class_counts(current) if current else None
    is_revealed = current is not None and current.stage == RoundStage.REVEALED
    return {
        **desk_frame(course, found.enrollment.role),
        "item": found.item,
        "content": content,
        "round": current,
        "counts": counts,
        "bars": [_bar(each, is_revealed=is_revealed) for each in counts.answers] if counts else [],
        "verdicts": [(VERDICTS[verdict], counts.verdicts[verdict]) for verdict in Verdict] if counts else [],
        "is_revealed": is_revealed,
    }


def _bar(each: AnswerCount, *, is_revealed: bool) -> Bar:
    return Bar(each.text, each.count, each.is_typed, VERDICTS[each.verdict] if is_revealed and each.verdict else None)
