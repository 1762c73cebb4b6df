"""The mutation gate: every reference program of the content goes through the real sandbox and must get its own name.

A program stands in content/<course>/reference/<item>/ and says in its first line what must be found: "# expect: correct",
the slug of a misconception, or that of another finding such as code_shape. Right ones earn full marks, wrong ones less.
What it gets may not depend on the numbers that are drawn, so each is tried on several draws.
Besides, every slip of an item is tried as if a program returned what it gives.

This is the one part of the gate that opens the sandbox, so it is a process of its own: `python -m grader.gate FOLDER…`.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.bank import ContentError, CurriculumSource, read_content
from grader.gate.program_report import RIGHT, ProgramReport, TriedProgram
from grader.gate.report import Refusal, describe
from grader.grading import Graded, grade_code
from grader.grading.grade import plan_of
from grader.marking.code import Outcomes, judge_code
from grader.marking.code_cases import DrawnCase, DrawnCases, SlipKey
from grader.marking.code_outcomes import Outcome, Raised, Returned
from grader.marking.items import CodeItem, ItemKind
from grader.sandbox import Sandbox, SandboxUnavailable, minimum_tier_from

EXPECT = "# expect: "
# Any seeds will do; the same ones for all keep the page of programs as it is.
SEED, *OTHER_SEEDS = (2026, 7, 1913)

Definitions = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class ReferenceProgram:
    """A program of the content, the item that it answers, and what it says must be found; empty where it says nothing."""

    item: str
    path: Path
    code: str

    @property
    def expected(self) -> str:
        """What its first line declares."""
        first_line = self.code.partition("\n")[0]
        return first_line.removeprefix(EXPECT).strip() if first_line.startswith(EXPECT) else ""

    @property
    def idea(self) -> str:
        """What it does, in the words of its functions' docstrings; nothing where Python cannot read it."""
        try:
            functions = [node for node in ast.parse(self.code).body if isinstance(node, ast.FunctionDef)]
        except SyntaxError:
            return ""
        return " ".join(doc for doc in map(ast.get_docstring, functions) if doc)


# A program, what it came to, and why it is refused.
Result = tuple[ReferenceProgram, TriedProgram, str]


def check_programs(*directories: Path) -> ProgramReport:
    """Try all programs of the content folders. Folders that cannot be read are refused elsewhere, with the reason."""
    try:
        curriculums = read_content(*directories)
    except ContentError:
        return ProgramReport()
    report = ProgramReport()
    for curriculum in curriculums:
        report = report.joined(_check_curriculum(curriculum))
    return report


def _check_curriculum(curriculum: CurriculumSource) -> ProgramReport:
    definitions = {
        item.slug: item.definition
        for lesson in curriculum.lessons
        for item in lesson.items
        if item.kind is ItemKind.CODE
    }
    programs = reference_programs(curriculum.folder)
    slips = {slug: tried_slips(definition) for slug, definition in definitions.items()}
    refusals = [*_misplaced(programs, definitions), *_passing(curriculum.folder, slips)]
    tried, unavailable = _run(programs, definitions)
    refusals += [_refuse(program, reason) for program, _, reason in tried if reason]
    counts = {slug: len(found) for slug, found in slips.items()}
    return ProgramReport(tuple(one for _, one, _ in tried), counts, tuple(refusals), unavailable)


def _run(programs: tuple[ReferenceProgram, ...], definitions: Definitions) -> tuple[list[Result], str]:
    """What each program that can be run came to, in one warm sandbox; or why the sandbox does not stand."""
    runnable = [program for program in programs if program.item in definitions and program.expected]
    try:
        jail = Sandbox(minimum_tier=minimum_tier_from(os.environ))
    except SandboxUnavailable as unavailable:
        return [], str(unavailable)
    try:
        return [(program, *_try(definitions[program.item], program, jail)) for program in runnable], ""
    finally:
        jail.close()


def reference_programs(directory: Path) -> tuple[ReferenceProgram, ...]:
    """Every program of a content folder, or of a course, in the order of their paths."""
    return tuple(
        ReferenceProgram(path.parent.name, path, path.read_text(encoding="utf-8"))
        for path in sorted(directory.glob("**/reference/*/*.py"))
    )


