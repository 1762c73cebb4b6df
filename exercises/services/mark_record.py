"""Store a mark and let it stand. Used inside the transactions of other services."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import Q

from exercises.enums import MarkedBy
from exercises.models import KeptBack, Mark, MisconceptionSighting, Submission
from exercises.queries.terms import is_withheld
from exercises.services.news_tell import news_tell
from exercises.services.storable import storable_json
from grader.marking.mark import Mark as Marking
from grader.marking.text import Text


def mark_record_auto(*, submission: Submission, marking: Marking) -> Mark:
    """The automatic mark of a submission, with all that explains it."""
    mark = Mark.objects.create(
        submission=submission,
        by=MarkedBy.AUTO,
        verdict=marking.verdict,
        score=marking.score,
        max_score=marking.max_score,
        feedback=storable_json(marking.to_json()),
        misconceptions=list(marking.misconceptions),
    )
    titles = {found.slug: found.title for found in marking.findings if found.is_misconception}
    mark_stand(submission=submission, mark=mark, titles=titles)
    return mark


def mark_stand(*, submission: Submission, mark: Mark | None, titles: Mapping[str, Text]) -> None:
    """Make this the mark that counts, or none, and the misconceptions it names the ones that the board shows."""
    submission.standing_mark = mark
    submission.save(update_fields=["standing_mark"])
    MisconceptionSighting.objects.filter(submission=submission).delete()
    MisconceptionSighting.objects.bulk_create(_sightings(submission, titles))
    if mark is not None and mark.by != MarkedBy.AUTO:
        _tell(submission, mark)


def _tell(submission: Submission, mark: Mark) -> None:
    """What is kept back is no news yet, and a light that leads to nothing would tell of it."""
    if is_withheld(submission.attempt):
        KeptBack.objects.get_or_create(mark=mark)
    else:
        news_tell(Q(pk=submission.attempt.enrollment.user_id))


def _sightings(submission: Submission, titles: Mapping[str, Text]) -> Iterable[MisconceptionSighting]:
    for slug, title in titles.items():
        yield MisconceptionSighting(submission=submission, slug=slug, title=title.to_json())
