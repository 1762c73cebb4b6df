"""The glossary as pages show it: on a page of its own, as cards beside a lesson's symbols, and as what lessons link to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _

from exercises.markup import Reference, symbol_of
from exercises.models import Course
from exercises.queries.glossary import glossary
from exercises.web.words import ROLES, Words
from grader.bank import Term, TermGroup, TermKind
from grader.marking.either import in_convention, reads_both_ways
from grader.marking.items import Convention
from grader.marking.text import Text

TERM_KINDS: Final = {
    TermKind.PARAMETER: _("learned in training"),
    TermKind.ACTIVATION: _("computed anew for every input"),
    TermKind.CONSTANT: _("settled with the model"),
    TermKind.INPUT: _("given with the input"),
}
TERM_GROUPS: Final = {
    TermGroup.TOKENS: _("Tokens and their vectors"),
    TermGroup.PROJECTION: _("Queries, keys and values"),
    TermGroup.ATTENTION: _("Scores, weights, mixing"),
    TermGroup.SIZES: _("Sizes"),
    TermGroup.MODELS: _("In whole models"),
}
ONE_NUMBER: Final = "[]"


@dataclass(frozen=True, slots=True)
class Form:
    """How a term is written and shaped in one convention, or in both where the convention is empty."""

    convention: str
    symbol: str
    shape: str

    @property
    def is_number(self) -> bool:
        """Whether it is a single number, which has no shape to speak of."""
        return self.shape == ONE_NUMBER


@dataclass(frozen=True, slots=True)
class TermView:
    """One entry; `names` are its symbols by the names that formulas carry, `role` is q, k or v where it is one."""

    slug: str
    name: Text
    meaning: Text
    kind_words: Words
    kind: str
    forms: tuple[Form, ...]
    names: tuple[str, ...]
    role: str


@dataclass(frozen=True, slots=True)
class GroupView:
    """The terms that stand together."""

    title: Words
    terms: tuple[TermView, ...]


def term_view(term: Term, convention: Convention | None = None) -> TermView:
    """An entry told in one convention, or without one in both."""
    tellings = (convention,) if convention else tuple(Convention)
    differs = reads_both_ways([term.shape, *term.symbols[:1]])
    forms = tuple(
        Form(
            str(each) if differs else "",
            in_convention(next(iter(term.symbols), ""), each),
            in_convention(term.shape, each),
        )
        for each in (tellings if differs else tellings[:1])
        if term.symbols or term.shape
    )
    names = _symbol_names(term)
    return TermView(
        slug=term.slug,
        name=term.name,
        meaning=term.meaning.map(lambda words: in_convention(words, convention or Convention.ROW)),
        kind_words=TERM_KINDS[term.kind],
        kind=str(term.kind),
        forms=forms,
        names=names,
        role=_role(names),
    )


def group_views(terms: Collection[Term]) -> tuple[GroupView, ...]:
    """The terms by group, in both conventions; a group without any is left out."""
    grouped = {group: tuple(term_view(term) for term in terms if term.group is group) for group in TermGroup}
    return tuple(GroupView(TERM_GROUPS[group], found) for group, found in grouped.items() if found)


@lru_cache(maxsize=512)
def symbol_cards(
    course_slug: str, terms: tuple[Term, ...], convention: Convention | None, language: str, names: frozenset[str]
) -> SafeString:
    """The cards of all terms in the page's language; those with one of these names stand on paper as well."""
    cards = [term_view(term, convention) for term in terms]
    here = {card.slug for card in cards if names.intersection(card.names)}
    shown = {"cards": cards, "here": here, "course_slug": course_slug}
    with override(language):
        return render_to_string("exercises/partials/symbol_cards.html", shown)


@lru_cache(maxsize=512)
def lesson_reference(course_slug: str, terms: tuple[Term, ...], language: str) -> Reference:
    """What the lessons of a course link to."""
    return Reference(
        address=reverse("glossary", kwargs={"course_slug": course_slug}),
        symbols=tuple((name, term.slug) for term in terms for name in _symbol_names(term)),
        terms=tuple((term.name.in_language(language).casefold(), term.slug) for term in terms if term.is_linked),
        names=tuple((term.slug, term.name.in_language(language)) for term in terms if term.symbols),
    )


@lru_cache(maxsize=512)
def item_reference(course_slug: str, terms: tuple[Term, ...], language: str) -> Reference:
    """What the texts of an exercise link to: symbols, since a linked term might give the answer away."""
    return replace(lesson_reference(course_slug, terms, language), terms=())


def course_cards(course: Course, convention: Convention | None = None) -> SafeString:
    """The cards of a course for a page outside its lessons; without a convention they tell both."""
    return symbol_cards(course.slug, glossary(course.curriculum), convention, get_language() or "zh-hans", frozenset())


def course_reference(course: Course) -> Reference:
    """What the symbols on a page outside the lessons link to."""
    return item_reference(course.slug, glossary(course.curriculum), get_language() or "zh-hans")


def without(reference: Reference, linked: Collection[str]) -> Reference:
    """The reference without the terms that a lesson has linked already."""
    return replace(reference, terms=tuple(pair for pair in reference.terms if pair[1] not in linked))


def _symbol_names(term: Term) -> tuple[str, ...]:
    told = (in_convention(symbol, convention) for symbol in term.symbols for convention in Convention)
    return tuple(dict.fromkeys(name for symbol in told if (name := symbol_of(symbol))))


def _role(names: tuple[str, ...]) -> str:
    """The letter itself, or the one below a W or a b."""
    letters = {name.removeprefix("W_").removeprefix("b_").rstrip("_") for name in names}
    roles = {ROLES[letter] for letter in letters if letter in ROLES}
    return roles.pop() if len(roles) == 1 else ""
