"""What a class has answered since an item was put before it: counts alone, no names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, QuerySet

from exercises.enums import GradingProgress, Role, Verdict
from exercises.models import ClassRound, Course, Enrollment, Item, Submission
from exercises.queries.definitions import item_content
from grader.marking.items import ChoiceItem, NumericItem, PredictItem
from grader.marking.items import Item as ItemContent
from grader.marking.text import Text

MOST_ANSWERS = 8
LONGEST_ANSWER = 120


@dataclass(frozen=True, slots=True)
class AnswerCount:
    """One answer, how many gave it, and how it was judged where it was. What was typed is no text of ours."""

    text: Text
    count: int
    verdict: Verdict | None
    is_typed: bool


@dataclass(frozen=True, slots=True)
class ClassCounts:
    """The counts of a round. Words, programs and drawn numbers differ from one to the other: of these only verdicts are counted."""

    students: int
    answered: int
    answers: tuple[AnswerCount, ...]
    others: int
    verdicts: Mapping[Verdict, int]
    misconceptions: tuple[tuple[Text, int], ...]


def current_round(course: Course, item: Item) -> ClassRound | None:
    """The latest round, if there was one."""
    return ClassRound.objects.filter(course=course, item=item).order_by("-started_at", "-pk").first()


def round_mark(found: ClassRound) -> str:
    """What changes whenever the counts of the round may: one small query, for pages that ask again and again."""
    seen = _submissions(found).aggregate(count=Count("pk"), newest=Max("pk"), mark=Max("standing_mark"))
    return f"{found.pk}-{found.stage}-{seen['count']}-{seen['newest']}-{seen['mark']}"


def class_counts(found: ClassRound) -> ClassCounts:
    """Each student's latest answer since the round began. Three queries."""
    rows = _submissions(found).order_by("created_at", "pk")
    latest = {
        enrollment: (response, verdict, named)
        for enrollment, response, verdict, named in rows.values_list(
            "attempt__enrollment_id", "raw_response", "standing_mark__verdict", "standing_mark__misconceptions"
        )
    }
    content = item_content(found.item.version)
    texts = [(_answer(content, response), verdict) for response, verdict, _ in latest.values()]
    counted = Counter(text for text, _ in texts if text is not None)
    judged = {text: Verdict(verdict) for text, verdict in texts if text is not None and verdict}
    shown = _options(content, counted) if isinstance(content, ChoiceItem) else counted.most_common(MOST_ANSWERS)
    named = Counter(slug for _, _, slugs in latest.values() for slug in slugs or ())
    verdicts = Counter(Verdict(verdict) for _, verdict in texts if verdict)
    return ClassCounts(
        students=Enrollment.objects.filter(course=found.course, role=Role.STUDENT).count(),
        answered=len(latest),
        answers=tuple(
            AnswerCount(text, count, judged.get(text), not isinstance(content, ChoiceItem)) for text, count in shown
        ),
        others=sum(counted.values()) - sum(count for _, count in shown),
        verdicts={verdict: verdicts[verdict] for verdict in Verdict},
        misconceptions=tuple(
            (content.misconceptions[slug].title, count)
            for slug, count in named.most_common()
            if slug in content.misconceptions
        ),
    )


def _submissions(found: ClassRound) -> QuerySet[Submission]:
    return Submission.objects.filter(
        attempt__enrollment__course=found.course_id,
        attempt__enrollment__role=Role.STUDENT,
        attempt__item=found.item_id,
        created_at__gte=found.started_at,
        counted=True,
    ).exclude(grading_progress=GradingProgress.FAILED)


def _options(content: ChoiceItem, counted: Mapping[Text, int]) -> Sequence[tuple[Text, int]]:
    """Where one option is chosen all of them stand there, in their own order; else the combinations that were chosen."""
    if content.multiple:
        return Counter(counted).most_common(MOST_ANSWERS)
    return [(option.text, counted.get(option.text, 0)) for option in content.options]


def _answer(content: ItemContent, response: Mapping[str, Any]) -> Text | None:
    """An answer in a line; None for words, programs, and numbers of which everybody has others."""
    if isinstance(content, NumericItem | PredictItem):
        return None
    if isinstance(content, ChoiceItem):
        chosen = [option.text for option in content.options if option.key in response.get("chosen", ())]
        return Text(" + ".join(each.zh_hans for each in chosen), " + ".join(each.en for each in chosen))
    fields = response.get("fields")
    if not isinstance(fields, Mapping):
        return None
    line = "; ".join(f"{name} = {_numbers(value)}" for name, value in fields.items())
    return Text(line[:LONGEST_ANSWER], line[:LONGEST_ANSWER])


def _numbers(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_numbers, value))}]"
    return " ".join(str(value).split())
