"""The desk of quick checks: the queue, one question at a time, and what is done with its answers."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from exercises.access import ItemAccess, answers_for_staff, enrollment_for_staff, item_for_staff
from exercises.enums import ItemKind
from exercises.models import Course, Submission
from exercises.queries.definitions import attempt_content, item_content
from exercises.queries.quick_checks import (
    mark_drafts,
    marked_in,
    misconceptions_to_tag,
    quick_check_answers,
    quick_check_queue,
    stock_comments,
)
from exercises.services.mark_by_instructor import Judgement, MarkRefused
from exercises.services.mark_draft_save import mark_draft_save
from exercises.services.marks_by_hand import (
    MOST_AT_ONCE,
    Done,
    answers_send_back,
    marks_give,
    marks_take_back,
    points_for,
)
from exercises.services.stock_comment import CannotKeep, stock_comment_drop, stock_comment_keep
from exercises.web.desk_frame import desk_frame
from exercises.web.quick_check_form import DeskChoice, MarkForm, read_uuid
from exercises.web.quick_check_view import desk, desk_groups, on_last_page, page_of
from exercises.web.requests import MemberRequest, signed_in, whole_number
from grader.marking.items import FreeTextItem
from grader.marking.text import Text

NOTHING_TICKED = Text("请至少勾选一份答案。", "Tick at least one answer.")
NO_COMMENT = Text("退回时请写明还缺什么。", "Say what is missing when you send an answer back.")


@require_safe
@signed_in
def quick_checks(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Every question with what waits there, and the bank of comments."""
    member = enrollment_for_staff(user=request.user, course_slug=course_slug)
    course = member.course
    shown = {**desk_frame(course, member.role), "queue": quick_check_queue(course), "bank": stock_comments(course)}
    return render(request, "exercises/instructor/quick_checks.html", shown)


@require_safe
@signed_in
def quick_check(request: MemberRequest, course_slug: str, item_slug: str) -> HttpResponse:
    """One question with its answers, each with a place for points, tags and a comment."""
    found = _question(request, course_slug, item_slug)
    return _show(request, found, DeskChoice.of(request.GET))


@require_POST
@signed_in
def quick_check_mark(request: MemberRequest, course_slug: str, item_slug: str) -> HttpResponse:
    """Mark the ticked answers, or send them back; what cannot be done is said where it was tried."""
    found = _question(request, course_slug, item_slug)
    course, form = found.enrollment.course, MarkForm.of(request.POST)
    answers = answers_for_staff(course=course, item=found.item, submission_ids=list(form.read_with)[:MOST_AT_ONCE])
    for answer in answers:
        answer.standing_mark_id = form.read_with[answer.public_id]
    try:
        done = _do(request, course, form, answers)
    except MarkRefused as refusal:
        return _show(request, found, form.back, (form, refusal.text))
    _say(request, done, sent_back=form.sends_back)
    query = "&".join(filter(None, [form.back.query, "" if form.sends_back else f"done={done.batch}"]))
    address = reverse("quick_check", args=[course_slug, item_slug])
    return redirect(f"{address}?{query}#{f'card-{form.next_card}' if form.next_card else 'desk'}")


@require_POST
@signed_in
def quick_check_take_back(request: MemberRequest, course_slug: str, item_slug: str) -> HttpResponse:
    """Take back all marks of one act."""
    found = _question(request, course_slug, item_slug)
    course, batch = found.enrollment.course, read_uuid(request.POST.get("batch", ""))
    count = marks_take_back(instructor=request.user, course=course, batch=batch) if batch else 0
    said = ngettext("Taken back: %(count)d mark.", "Taken back: %(count)d marks.", count) % {"count": count}
    messages.success(request, said)
    back = DeskChoice.of(request.POST).query
    return redirect(f"{reverse('quick_check', args=[course_slug, item_slug])}?{back}#desk")


@require_POST
@signed_in
def quick_check_draft(request: MemberRequest, course_slug: str, item_slug: str) -> HttpResponse:
    """Keep what stands in a card's form; nothing of it is given."""
    found = _question(request, course_slug, item_slug)
    form = MarkForm.of(request.POST)
    first = list(form.read_with)[:1]
    for answer in answers_for_staff(course=found.enrollment.course, item=found.item, submission_ids=first):
        mark_draft_save(
            instructor=request.user,
            submission=answer,
            criteria=form.criteria,
            misconceptions=form.misconceptions,
            comment=form.comment,
        )
    return HttpResponse(status=204)


