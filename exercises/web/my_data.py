"""The file with all that the site knows of its reader."""

from __future__ import annotations

import json
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from exercises.queries.my_data import my_data
from exercises.web.requests import MemberRequest, signed_in


@require_safe
@signed_in
def export(request: MemberRequest) -> HttpResponse:
    """A zip of JSON files."""
    archive = BytesIO()
    with ZipFile(archive, "w", ZIP_DEFLATED) as file:
        for name, rows in my_data(request.user).items():
            file.writestr(f"{name}.json", json.dumps(rows, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2))
    response = HttpResponse(archive.getvalue(), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="qkv-course-{timezone.localdate()}.zip"'
    response["Cache-Control"] = "no-store"
    return response
