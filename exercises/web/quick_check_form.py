"""What the desk of quick checks reads from addresses and forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self
from uuid import UUID

from django.http import QueryDict

from exercises.web.requests import whole_number


class Show(StrEnum):
    """Which answers are on the desk."""

    OPEN = "open"
    SENT_BACK = "sent_back"
    MARKED = "marked"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class DeskChoice:
    """How the desk is laid out: it stands in the address, so that it can be kept and sent on."""

    show: Show = Show.OPEN
    has_names: bool = False
    is_grouped: bool = True
    page: int = 1

    @classmethod
    def of(cls, query: QueryDict) -> Self:
        """What the address says; anything else is the usual."""
        show, page = query.get("show", ""), query.get("page", "")
        return cls(
            show=Show(show) if show in set(Show) else Show.OPEN,
            has_names=query.get("names") == "shown",
            is_grouped=query.get("alike") != "apart",
            page=int(page) if page.isdecimal() and len(page) < 6 else 1,  # noqa: PLR2004 -- no desk has more pages
        )

    @property
    def fields(self) -> Sequence[tuple[str, str]]:
        """The same as fields of a form; the usual is not said."""
        said = {
            "show": "" if self.show is Show.OPEN else self.show,
            "names": "shown" if self.has_names else "",
            "alike": "" if self.is_grouped else "apart",
            "page": "" if self.page == 1 else str(self.page),
        }
        return [(name, value) for name, value in said.items() if value]

    @property
    def query(self) -> str:
        """The same as the part of an address after "?"."""
        return "&".join(f"{name}={value}" for name, value in self.fields)

    @property
    def others(self) -> Mapping[str, str]:
        """Where the switches lead: the same desk with one thing changed."""
        first = replace(self, page=1)
        return {
            **{show.value: replace(first, show=show).query for show in Show},
            "names": replace(self, has_names=not self.has_names).query,
            "alike": replace(first, is_grouped=not self.is_grouped).query,
            "before": replace(self, page=self.page - 1).query,
            "after": replace(self, page=self.page + 1).query,
        }


@dataclass(frozen=True, slots=True)
class MarkForm:
    """A filled-in card: for which answers, and with which mark they were read."""

    read_with: Mapping[UUID, int | None]
    criteria: tuple[str, ...]
    misconceptions: tuple[str, ...]
    comment: str
    stock: tuple[int, ...]
    is_kept: bool
    sends_back: bool
    back: DeskChoice
    next_card: UUID | None

    @classmethod
    def of(cls, posted: QueryDict) -> Self:
        """Read a form; an answer whose name is none is as good as not ticked."""
        return cls(
            read_with=dict(filter(None, map(_read_with, posted.getlist("answer")))),
            criteria=tuple(posted.getlist("met")),
            misconceptions=tuple(dict.fromkeys(filter(None, posted.getlist("misconception")))),
            comment=posted.get("comment", "").replace("\r\n", "\n"),
            stock=tuple(key for key in map(whole_number, posted.getlist("stock")) if key is not None),
            is_kept="keep" in posted,
            sends_back=posted.get("act") == "send_back",
            back=DeskChoice.of(QueryDict(posted.get("back", ""))),
            next_card=read_uuid(posted.get("next", "")),
        )


def read_uuid(text: str) -> UUID | None:
    """The id that a text is, if it is one."""
    try:
        return UUID(text)
    except ValueError:
        return None


def _read_with(name: str) -> tuple[UUID, int | None] | None:
    answer, _, mark = name.partition(":")
    found = read_uuid(answer)
    key = whole_number(mark)
    if found is None or (mark and key is None):
        return None
    return found, key
