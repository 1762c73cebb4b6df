"""Keep something in mind about a student."""

from __future__ import annotations

from django.db import transaction

from exercises.enums import Act
from exercises.models import Enrollment, StudentNote, User
from exercises.services.audit_record import note
from exercises.services.storable import storable_text

LONGEST_NOTE = 4_000


class NoteRefused(ValueError):  # noqa: N818 -- shown to the instructor
    """A note that says nothing, or more than is kept."""


@transaction.atomic
def note_write(*, author: User, student: Enrollment, text: str) -> StudentNote:
    """Add a note for all who teach the course. Raises NoteRefused."""
    words = storable_text(text.replace("\r\n", "\n")).strip()
    if not words or len(words) > LONGEST_NOTE:
        raise NoteRefused
    written = StudentNote.objects.create(enrollment=student, author=author, text=words)
    note(actor=author, course=student.course, act=Act.WRITE_NOTE, subject=written, detail={"student": student.pk})
    return written
