"""`manage.py content_new`: begin a course, a lesson, an item or a misconception from a whole working example."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from grader.bank import ContentError, CurriculumSource, read_content
from grader.bank.new import Draft, new_course, new_item, new_lesson, new_misconception
from grader.marking.items import ItemKind


class Command(BaseCommand):
    """Writes what passes `content_check` as it stands, or nothing at all. Then the words are the author's to change."""

    help = "Write an example to begin from: course, lesson, item or misconception."

    def add_arguments(self, parser: CommandParser) -> None:
        """What to begin; the rest says where."""
        what = parser.add_subparsers(dest="what", required=True)
        course = what.add_parser("course", help="a course in a folder of its own")
        course.add_argument("slug")
        course.add_argument("--in", dest="folder", type=Path, required=True, help="a new or empty folder")
        lesson = what.add_parser("lesson", help="a lesson with one item, last in its course")
        lesson.add_argument("slug")
        item = what.add_parser("item", help="an item at the end of a lesson")
        item.add_argument("kind", choices=list(ItemKind))
        item.add_argument("slug")
        item.add_argument("--lesson", required=True)
        for parts in (lesson, item):
            parts.add_argument("--course", default="", help="needed where several could be meant")
        misconception = what.add_parser("misconception", help="a misconception, last in the last content folder")
        misconception.add_argument("slug")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 -- Django's signature
        """Draft, write, read everything again, and take back what cannot be read."""
        directories: list[Path] = list(settings.CONTENT_DIRS)
        try:
            draft = self._draft(directories, options)
            written = draft.write()
        except ContentError as error:
            raise CommandError(str(error)) from error
        if options["what"] == "course" and not _is_covered(options["folder"], directories):
            directories.append(options["folder"])
        try:
            read_content(*directories)
        except ContentError as error:
            written.take_back()
            raise CommandError(f"nothing was written: {error}") from error
        for path in draft.texts:
            self.stdout.write(f"written: {path}")
        if directories != list(settings.CONTENT_DIRS):
            self.stdout.write(f"to serve it: QKV_CONTENT_DIR={':'.join(map(str, directories))}")

    def _draft(self, directories: list[Path], options: dict[str, Any]) -> Draft:
        drafts: dict[str, Callable[[], Draft]] = {
            "course": lambda: new_course(options["folder"], options["slug"]),
            "lesson": lambda: new_lesson(_course(directories, options["course"]).folder, options["slug"]),
            "item": lambda: _item(directories, options),
            "misconception": lambda: new_misconception(directories[-1], options["slug"]),
        }
        return drafts[options["what"]]()


def _is_covered(folder: Path, directories: list[Path]) -> bool:
    """Whether the course of this folder is read already: as a content folder, or as a course in one."""
    return bool({folder.resolve(), folder.resolve().parent} & {directory.resolve() for directory in directories})


def _item(directories: list[Path], options: dict[str, Any]) -> Draft:
    named = options["course"] or _only_course_with(directories, options["lesson"])
    course = _course(directories, named)
    lessons = [lesson.slug for lesson in course.lessons]
    if options["lesson"] not in lessons:
        raise CommandError(f"{course.slug} has no lesson {options['lesson']!r}; it has {', '.join(lessons)}")
    return new_item(course.folder, options["lesson"], ItemKind(options["kind"]), options["slug"])


def _only_course_with(directories: list[Path], lesson: str) -> str:
    """The slug of the one course that has this lesson; empty where none has, or several have."""
    having = [course.slug for course in read_content(*directories) if lesson in {each.slug for each in course.lessons}]
    return having[0] if len(having) == 1 else ""


def _course(directories: list[Path], slug: str) -> CurriculumSource:
    """The course of that slug, or the only one."""
    courses = {course.slug: course for course in read_content(*directories)}
    if slug in courses:
        return courses[slug]
    if not slug and len(courses) == 1:
        return next(iter(courses.values()))
    unknown = f"there is no course {slug!r}; " if slug else ""
    raise CommandError(f"{unknown}name one of the courses with --course: {', '.join(courses)}")
