from __future__ import annotations

import pytest

from exercises.models import Enrollment, Label, Override
from exercises.services.grade_import import grade_import, grade_import_plan
from exercises.services.member_change import labels_set


def plan_of(teacher, cell):
    return grade_import_plan(instructor=teacher, content=f"学号,first\nada,{cell}\n".encode())


@pytest.mark.parametrize(
    ("cell", "after"), [("1", "1"), (" 1.50 ", "1.5"), ("１．５", "1.5"), ("1，5", "1.5"), (".5", "0.5"), ("2.", "2")]
)
def test_points_are_read_as_a_keyboard_or_an_input_method_writes_them(ada, ines, enrollment_of, cell, after):
    assert [change.after for change in plan_of(enrollment_of(ines), cell).changes] == [after]


@pytest.mark.parametrize(
    "cell", ["1_0", "1e0", "+1", "-1", "NaN", "Infinity", "1.0001", "7", "一", "1.1.1", "9" * 5000]
)
def test_what_is_no_number_of_points_is_a_fault_of_its_row(ada, ines, enrollment_of, cell):
    plan = plan_of(enrollment_of(ines), cell)
    assert (plan.changes, [fault.line for fault in plan.faults]) == ((), [2])


def test_plan_that_is_carried_out_twice_changes_once(ada, ines, enrollment_of):
    teacher = enrollment_of(ines)
    changes = plan_of(teacher, "1").changes
    done = [grade_import(instructor=teacher, changes=changes, reason="r") for _twice in range(2)]
    assert [(each.done, each.stale) for each in done] == [(1, 0), (0, 1)]
    assert Override.objects.count() == 1


def test_label_that_nobody_bears_any_more_keeps_its_extensions(ada, ines, course, enrollment_of):
    mine, teacher = enrollment_of(ada), enrollment_of(ines)
    labels_set(instructor=teacher, member=mine, names=["Resit"])
    labels_set(instructor=teacher, member=mine, names=[])
    assert (Label.objects.get().name, Enrollment.objects.get(user=ada).labels.count()) == ("Resit", 0)
