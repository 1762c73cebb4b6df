"""Tags and filters of the course's templates: icons, words in the page's language, scores, the language switch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Final
from urllib.parse import urlsplit

from django import template
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import translate_url
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from exercises.markup import NO_REFERENCE, Reference, render_in_turn, render_inline, render_prose, render_tex
from exercises.queries.preferences import Preferences
from exercises.queries.preferences import preferences as preferences_of
from grader.marking.text import Text

register = template.Library()

_HTML_LANGUAGES: Final = {"zh-hans": "zh-Hans", "en": "en"}


@register.simple_tag
@cache
def icon(name: str) -> SafeString:
    """A drawing that goes with a word; screen readers hear the word alone."""
    return format_html(
        '<svg class="icon" aria-hidden="true" focusable="false"><use href="{}#{}"></use></svg>',
        static("exercises/icons.svg"),
        name,
    )


@register.filter
def words(text: Text) -> str:
    """A text in the page's language."""
    return text.in_language(get_language() or "zh-hans")


@register.filter
def inline(text: Text) -> SafeString:
    """A text of our own in the page's language, with its formulas."""
    return render_inline(words(text))


@register.filter
def prose(text: Text) -> SafeString:
    """Paragraphs of our own in the page's language."""
    return render_prose(words(text), get_language() or "zh-hans")


@register.filter
def linked(text: Text, reference: Reference | str) -> SafeString:
    """The same with links from its symbols to the glossary, where the page has one."""
    return next(linked_in_turn([text], reference))


@register.filter
def linked_in_turn(texts: Sequence[Text], reference: Reference | str) -> Iterator[SafeString]:
    """Texts that are read one after the other, each symbol linked where it is met first."""
    known = reference if isinstance(reference, Reference) else NO_REFERENCE
    return render_in_turn([words(text) for text in texts], get_language() or "zh-hans", known)


@register.filter
def tex(formula: str) -> SafeString:
    """A formula that stands in a line."""
    return render_tex(formula)


@register.filter
def display_tex(formula: str) -> SafeString:
    """A formula on a line of its own."""
    return render_tex(formula, display=True)


@register.filter
def in_words(text: Mapping[str, str]) -> str:
    """A text as the database has it, in the page's language."""
    return words(Text.from_json(text))


@register.filter
def shape(sizes: str) -> SafeString:
    """A shape such as `[S, d_k]`, its letters set as in a formula."""
    return render_tex(
        sizes.replace("n_heads", r"n_{\text{heads}}").replace("n_vocab", r"n_{\text{vocab}}").replace("·", r"\cdot")
    )


@register.filter
def score(value: Decimal | None) -> str:
    """A score without needless zeros, written the same in every language."""
    return "" if value is None else format(value.normalize(), "f")


@register.filter
def figure(value: float | None) -> str:
    """A figure to one decimal; a dash where there is none."""
    return "–" if value is None else f"{value:.1f}"


@register.filter
def percent(share: float | None) -> str:
    """A share in whole per cent; a dash where there is none."""
    return "–" if share is None else f"{100 * share:.0f} %"


@register.filter
def minutes(seconds: float | None) -> str:
    """Seconds as minutes and seconds, such as 3:05; a dash where there are none."""
    return "–" if seconds is None else f"{int(seconds) // 60}:{int(seconds) % 60:02}"


@register.simple_tag(takes_context=True)
def page_in(context: template.Context, language: str) -> str:
    """The address of this very page in another language."""
    request: HttpRequest = context["request"]
    return translate_url(request.get_full_path(), language)


@register.simple_tag(takes_context=True)
def is_for_lesson(context: template.Context) -> bool:
    """Whether a part of a page will stand in a lesson, under its headings and beside its contents, or else alone."""
    request: HttpRequest = context["request"]
    address = request.headers.get("HX-Current-URL")
    return address is None or "/lessons/" in urlsplit(address).path


@register.simple_tag(takes_context=True)
def preferences(context: template.Context) -> Preferences:
    """What the reader has chosen, as the context says or else the request."""
    told: Preferences | None = context.get("reader")
    if told is not None:
        return told
    request: HttpRequest | None = context.get("request")
    return preferences_of(getattr(request, "user", None), request.COOKIES if request else {})


@register.filter
def at(table: Mapping[object, object], key: object) -> object:
    """The entry of a table, such as the sign of a state."""
    return table[key]


@register.filter
def html_language(code: str) -> str:
    """The tag that browsers know for one of our language codes."""
    return _HTML_LANGUAGES.get(code, code)
