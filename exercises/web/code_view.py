"""What came of a program, laid out for the page: failures first, and the smallest of them whole."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from exercises.web.code_words import CASES, KINDS_BACK, PROPERTIES
from exercises.web.words import Sign, Words
from grader.derivation.typeset import plain_symbol
from grader.marking.properties import CaseGroup, Property
from grader.marking.run_report import ArrayReport, CaseReport, CaseState, PropertyReport, RunReport

MATRIX = 2
SEVERAL = re.compile(r"(tuple|list) of (\d+)")
FAILED = frozenset({CaseState.WRONG, CaseState.RAISED})
# The worst first, what went well last.
ORDER = (CaseState.RAISED, CaseState.WRONG, CaseState.NOT_REACHED, CaseState.RIGHT)


@dataclass(frozen=True, slots=True)
class CellView:
    """One number of an array."""

    text: str
    is_first_difference: bool


@dataclass(frozen=True, slots=True)
class BlockView:
    """One matrix of an array; `index` says which of several, counted from 1."""

    index: str
    rows: tuple[tuple[CellView, ...], ...]


@dataclass(frozen=True, slots=True)
class ArrayView:
    """An array: its name, shape and kind, and its matrices unless there are too many numbers."""

    name: str
    shape: str
    dtype: str
    blocks: tuple[BlockView, ...]

    @property
    def is_none(self) -> bool:
        """Whether it is Python's None."""
        return self.dtype == "None"

    @property
    def is_empty(self) -> bool:
        """Whether the array holds no number at all."""
        return not self.blocks and "0" in self.shape.strip("()").replace(" ", "").split(",")

    @property
    def is_too_large(self) -> bool:
        """Whether its numbers are left out."""
        return not self.blocks and not self.is_none and not self.is_empty


@dataclass(frozen=True, slots=True)
class PairView:
    """What was expected beside what came back; `got` is None where no array did."""

    expected: ArrayView
    got: ArrayView | None

    @property
    def same_shape(self) -> bool:
        """Whether the shapes agree."""
        return self.got is not None and self.got.shape == self.expected.shape

    @property
    def same_dtype(self) -> bool:
        """Whether the kinds of numbers agree."""
        return self.got is not None and self.got.dtype == self.expected.dtype


@dataclass(frozen=True, slots=True)
class CaseView:
    """One call, with all that may be shown of it."""

    report: CaseReport
    sign: Sign
    about: Words
    given: tuple[ArrayView, ...]
    pairs: tuple[PairView, ...]

    @property
    def is_failure(self) -> bool:
        """Whether there is something to explain."""
        return self.report.state in FAILED

    @property
    def came_back(self) -> Words:
        """What came back where arrays were asked; "" where they did, or where nothing came back at all."""
        kind = self.report.error if self.report.state is CaseState.WRONG else ""
        several = SEVERAL.fullmatch(kind)
        if several:
            return KINDS_BACK[several[1]] % {"count": several[2]}
        return KINDS_BACK["uneven"] if kind.startswith("uneven") else kind.replace("NoneType", "None")

    @property
    def place(self) -> str:
        """Where the first differing cell stands; rows and columns count from 1, as the formula beside it does."""
        difference = self.report.difference
        if difference is None or not difference.cell:
            return plain_symbol(difference.name) if difference else ""
        words = {
            1: _("%(name)s, number %(column)d"),
            MATRIX: _("%(name)s, row %(row)d, column %(column)d"),
        }.get(len(difference.cell), _("%(name)s, block %(block)s, row %(row)d, column %(column)d"))
        return words % {"name": plain_symbol(difference.name), **_counted(difference.cell)}

    @property
    def index(self) -> str:
        """The same cell as Python writes it, such as out[0, 1]."""
        difference = self.report.difference
        return f"{plain_symbol(difference.name)}{list(difference.cell)}" if difference and difference.cell else ""


@dataclass(frozen=True, slots=True)
class HiddenView:
    """Hidden cases that ended alike: what they were about, and how many of them there are."""

    sign: Sign
    kinds: tuple[tuple[Words, int], ...]
    count: int


@dataclass(frozen=True, slots=True)
class CreditView:
    """What one property earned."""

    report: PropertyReport
    sign: Sign
    about: Words

    @property
    def has_cases(self) -> bool:
        """Whether cases of its own try it: kept work is looked at in all of them, an example is the learner's."""
        return self.report.property not in {Property.WORK, Property.EXAMPLE} and self.report.total > 0


