from __future__ import annotations

from exercises.enums import Act
from exercises.models import AuditEntry
from exercises.services.audit_record import note


def test_an_entry_says_who_did_what_to_what_and_where(ines, ada, course, attempt):
    subject = attempt(ada, "by-hand")
    note(actor=ines, course=course, act=Act.WRITE_NOTE, subject=subject, detail={"before": "", "now": "late"})
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.course, entry.act) == (ines, course, Act.WRITE_NOTE)
    assert entry.subject == f"attempt:{subject.public_id}"
    assert entry.detail == {"before": "", "now": "late"}
    assert str(entry) == f"student.write_note attempt:{subject.public_id}"


def test_what_has_no_public_id_is_named_by_its_key(ines, course):
    assert note(actor=ines, course=course, act=Act.VIEW_AS, subject=course).subject == f"course:{course.pk}"


def test_an_entry_outlives_the_actor_and_the_course(ines, otto, other_course):
    note(actor=ines, course=other_course, act=Act.VIEW_AS, subject=otto)
    other_course.delete()
    ines.delete()
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.course, entry.subject) == (None, None, f"user:{otto.pk}")
