"""`manage.py synthetic_cohort`: simulated learners sit a course, or predict what real ones will do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from exercises.models import Course, Curriculum
from exercises.queries.repertoires import repertoires
from exercises.services.cohort_create import CourseHasPeople, cohort_create, cohort_remove
from grader.cohort.prediction import ItemPrediction, predict
from grader.cohort.repertoire import Repertoire

COURSE = "synthetic"


class Command(BaseCommand):
    """Nobody can sign in as a simulated learner, and none ever stands in a course with real students."""

    help = "Let simulated learners, who hold misconceptions, sit a course; or predict each item's figures by them."

    def add_arguments(self, parser: CommandParser) -> None:
        """How many, where, and what to do."""
        parser.add_argument("--students", type=int, default=200, help="how many learners (200)")
        parser.add_argument("--course", default=COURSE, help=f"slug of the course, made if there is none ({COURSE})")
        parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same answers (1)")
        parser.add_argument("--predict", action="store_true", help="store nothing; print what each item will show")
        parser.add_argument("--remove", action="store_true", help="delete the simulated learners and all their work")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 -- Django's signature
        """Remove, predict, or create."""
        slug = options["course"]
        if options["remove"]:
            self.stdout.write(f"simulated learners deleted: {cohort_remove(slug=slug)}")
            return
        curriculum = _curriculum(slug)
        known = repertoires(curriculum, settings.CONTENT_DIRS)
        if options["predict"]:
            self._print(predict(known, count=options["students"], seed=options["seed"]))
        else:
            self._create(curriculum, known, options)

    def _create(self, curriculum: Curriculum, known: Sequence[Repertoire], options: dict[str, Any]) -> None:
        slug, count = options["course"], options["students"]
        try:
            cohort_create(curriculum=curriculum, slug=slug, count=count, repertoires=known, seed=options["seed"])
        except CourseHasPeople as refusal:
            raise CommandError(f"{slug} has real students: simulated ones would be in their figures") from refusal
        self.stdout.write(f"course: {slug}, simulated learners added: {count}, items answered: {len(known)}")

    def _print(self, predictions: Sequence[ItemPrediction]) -> None:
        for each in predictions:
            discrimination = "-" if each.discrimination is None else f"{each.discrimination:.1f}"
            self.stdout.write(f"{each.slug}: facility {each.facility:.2f}, discrimination {discrimination}")
            for one in each.confusions:
                named = ", ".join(name.en for name in one.named) or ("right" if one.is_right else "unexplained")
                self.stdout.write(f"  {one.held.en} cannot be told from: {named}")


def _curriculum(slug: str) -> Curriculum:
    course = Course.objects.select_related("curriculum").filter(slug=slug).first()
    curriculum = course.curriculum if course else Curriculum.objects.filter(is_active=True).first()
    if curriculum is None:
        raise CommandError("There is no content yet: run `manage.py load_content` first.")
    return curriculum
