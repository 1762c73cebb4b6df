"""The pages of the instructors' desk, as tabs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from exercises.enums import Role

register = template.Library()


@dataclass(frozen=True, slots=True)
class Tab:
    """A page by the name of its address; some are not for assistants."""

    page: str
    words: str | Promise
    for_assistants: bool = True


@dataclass(frozen=True, slots=True)
class TabGroup:
    """Tabs about one thing."""

    name: str | Promise
    tabs: tuple[Tab, ...]


GROUPS: Final = (
    TabGroup(
        _("Class"),
        (
            Tab("overview", _("Overview")),
            Tab("progress", _("Progress")),
            Tab("gradebook", _("Grades")),
            Tab("inbox", _("Inbox")),
        ),
    ),
    TabGroup(
        _("Exercises"),
        (
            Tab("quick_checks", _("Quick checks")),
            Tab("misconceptions", _("Misconceptions")),
            Tab("item_analysis", _("Analysis")),
            Tab("bank", _("Item bank")),
        ),
    ),
    TabGroup(
        _("This course"),
        (
            Tab("course", _("Lessons")),
            Tab("people", _("People"), for_assistants=False),
            Tab("course_settings", _("Course settings"), for_assistants=False),
            Tab("log", _("What was done"), for_assistants=False),
        ),
    ),
)


@register.simple_tag
def desk_tabs(here: str, role: str) -> tuple[TabGroup, ...]:
    """The tabs that this role may open. Raises ValueError where a page names itself as none of them."""
    if not any(tab.page == here for group in GROUPS for tab in group.tabs):
        raise ValueError(f"no tab of the desk is called {here!r}")
    may_all = Role(role) == Role.INSTRUCTOR
    return tuple(
        TabGroup(group.name, tuple(tab for tab in group.tabs if may_all or tab.for_assistants)) for group in GROUPS
    )
