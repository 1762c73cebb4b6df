"""What there is to teach."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from exercises.queries.curriculums import curriculum_rows
from exercises.web.requests import MemberRequest, signed_in


@require_safe
@signed_in
def curriculums(request: MemberRequest) -> HttpResponse:
    """All curriculums, and which of them the reader's courses take."""
    return render(request, "exercises/student/curriculums.html", {"curriculums": curriculum_rows(request.user)})
