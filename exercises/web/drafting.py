"""Drafts: what is typed is kept on the server while it is being typed, by scripts that ask for JSON."""

from __future__ import annotations

import json
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.views.decorators.http import require_http_methods

from exercises.access import attempt_for_user
from exercises.models import Attempt, Draft
from exercises.queries.course_time import just_now_words
from exercises.queries.drafts import KeptDraft, drafts_of
from exercises.services.draft_save import DraftConflict, DraftTooLong, NoDraft, draft_discard, draft_save
from exercises.web.requests import MemberRequest, signed_in


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def draft(request: MemberRequest, course_slug: str, item_slug: str, attempt_id: UUID) -> HttpResponse:
    """Keep a draft, or show the one that is kept with a fresh token: a page left open may have an old one."""
    attempt = attempt_for_user(user=request.user, course_slug=course_slug, item_slug=item_slug, attempt_id=attempt_id)
    if request.method != "POST":
        return JsonResponse({**_shown(drafts_of([attempt]).get(attempt.pk)), "token": get_token(request)})
    return _save(attempt, request.POST.get("fields", ""), base=request.POST.get("base", ""))


def _save(attempt: Attempt, fields: str, *, base: str) -> HttpResponse:
    """An empty text lets the draft go."""
    if not fields:
        draft_discard(attempt=attempt, version=base)
        return JsonResponse(_shown(None))
    try:
        return JsonResponse(_shown(draft_save(attempt=attempt, fields=json.loads(fields), base=base)))
    except DraftConflict as conflict:
        return JsonResponse(_shown(conflict.draft), status=409)
    except DraftTooLong:
        return HttpResponse(status=413)
    except (NoDraft, ValueError, RecursionError):
        return HttpResponse(status=400)


def _shown(found: Draft | KeptDraft | None) -> dict[str, object]:
    if found is None:
        return {"version": "", "fields": None, "saved": ""}
    return {"version": found.version, "fields": found.fields, "saved": just_now_words(found.saved_at)}
