"""An item under the author's eyes: as learners see it, on twenty seeds, checked, and beside its earlier versions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import override
from django.views.decorators.http import require_safe

from exercises.access import ItemAccess, item_for_staff
from exercises.enums import Language
from exercises.markup.readable import unreadable
from exercises.models import ItemVersion
from exercises.queries.definitions import item_content
from exercises.queries.item_versions import DiffLine, item_versions, version_differences
from exercises.queries.lesson_page import item_on_page
from exercises.queries.similar_programs import similar_pairs
from exercises.services.attempt_start import attempt_start
from exercises.web.desk_frame import desk_frame
from exercises.web.item_view import item_view
from exercises.web.requests import MemberRequest, signed_in
from exercises.web.responses import read_seed
from grader.derivation.explorer import SeedOutcome, SlipOutcome, explore
from grader.derivation.slips import Slip
from grader.derivation.typeset import letters
from grader.gate import check_definition
from grader.marking.items import Item as ItemContent
from grader.marking.items import NumericItem, PredictItem
from grader.marking.text import Text

SEEDS = 20


@dataclass(frozen=True, slots=True)
class Look:
    """The item in one language, as HTML that asks nothing and sends nothing."""

    language: Language
    html: SafeString


@dataclass(frozen=True, slots=True)
class Cell:
    """What comes out on one seed; empty where it cannot. A collision is told in words as well."""

    text: str
    is_collision: bool = False
    with_slip: bool = False

    @classmethod
    def of(cls, outcome: SlipOutcome) -> Cell:
        """The outcome of a mistake."""
        return cls(_numbers(outcome.cells or ()), outcome.is_collision, outcome.meets is not None)


@dataclass(frozen=True, slots=True)
class SlipRow:
    """One mistake, and what it gives on every seed."""

    title: Text
    formula: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Explorer:
    """Seeds across, mistakes down."""

    first: int
    seeds: tuple[SeedOutcome, ...]
    right: tuple[Cell, ...]
    rows: tuple[SlipRow, ...]

    @property
    def after(self) -> int:
        """Where the next twenty begin."""
        return self.first + SEEDS


@require_safe
@signed_in
def author(request: MemberRequest, course_slug: str, item_slug: str) -> HttpResponse:
    """The item's page for its author; what takes long is worked out when it is asked for."""
    found = item_for_staff(user=request.user, course_slug=course_slug, item_slug=item_slug)
    content = item_content(found.item.version)
    versions = item_versions(found.item)
    older, newer = _chosen(request, versions)
    shown = {
        **desk_frame(found.enrollment.course, found.enrollment.role),
        "item": found.item,
        "title": Text.from_json(found.item.title),
        "looks": list(_looks(request, found)),
        "explorer": _explorer(content, read_seed(request.GET) or 0),
        "report": check_definition(found.item.version.definition, unreadable) if "check" in request.GET else None,
        "versions": versions,
        "older": older,
        "newer": newer,
        "differences": list(_differences(older, newer)),
    }
    return render(request, "exercises/instructor/author.html", shown)


@require_safe
@signed_in
def similar(request: MemberRequest, course_slug: str, item_slug: str) -> HttpResponse:
    """Programs that are built alike, side by side. Shown, never judged."""
    found = item_for_staff(user=request.user, course_slug=course_slug, item_slug=item_slug)
    course = found.enrollment.course
    pairs = similar_pairs(course, found.item)
    shown = {**desk_frame(course, found.enrollment.role), "title": Text.from_json(found.item.title), "pairs": pairs}
    return render(request, "exercises/instructor/similar.html", shown)


def _looks(request: HttpRequest, found: ItemAccess) -> Iterator[Look]:
    attempt = attempt_start(enrollment=found.enrollment, item=found.item)
    page = replace(item_on_page(attempt), latest=None, stage=None, solution=(), draft=None, guess="")
    for language in Language:
        with override(language):
            # Twice on one page: each needs ids of its own.
            view = item_view(found.enrollment.course.slug, replace(page, slug=f"{page.slug}-{language}"))
            html = render_to_string("exercises/partials/item_read.html", {"item": view, "level": 3}, request)
        # The editor has a box that scrolls, which nobody could reach in a form that is switched off.
        yield Look(language, SafeString(html.replace('class="code"', 'class="code" data-plain')))


def _explorer(content: ItemContent, first: int) -> Explorer | None:
    numeric = content.numeric if isinstance(content, PredictItem) else content
    if not isinstance(numeric, NumericItem):
        return None
    seeds = tuple(explore(numeric.derivation, range(first, first + SEEDS)))
    rows = [
        SlipRow(
            _title(content, each.slip), letters(each.slip.wrong), tuple(Cell.of(seed.slips[place]) for seed in seeds)
        )
        for place, each in enumerate(seeds[0].slips)
    ]
    return Explorer(first, seeds, tuple(Cell(_numbers(seed.right)) for seed in seeds), tuple(rows))


def _numbers(cells: tuple[float, ...]) -> str:
    return "  ".join(f"{cell:g}".replace("-", "−") for cell in cells)


def _title(content: ItemContent, slip: Slip) -> Text:
    known = content.misconceptions.get(slip.slug)
    return known.title if known else Text(slip.slug, slip.slug)


def _chosen(request: HttpRequest, versions: tuple[ItemVersion, ...]) -> tuple[ItemVersion | None, ItemVersion]:
    """The two versions to compare: those that the address names, or else the last two."""
    by_number = {str(version.number): version for version in versions}
    newer = by_number.get(request.GET.get("newer", ""), versions[0])
    before = next((version for version in versions if version.number < newer.number), None)
    return by_number.get(request.GET.get("older", ""), before), newer


def _differences(older: ItemVersion | None, newer: ItemVersion) -> Iterator[DiffLine]:
    return iter(()) if older is None else version_differences(older, newer)
