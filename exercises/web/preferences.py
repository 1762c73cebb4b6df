"""How the reader likes the pages: kept in the account, and in cookies for pages without one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.db.models import TextChoices
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse, translate_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from exercises.enums import PREFERENCES
from exercises.queries.preferences import Preferences, preferences
from exercises.services.preferences_set import preferences_set
from exercises.web.words import Words

_ONE_YEAR_SECONDS: Final = 365 * 24 * 3600


def preferences_of(request: HttpRequest) -> Preferences:
    """What the sender of a request has chosen."""
    return preferences(request.user, request.COOKIES)


_QUESTIONS: Final[Mapping[str, tuple[Words, Words]]] = {
    "language": (_("Language"), ""),
    "theme": (_("Light or dark"), ""),
    "convention": (
        _("How formulas are written"),
        _("Lessons and exercises that read both ways follow this. What you have answered stays as it was."),
    ),
    "digest": (
        _("News by e-mail"),
        _("Marks and answers that came, to the address of your account. Without an address nothing is sent."),
    ),
    "editor": (_("Where code is written"), _("Ctrl or Cmd with Enter runs it in either.")),
}
_UNCHOSEN: Final[Mapping[str, Words]] = {"language": _("As the browser asks")}
_OWN_NAMES: Final = {"zh-hans": "zh-Hans", "en": "en"}


@dataclass(frozen=True, slots=True)
class Answer:
    """One choice; `language` is that of its words, where they are always in the same one."""

    value: str
    words: Words
    is_chosen: bool
    language: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A preference with its choices."""

    name: str
    words: Words
    help: Words
    answers: tuple[Answer, ...]


@require_http_methods(["GET", "HEAD", "POST"])
def reader_settings(request: HttpRequest) -> HttpResponse:
    """Show all choices, or keep those that were sent and go back to the page on which they were made."""
    if request.method != "POST":
        shown = {"questions": _questions(preferences_of(request)), "next": request.GET.get("next", "")}
        return render(request, "exercises/settings.html", shown)
    chosen = _chosen(request.POST)
    if request.user.is_authenticated:
        preferences_set(user=request.user, chosen=chosen)
    # Not `redirect`: it would take a word without a slash for the name of a page.
    response = HttpResponseRedirect(_way_back(request.POST.get("next", ""), chosen.get("language", "")))
    for name, value in chosen.items():
        _set_cookie(response, name, value)
    return response


def _questions(chosen: Preferences) -> list[Question]:
    return [
        Question(name, *_QUESTIONS[name], answers=tuple(_answers(name, closed, getattr(chosen, name))))
        for name, closed in PREFERENCES.items()
    ]


def _answers(name: str, closed: type[TextChoices], chosen: str) -> Iterator[Answer]:
    """What nobody has chosen is as if the first had been, except a language: there the browser has its say."""
    unchosen = _UNCHOSEN.get(name)
    if unchosen:
        yield Answer("", unchosen, is_chosen=not chosen)
    for place, value in enumerate(closed.values):
        is_chosen = value == chosen or (not chosen and not unchosen and place == 0)
        yield Answer(value, closed(value).label, is_chosen, _OWN_NAMES.get(value, ""))


def _chosen(sent: Mapping[str, str]) -> dict[str, str]:
    return {
        name: sent[name] if sent[name] in closed.values else "" for name, closed in PREFERENCES.items() if name in sent
    }


def _way_back(target: str, language: str) -> str:
    """The page that the choice was made on, in the language that was chosen. It is one of ours."""
    if not url_has_allowed_host_and_scheme(target, allowed_hosts=None):
        with override(language or get_language()):
            return reverse("home")
    return translate_url(target, language) if language else target


def _set_cookie(response: HttpResponse, name: str, value: str) -> None:
    if not value:
        response.delete_cookie(name)
        return
    response.set_cookie(
        name,
        value,
        max_age=_ONE_YEAR_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
