"""The forms of assignments, grades and terms. Times are those of the course: its zone is the current one meanwhile."""

from __future__ import annotations

from dataclasses import asdict
from decimal import Decimal
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from exercises.enums import LateUnit, Release, TriesCount
from exercises.models import Assignment
from exercises.services.assignment_set import AssignmentSettings, settings_of

LONGEST_REASON: Final = 200
WHEN: Final = "%Y-%m-%dT%H:%M"


class MomentField(forms.DateTimeField):
    """Day and minute, by the browser's own picker."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            input_formats=[WHEN, "%Y-%m-%d %H:%M"],
            widget=forms.DateTimeInput(format=WHEN, attrs={"type": "datetime-local"}),
            **options,
        )


class PercentField(forms.CharField):
    """Whole percentages, apart by commas or spaces."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            required=False, max_length=300, widget=forms.TextInput(attrs={"inputmode": "numeric"}), **options
        )

    def prepare_value(self, value: Any) -> Any:  # noqa: ANN401 -- as Django has it
        """As it is typed."""
        return ", ".join(str(each) for each in value) if isinstance(value, list | tuple) else value

    def clean(self, value: Any) -> Any:  # noqa: ANN401 -- as Django has it
        """The numbers."""
        text = str(super().clean(value) or "")
        for sign in "，、；;%％":
            text = text.replace(sign, " ")
        words = text.replace(",", " ").split()
        if not all(word.isascii() and word.isdecimal() for word in words):
            raise forms.ValidationError(_("Whole percentages, such as 10, 20, 30."))
        return tuple(int(word) for word in words)


class AssignmentForm(forms.Form):
    """All that is set of an assignment; what is left empty is as usual."""

    opens_at = MomentField(label=_("Opens"), required=False)
    due_at = MomentField(label=_("Due"), required=False)
    closes_at = MomentField(
        label=_("Closes"),
        required=False,
        help_text=_("Nothing is taken after it. Leave it empty and let lateness cost 100 % to let practice go on."),
    )
    late_steps = PercentField(
        label=_("Lateness takes (%)"),
        help_text=_("From what a late answer adds, for each day or hour that has begun; the last one goes on."),
    )
    late_unit = forms.ChoiceField(label=_("for each"), choices=LateUnit.choices, initial=LateUnit.DAY)
    late_floor = forms.IntegerField(label=_("and leaves at least (%)"), min_value=0, max_value=100, required=False)
    weight = forms.DecimalField(
        label=_("Weight in the total"),
        required=False,
        min_value=Decimal(0),
        max_digits=7,
        decimal_places=3,
        help_text=_("What it counts in the total. Empty: its points."),
    )
    tries = forms.IntegerField(
        label=_("Tries"), required=False, min_value=1, max_value=100, help_text=_("Empty: what each exercise says.")
    )
    penalties = PercentField(
        label=_("Tries cost (%)"),
        help_text=_(
            "What the first, second, … try loses of what it adds, such as 0, 10, 25. Empty: as each exercise says."
        ),
    )
    counts = forms.ChoiceField(
        label=_("Of several tries"), choices=[("", _("As each exercise says")), *TriesCount.choices], required=False
    )
    feedback = forms.ChoiceField(label=_("Marks are shown"), choices=Release.choices, initial=Release.AT_ONCE)
    solution = forms.ChoiceField(label=_("Solutions are shown"), choices=Release.choices, initial=Release.AT_ONCE)

    def __init__(self, data: QueryDict | None = None, *, row: Assignment | None) -> None:
        super().__init__(data, initial=asdict(settings_of(row)))

    def settings(self) -> AssignmentSettings:
        """What was typed."""
        told = self.cleaned_data
        return AssignmentSettings(**{**told, "late_floor": told["late_floor"] or 0})


class NewAssignmentForm(forms.Form):
    """Items that are taken out of their lessons."""

    title_zh = forms.CharField(label=_("Title in Chinese"), max_length=120)
    title_en = forms.CharField(label=_("Title in English"), max_length=120)
    items = forms.MultipleChoiceField(label=_("Exercises"), widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, choices: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["items"].choices = choices  # type: ignore[attr-defined]  # a MultipleChoiceField, declared above


class ExtensionForm(forms.Form):
    """More time for all who bear a label."""

    label = forms.ChoiceField(label=_("Label"))
    due_at = MomentField(label=_("New due date"))
    reason = forms.CharField(label=_("Reason"), max_length=LONGEST_REASON)

    def __init__(self, *args: Any, choices: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["label"].choices = choices  # type: ignore[attr-defined]  # a ChoiceField, declared above


class StudentExtensionForm(forms.Form):
    """More time for one student, for one of the assignments that have a due date."""

    assignment = forms.ChoiceField(label=_("Assignment"))
    due_at = MomentField(label=_("New due date"))
    reason = forms.CharField(label=_("Reason"), max_length=LONGEST_REASON)

    def __init__(self, *args: Any, choices: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["assignment"].choices = choices  # type: ignore[attr-defined]  # a ChoiceField, declared above


class DecisionForm(forms.Form):
    """What is decided about one student's assignment: points, more time, or that it does not count."""

    score = forms.DecimalField(label=_("Points"), required=False, max_digits=7, decimal_places=3)
    due_at = MomentField(label=_("New due date"), required=False)
    reason = forms.CharField(label=_("Reason"), max_length=LONGEST_REASON)

    def __init__(self, *args: Any, act: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        needed = {"override": "score", "extend": "due_at"}.get(act)
        if needed:
            self.fields[needed].required = True


class SheetForm(forms.Form):
    """A score sheet to be read."""

    sheet = forms.FileField(label=_("CSV file"), help_text=_("UTF-8 or GB18030, at most 2 MB."))


class LayoutForm(forms.Form):
    """Columns of a score sheet of one's own."""

    name = forms.CharField(label=_("Name of these columns"), max_length=60)
    columns = forms.CharField(
        label=_("Columns"),
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 7, "spellcheck": "false"}),
        help_text=_("One a line: heading = field."),
    )


class CopyForm(forms.Form):
    """The course of a new term."""

    slug = forms.SlugField(
        label=_("Address of the new course"), max_length=50, help_text=_("Small letters, digits and hyphens.")
    )
    title_zh = forms.CharField(label=_("Title in Chinese"), max_length=120)
    title_en = forms.CharField(label=_("Title in English"), max_length=120)
    days = forms.IntegerField(
        label=_("Move all dates by (days)"),
        min_value=-3660,
        max_value=3660,
        help_text=_("364 keeps the day of the week."),
    )
