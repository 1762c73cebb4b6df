"""The words and the icon for each closed set that the result of a program shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_lazy as _

from exercises.queries.run_view import RunStage
from exercises.web.words import Sign, Words
from grader.marking.properties import Property
from grader.marking.run_report import CaseState

CASES: Final[Mapping[CaseState, Sign]] = {
    CaseState.RIGHT: Sign("right", _("passed"), "check"),
    CaseState.WRONG: Sign("wrong", _("failed"), "cross"),
    CaseState.RAISED: Sign("wrong", _("raised an error"), "alert"),
    CaseState.NOT_REACHED: Sign("blank", _("not reached"), "open"),
}
PROPERTIES: Final[Mapping[Property, Words]] = {
    Property.VALUES: _("Numbers"),
    Property.SHAPES: _("Every promised shape"),
    Property.STABILITY: _("Extreme numbers"),
    Property.INPUTS: _("Whole numbers or float32 as input, and no input changed"),
    Property.WORK: _("What is kept for the next call"),
    Property.EXAMPLE: _("Your failing case"),
}
# What a function handed back, by the beginning of the sandbox's name for it.
KINDS_BACK: Final[Mapping[str, Words]] = {
    "tuple": _("a tuple of %(count)s things"),
    "list": _("a list of %(count)s arrays"),
    "uneven": _("lists of different lengths"),
}
RUN_STAGES: Final[Mapping[RunStage, Sign]] = {
    RunStage.QUEUED: Sign("waiting", _("Your run is waiting for its turn."), "clock"),
    RunStage.RUNNING: Sign("waiting", _("Your code is running."), "clock"),
    RunStage.DONE: Sign("done", _("Run, and not counted."), "info"),
    RunStage.FAILED: Sign(
        "trouble", _("Something went wrong on our side, so this did not run. Run it again in a moment."), "alert"
    ),
    RunStage.LOST: Sign(
        "trouble", _("The run did not come back. Run it again; Submit works all the same and waits its turn."), "alert"
    ),
}
