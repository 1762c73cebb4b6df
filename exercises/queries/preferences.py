"""How a reader likes the pages: what the account says beats what a cookie says; what neither says is not chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser

from exercises.enums import PREFERENCES, Convention, Editor, Theme
from exercises.models import User
from grader.marking.items import Convention as Layout


@dataclass(frozen=True, slots=True)
class Preferences:
    """The choices of a reader; an empty one was not made."""

    language: str = ""
    theme: str = ""
    convention: str = ""
    editor: str = ""
    digest: str = ""

    @property
    def layout(self) -> Layout | None:
        """Rows or columns for every formula; None leaves it to each lesson."""
        return Layout(self.convention) if self.convention in {Convention.ROW, Convention.COLUMN} else None

    @property
    def forced_theme(self) -> str:
        """The theme of a reader who does not follow the system."""
        return self.theme if self.theme != Theme.SYSTEM else ""

    @property
    def is_plain_editor(self) -> bool:
        """Whether code boxes are left as browsers make them."""
        return self.editor == Editor.PLAIN


def preferences(user: User | AnonymousUser | None, cookies: Mapping[str, str]) -> Preferences:
    """The choices of somebody, signed in or not."""
    return Preferences(**{name: _chosen(name, user, cookies) for name in PREFERENCES})


def _chosen(name: str, user: User | AnonymousUser | None, cookies: Mapping[str, str]) -> str:
    said = getattr(user, name, "") or cookies.get(name, "")
    return said if said in PREFERENCES[name].values else ""
