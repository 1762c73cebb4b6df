"""Looking for something in all courses of the reader."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from exercises.queries.search import Found, search
from exercises.web.glossary_view import course_cards
from exercises.web.preferences import preferences_of
from exercises.web.reading import LONGEST_QUERY
from exercises.web.requests import MemberRequest, signed_in

_GROUPS: Final = ((Found.TERM, _("Glossary")), (Found.ITEM, _("Exercises")), (Found.LESSON, _("Lessons")))


@require_safe
@signed_in
def find(request: MemberRequest) -> HttpResponse:
    """What was found, by kind; without a query only the box."""
    query = request.GET.get("q", "").strip()[:LONGEST_QUERY]
    hits = search(request.user, query, get_language() or "zh-hans")
    groups = [(words, of_kind) for kind, words in _GROUPS if (of_kind := [hit for hit in hits if hit.found is kind])]
    shown: dict[str, object] = {"query": query, "groups": groups, "count": len(hits)}
    if hits:
        # Those of one course alone: two may have a term of the same name.
        shown["symbol_cards"] = course_cards(hits[0].course, preferences_of(request).layout)
    return render(request, "exercises/student/search.html", shown)
