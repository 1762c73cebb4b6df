"""News: marks and answers that came, on a page and by e-mail, and the way out of the e-mails."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exercises.queries.news import new_since, news_page
from exercises.services.digest_send import digest_switch_off, reader_of
from exercises.services.news_see import news_see
from exercises.web.requests import MemberRequest, signed_in, whole_number
from exercises.web.words import NEWS


@require_safe
@signed_in
def news(request: MemberRequest) -> HttpResponse:
    """What has happened, the latest first, a page at a time."""
    shown = {
        "page": news_page(request.user, whole_number(request.GET.get("page", "")) or 1),
        "signs": NEWS,
        "new": new_since(request.user),
        "now": timezone.now().isoformat(),
    }
    return render(request, "exercises/student/news.html", shown)


@require_POST
@signed_in
def news_seen(request: MemberRequest) -> HttpResponse:
    """All that was on the page has been read."""
    shown_at = parse_datetime(request.POST.get("until", "")[:40])
    news_see(user=request.user, until=min(shown_at, timezone.now()) if shown_at and shown_at.tzinfo else timezone.now())
    return redirect("news")


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def digest_off(request: HttpRequest, token: str) -> HttpResponse:
    """Stop the e-mails of whoever the link was sent to, without signing in: mail programs post here by themselves."""
    reader = reader_of(token)
    if reader is not None and request.method == "POST":
        digest_switch_off(user=reader)
    shown = {"is_known": reader is not None, "is_off": reader is not None and request.method == "POST"}
    return render(request, "exercises/digest_off.html", shown, status=200 if reader else 404)