def _try(definition: Mapping[str, Any], program: ReferenceProgram, jail: Sandbox) -> tuple[TriedProgram, str]:
    """What the program came to on the first draw, and why it is refused, be it for what it came to on another."""
    first, *others = [try_program(definition, program, jail, seed) for seed in (SEED, *OTHER_SEEDS)]
    changed = next((other for other in others if other != first), None)
    told = f"other hidden numbers change it: found {changed.found}, {changed.credit}" if changed else ""
    return first, judge_program(program, first) or told


def try_program(definition: Mapping[str, Any], program: ReferenceProgram, jail: Sandbox, seed: int) -> TriedProgram:
    """Grade the program as a learner's submission is graded."""
    graded = grade_code(definition, seed, program.code, jail)
    mark = graded.mark
    return TriedProgram(
        item=program.item,
        name=program.path.name,
        idea=program.idea,
        found=_found(graded),
        score=str(mark.score if mark else 0),
        max_score=str(mark.max_score if mark else definition["max_score"]),
    )


def _found(graded: Graded) -> str:
    """The name of what its author is told first."""
    if graded.mark is None:
        return graded.failure or "nothing"
    return graded.mark.findings[0].slug if graded.mark.findings else RIGHT


def judge_program(program: ReferenceProgram, tried: TriedProgram) -> str:
    """Why the program is refused; empty where it got the name and the credit that it should."""
    told = f"found {tried.found}, {tried.credit}"
    if tried.found != program.expected:
        return f"expected {program.expected}, {told}"
    is_full = tried.score == tried.max_score
    if is_full != (program.expected == RIGHT):
        return f"a right program earns full marks and a wrong one less, {told}"
    return ""


def tried_slips(definition: Mapping[str, Any]) -> dict[str, bool]:
    """Every slip that some counted call can show, and whether a program that makes it everywhere would pass."""
    plan = plan_of(definition)
    drawn = plan.draw(SEED)
    counted = (*drawn.visible, *drawn.hidden)
    shown = {key: slip for case in counted for key, slip in case.slips.items() if case.shows(key)}
    return {describe(slip): _passes(plan.item, drawn, key) for key, slip in shown.items()}


def _passes(item: CodeItem, drawn: DrawnCases, key: SlipKey) -> bool:
    outcomes = [_returns(case, key) for case in drawn.in_order]
    judgement = judge_code(item, drawn, Outcomes(outcomes, example=_example(item, drawn)))
    return judgement.score == item.max_score


def _returns(case: DrawnCase, key: SlipKey) -> Outcome:
    result = case.making(key)
    return Raised("ValueError", "", None) if result is None else Returned(result)


def _example(item: CodeItem, drawn: DrawnCases) -> Outcome:
    """A failing case that is right, so that nothing but the slip can cost credit."""
    if item.bug is None:
        return None
    telling = next(case for case in drawn.in_order if case.shows(item.bug.slip.key))
    return Returned(tuple(telling.givens[name] for name in item.parameters), kind="tuple")


def _misplaced(programs: tuple[ReferenceProgram, ...], definitions: Definitions) -> Iterator[Refusal]:
    for program in programs:
        if program.item not in definitions:
            yield _refuse(
                program, f"there is no code item {program.item!r}; there are {', '.join(sorted(definitions))}"
            )
        elif not program.expected:
            yield _refuse(program, f"the first line must say what is to be found, such as {EXPECT}{RIGHT}")
    tried = {program.item for program in programs}
    for slug in sorted(set(definitions) - tried) if programs else ():
        reason = "other code items have programs, right_*.py and wrong_*.py, that try them; this one has none"
        yield Refusal(Path("reference") / slug, 0, "", reason)


def _passing(directory: Path, slips: Mapping[str, Mapping[str, bool]]) -> Iterator[Refusal]:
    for slug, tried in slips.items():
        for slip, passes in tried.items():
            if passes:
                yield Refusal(directory, 0, slug, f"a program that makes the slip {slip} would earn full marks")


def _refuse(program: ReferenceProgram, reason: str) -> Refusal:
    return Refusal(program.path, 1, "expect", reason)