@dataclass(frozen=True, slots=True)
class CodeRunView:
    """A whole run as the page shows it."""

    report: RunReport
    smallest: CaseView | None
    visible: tuple[CaseView, ...]
    hidden: tuple[HiddenView, ...]
    credits: tuple[CreditView, ...]
    passed: int
    total: int


def code_run_view(report: RunReport) -> CodeRunView:
    """Lay out a run. Where no witness failed, the first visible case that did is shown whole in its place."""
    visible = tuple(_case(case) for case in report.cases if case.group is CaseGroup.VISIBLE)
    smallest = _case(report.smallest) if report.smallest else next((case for case in visible if case.is_failure), None)
    return CodeRunView(
        report=report,
        smallest=smallest,
        visible=tuple(sorted(visible, key=lambda case: not case.is_failure)),
        hidden=tuple(_hidden([case for case in report.cases if case.group is CaseGroup.HIDDEN])),
        credits=tuple(_credit(each) for each in report.properties),
        passed=sum(case.state is CaseState.RIGHT for case in report.cases),
        total=len(report.cases),
    )


def in_short(run: CodeRunView) -> str:
    """What a run without a mark came to, for somebody who does not see the page."""
    found = [finding.title.in_language(get_language() or "zh-hans") for finding in run.report.findings]
    counts = {"passed": run.passed, "total": run.total}
    passed = ngettext("%(passed)d of %(total)d case passed", "%(passed)d of %(total)d cases passed", run.total) % counts
    return " ".join([*found, passed if run.total else run.report.result]).strip()


def _case(case: CaseReport) -> CaseView:
    return CaseView(
        report=case,
        sign=CASES[case.state],
        about=PROPERTIES[case.property],
        given=tuple(_array(array) for array in case.given),
        pairs=tuple(_pairs(case)),
    )


def _pairs(case: CaseReport) -> Iterator[PairView]:
    got = {array.name: array for array in case.got}
    for expected in case.expected:
        back = got.get(expected.name)
        cell = case.difference.cell if case.difference and case.difference.name == expected.name else None
        name = plain_symbol(expected.name)
        yield PairView(_array(expected, cell, name=name), _array(back, cell, name=name) if back else None)


def _array(array: ArrayReport, cell: tuple[int, ...] | None = None, *, name: str = "") -> ArrayView:
    """Arguments are called as the call calls them, results by the letter that the formula beside them has."""
    marked = array.index_of(cell) if cell is not None and len(cell) == len(array.shape) else None
    return ArrayView(name or array.name, array.shape_text, array.dtype, tuple(_blocks(array, marked)))


def _blocks(array: ArrayReport, marked: int | None) -> Iterator[BlockView]:
    start = 0
    for number, block in enumerate(array.blocks):
        rows = []
        for row in block:
            rows.append(tuple(CellView(text, start + place == marked) for place, text in enumerate(row)))
            start += len(row)
        yield BlockView(_index(array.shape, number), tuple(rows))


def _index(shape: Sequence[int], number: int) -> str:
    """Which matrix of several, such as "2, 1", counted from 1; nothing for the only one."""
    places: list[int] = []
    for size in reversed(shape[:-2]):
        number, place = divmod(number, size)
        places.insert(0, place)
    return _from_one(places)


def _counted(cell: Sequence[int]) -> dict[str, object]:
    """Block, row and column of a cell, each counted from 1."""
    *block, row, column = (0, *cell) if len(cell) == 1 else cell
    return {"block": _from_one(block), "row": row + 1, "column": column + 1}


def _from_one(places: Sequence[int]) -> str:
    return ", ".join(str(place + 1) for place in places)


def _hidden(cases: Iterable[CaseReport]) -> Iterator[HiddenView]:
    kinds = Counter((case.state, case.property) for case in cases)
    for state in ORDER:
        mine = {about: kinds[state, about] for about in Property if kinds[state, about]}
        if mine:
            named = tuple((PROPERTIES[about], count) for about, count in mine.items())
            yield HiddenView(CASES[state], named, sum(mine.values()))


def _credit(report: PropertyReport) -> CreditView:
    if report.earned >= report.of > Decimal(0):
        sign = CASES[CaseState.RIGHT]
    else:
        sign = CASES[CaseState.NOT_REACHED if report.passed == report.total else CaseState.WRONG]
    return CreditView(report, sign, PROPERTIES[report.property])
