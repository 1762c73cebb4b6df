"""The forms of accounts and of the people of a course: what is asked, in whose words, and what is refused."""

from __future__ import annotations

from typing import Any, Final
from zoneinfo import available_timezones

from allauth.account.adapter import get_adapter
from django import forms
from django.contrib.auth.base_user import AbstractBaseUser
from django.utils.translation import gettext_lazy as _

from exercises.models import User

# What a person has typed a lot of; the rest of the world is in the list as well, further down.
NEAR_ZONES: Final = (
    "Asia/Shanghai",
    "Asia/Hong_Kong",
    "Asia/Taipei",
    "Asia/Singapore",
    "Asia/Tokyo",
    "Europe/London",
    "UTC",
)
LIFETIMES: Final = ((1, _("1 day")), (7, _("7 days")), (30, _("30 days")), (180, _("180 days")))


class PasswordForm(forms.Form):
    """A new password, twice, and consent to the privacy notice."""

    password1 = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("At least 8 characters, and none of those that everybody uses."),
    )
    password2 = forms.CharField(
        label=_("The password once more"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    consent = forms.BooleanField(
        error_messages={"required": _("Without your consent we may keep nothing about you.")},
    )

    def owner(self) -> AbstractBaseUser | None:
        """Whose password this will be: it must not be like their name."""
        return None

    def clean(self) -> dict[str, Any]:
        """Both the same, and no password that anybody would try first."""
        cleaned = super().clean() or {}
        first, second = cleaned.get("password1"), cleaned.get("password2")
        if first and second and first != second:
            self.add_error("password2", _("This is not the same as above."))
        elif first and second:
            try:
                get_adapter().clean_password(first, self.owner())
            except forms.ValidationError as error:
                self.add_error("password1", error)
        return cleaned


class SignUpForm(PasswordForm):
    """A new account for somebody who was invited."""

    username = forms.CharField(
        label=_("User name or student number"),
        min_length=3,
        max_length=32,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}),
        help_text=_("You sign in with it. Your instructor sees it."),
    )
    display_name = forms.CharField(
        label=_("Your name"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    field_order = ("username", "display_name", "password1", "password2", "consent")

    def clean_username(self) -> str:
        """Free, and made of signs that everybody can type. The beginnings of our own names are nobody's."""
        username = self.cleaned_data["username"]
        if username.lower().startswith(("guest-", "deleted-")):
            raise get_adapter().validation_error("username_taken")
        return str(get_adapter().clean_username(username))

    def owner(self) -> AbstractBaseUser | None:
        """Whoever is being made."""
        return User(
            username=self.cleaned_data.get("username", ""), display_name=self.cleaned_data.get("display_name", "")
        )


class ActivationForm(PasswordForm):
    """The slip of paper: a student number and a code."""

    username = forms.CharField(
        label=_("Student number"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}),
    )
    code = forms.CharField(
        label=_("Activation code"),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "characters", "spellcheck": "false"}
        ),
        help_text=_("From your instructor, such as K7QM-2XWD-9FTP. It works once."),
    )
    field_order = ("username", "code", "password1", "password2", "consent")

    def owner(self) -> AbstractBaseUser | None:
        """Whoever has the number."""
        return User(username=self.cleaned_data.get("username", ""))


class ConsentForm(forms.Form):
    """Consent alone, for an account that was made elsewhere or before the notice changed."""

    consent = forms.BooleanField(error_messages={"required": _("Without your consent we may keep nothing about you.")})


class DeleteForm(forms.Form):
    """The user name, typed once more: nobody deletes an account by a slip of the mouse."""

    username = forms.CharField(
        label=_("Type your user name"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_username(self) -> str:
        """The very name of the account."""
        if self.cleaned_data["username"] != self.user.username:
            raise forms.ValidationError(_("This is not your user name."))
        return self.user.username


class CourseCodeForm(forms.Form):
    """How long a code lives and how many may use it."""

    days = forms.TypedChoiceField(label=_("Good for"), choices=LIFETIMES, coerce=int, initial=7)
    most_uses = forms.IntegerField(label=_("For at most so many people"), min_value=1, max_value=5000, initial=60)


class RosterForm(forms.Form):
    """A list of student numbers."""

    people = forms.CharField(
        label=_("Student numbers, with or without a name"),
        strip=False,
        max_length=200_000,
        widget=forms.Textarea(attrs={"spellcheck": "false", "rows": 8}),
        help_text=_("One person a line, number first, as two columns of a spreadsheet are pasted."),
    )


class MemberForm(forms.Form):
    """What an instructor changes about one member."""

    role = forms.ChoiceField(label=_("Role"))
    labels = forms.CharField(
        label=_("Labels"),
        required=False,
        max_length=2000,
        help_text=_("Separated by commas, such as a class or a group."),
    )

    def __init__(self, *args: Any, roles: list[tuple[str, Any]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].choices = roles  # type: ignore[attr-defined]  # a ChoiceField, declared above

    def names(self) -> list[str]:
        """The labels apart, whichever comma was typed."""
        text = self.cleaned_data["labels"].replace("，", ",").replace("、", ",")
        return [part.strip() for part in text.split(",") if part.strip()]


class CourseForm(forms.Form):
    """What an instructor sets for a course."""

    time_zone = forms.ChoiceField(label=_("Time zone"), required=False)
    is_open = forms.BooleanField(label=_("Open: anybody may read and practise as a guest"), required=False)

    def __init__(self, *args: Any, site_zone: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rest = sorted(zone for zone in available_timezones() if "/" in zone and zone not in NEAR_ZONES)
        self.fields["time_zone"].choices = [  # type: ignore[attr-defined]  # a ChoiceField, declared above
            ("", _("As the site: %(zone)s") % {"zone": site_zone}),
            *((zone, zone.replace("_", " ")) for zone in (*NEAR_ZONES, *rest)),
        ]
