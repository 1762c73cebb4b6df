"""The markup of items on lessons, kept for as long as they look the same.

Rendering costs far more than looking up, and most of a lesson is as it was on the last visit. What is kept serves only a
page that is equal to the one it was rendered from; what differs from visit to visit is put in afterwards.
"""

from __future__ import annotations

import secrets
import uuid
from dataclasses import replace
from functools import lru_cache
from typing import Final

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language

from exercises.queries.lesson_page import ItemOnPage
from exercises.queries.preferences import Preferences
from exercises.queries.submission_view import Stage
from exercises.web.item_view import item_view

KEPT: Final = 1024
_MOVING: Final = frozenset({Stage.DELAYED, Stage.QUEUED, Stage.RUNNING, Stage.MARKING})
# Nobody can type what stands for the attempt and for the token: this process has drawn it.
_ANY_ATTEMPT: Final = uuid.uuid4()
_ANY_TOKEN: Final = secrets.token_hex(32)


def item_markup(course_slug: str, page: ItemOnPage, *, token: str, reader: Preferences) -> SafeString:
    """The item as a part of a page in the current language and time zone, its forms with `token` against forged requests."""
    render = _rendered if page.stage in _MOVING else _kept
    # Of the reader's choices these are all that an item depends on.
    chosen = Preferences(convention=reader.convention, editor=reader.editor)
    markup = render(course_slug, page, chosen, get_language() or "zh-hans", get_current_timezone_name())
    told = markup.replace(str(_ANY_ATTEMPT), str(page.attempt_id)).replace(_ANY_TOKEN, token)
    return mark_safe(told)  # noqa: S308 -- a template has escaped it, and neither an id nor a token needs that


def _rendered(course_slug: str, page: ItemOnPage, reader: Preferences, _language: str, _zone: str) -> str:
    context = {
        "item": item_view(course_slug, replace(page, attempt_id=_ANY_ATTEMPT)),
        "reader": reader,
        "csrf_token": _ANY_TOKEN,
    }
    return render_to_string("exercises/partials/item.html", context)


_kept = lru_cache(maxsize=KEPT)(_rendered)