@require_POST
@signed_in
def stock_comment(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Put a comment into the bank of the course, or take one out."""
    course = enrollment_for_staff(user=request.user, course_slug=course_slug).course
    if "drop" in request.POST:
        dropped = whole_number(request.POST["drop"])
        if dropped is not None:
            stock_comment_drop(instructor=request.user, course=course, comment_id=dropped)
    else:
        _keep(request, course, request.POST.get("text", "").replace("\r\n", "\n"))
    return redirect(f"{reverse('quick_checks', args=[course_slug])}#bank")


def _question(request: MemberRequest, course_slug: str, item_slug: str) -> ItemAccess:
    found = item_for_staff(user=request.user, course_slug=course_slug, item_slug=item_slug)
    if found.item.kind != ItemKind.FREE_TEXT:
        raise Http404
    return found


def _do(request: MemberRequest, course: Course, form: MarkForm, answers: list[Submission]) -> Done:
    if not answers:
        raise MarkRefused(NOTHING_TICKED)
    comment = _comment(course, form)
    if form.sends_back:
        if not comment.strip():
            raise MarkRefused(NO_COMMENT)
        done = answers_send_back(instructor=request.user, submissions=answers, comment=comment)
    else:
        done = marks_give(instructor=request.user, submissions=answers, judgement=_judgement(form, answers[0], comment))
    if form.is_kept:
        _keep(request, course, form.comment)
    return done


def _judgement(form: MarkForm, answer: Submission, comment: str) -> Judgement:
    content = cast("FreeTextItem", attempt_content(answer.attempt))
    rubric = [criterion.key for criterion in content.rubric.criteria]
    met = tuple(key for key in rubric if key in form.criteria)
    score = points_for(len(met), len(rubric), content.max_score)
    return Judgement(score, comment, form.misconceptions, met)


def _comment(course: Course, form: MarkForm) -> str:
    """What was typed, and after it what was chosen from the bank."""
    chosen = [each.text for each in stock_comments(course) if each.pk in form.stock] if form.stock else []
    return "\n".join(filter(None, [form.comment.strip(), *chosen]))


def _keep(request: MemberRequest, course: Course, text: str) -> None:
    try:
        stock_comment_keep(instructor=request.user, course=course, text=text)
    except CannotKeep:
        messages.warning(request, _("A comment for the bank needs between 1 and 500 characters."))


def _say(request: MemberRequest, done: Done, *, sent_back: bool) -> None:
    count = {"count": done.reached}
    if sent_back:
        messages.success(
            request, ngettext("Sent back: %(count)d answer.", "Sent back: %(count)d answers.", done.reached) % count
        )
    if done.passed_over:
        messages.warning(
            request,
            ngettext(
                "%(count)d answer had changed since you read it and was left as it is.",
                "%(count)d answers had changed since you read them and were left as they are.",
                done.passed_over,
            )
            % {"count": done.passed_over},
        )


def _show(
    request: MemberRequest,
    found: ItemAccess,
    choice: DeskChoice,
    refused: tuple[MarkForm, Text] | None = None,
) -> HttpResponse:
    course, item = found.enrollment.course, found.item
    groups = desk_groups(quick_check_answers(course, item), choice, request.user)
    choice = on_last_page(groups, choice)
    drafts = mark_drafts(answer.submission_id for group in page_of(groups, choice) for answer in group)
    batch = read_uuid(request.GET.get("done", ""))
    here, elsewhere = misconceptions_to_tag(item)
    shown = {
        **desk_frame(course, found.enrollment.role),
        "item": item,
        "content": item_content(item.version),
        "line": next((line for line in quick_check_queue(course) if line.item_slug == item.slug), None),
        "desk": desk(groups, choice, drafts, request.user, refused),
        "refusal": refused[1] if refused else None,
        "choice": choice,
        "bank": stock_comments(course),
        "misconceptions": here,
        "others": elsewhere,
        "batch": batch,
        "marked": marked_in(batch, instructor=request.user, course=course) if batch else 0,
    }
    return render(request, "exercises/instructor/quick_check.html", shown, status=422 if refused else 200)
