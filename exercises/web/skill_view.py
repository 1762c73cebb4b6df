"""A skill as its page shows it: what speaks for it, and what is still asked for."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from exercises.queries.skills import SUCCESSES_TO_MASTER, Evidence, SkillStanding
from exercises.web.course_view import SKILL_STATES
from exercises.web.words import Sign

SHOWN_EVIDENCE = 12
_RIGHT = Sign("right", gettext_lazy("right at the first try"), "check")
_RIGHT_AGAIN = Sign("right", gettext_lazy("right again, asked the same on the same day"), "check")
_WITH_HINT = Sign("tried", gettext_lazy("right, after a hint"), "part")
_MISSED = Sign("tried", gettext_lazy("not right at the first try"), "open")


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """One first answer, with the sign of how it went."""

    evidence: Evidence
    sign: Sign


@dataclass(frozen=True, slots=True)
class SkillView:
    """One skill; the newest evidence comes first, and `earlier` counts what is left out."""

    skill: SkillStanding
    sign: Sign
    explanation: str
    lines: tuple[EvidenceLine, ...]
    earlier: int


def skill_view(skill: SkillStanding) -> SkillView:
    """Lay out one skill."""
    newest = skill.evidence[::-1]
    return SkillView(
        skill=skill,
        sign=SKILL_STATES[skill.state],
        explanation=_explanation(skill),
        lines=tuple(EvidenceLine(each, _sign(each)) for each in newest[:SHOWN_EVIDENCE]),
        earlier=len(newest[SHOWN_EVIDENCE:]),
    )


def _sign(evidence: Evidence) -> Sign:
    if not evidence.is_right:
        return _MISSED
    if evidence.had_hint:
        return _WITH_HINT
    return _RIGHT if evidence.is_counted else _RIGHT_AGAIN


def _explanation(skill: SkillStanding) -> str:
    """Why the skill is where it is, in one sentence."""
    if not skill.evidence:
        return _("Nothing has been sent for it yet.")
    if skill.is_mastered:
        return _("Right at the first try on different numbers, on more than one day: this is yours.")
    left = SUCCESSES_TO_MASTER - skill.successes
    if left > 0:
        asked = ngettext(
            "Another %(count)d right first answer without a hint makes it yours.",
            "Another %(count)d right first answers without a hint make it yours.",
            left,
        )
        return asked % {"count": left}
    if not skill.has_later_day:
        return _("Enough right first answers for today: one on another day makes it yours.")
    return _("The latest answer was not right: the next right one makes it yours again.")
