"""What a run came to: its status, one outcome per case reached, and what was measured from outside."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from grader.sandbox.job import Frame


class RunStatus(StrEnum):
    """How a run ended. When several hold, the gravest counts: the later in this list, the graver."""

    RETURNED = "returned"
    RAISED = "raised"
    CRASHED = "crashed"
    OUTPUT_LIMIT = "output_limit"
    MEMORY_LIMIT = "memory_limit"
    TIME_LIMIT = "time_limit"
    SECURITY_VIOLATION = "security_violation"
    INTERNAL_ERROR = "internal_error"


class FaultStage(StrEnum):
    """Where the learner's code went wrong."""

    SYNTAX = "syntax"
    LOAD = "load"
    CALL = "call"
    MISSING_FUNCTION = "missing_function"
    NOT_CALLABLE = "not_callable"


@dataclass(frozen=True, slots=True)
class Fault:
    """An exception of the learner's code; the traceback holds the learner's own lines only."""

    stage: FaultStage
    kind: str
    message: str
    line: int | None
    traceback: str


@dataclass(frozen=True, slots=True)
class Returned:
    """The call returned numbers."""

    frame: Frame
    inputs_changed: bool


@dataclass(frozen=True, slots=True)
class Raised:
    """The call ended in an exception."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class WrongKind:
    """The call returned something that is no numeric array of up to four dimensions, such as "NoneType"."""

    kind: str


CaseOutcome = Returned | Raised | WrongKind


@dataclass(frozen=True, slots=True)
class RunResult:
    """The whole run. `outcomes` ends with the last case that the run reached; `limit` names the limit it broke."""

    status: RunStatus
    outcomes: tuple[CaseOutcome, ...] = ()
    stdout: str = ""
    fault: Fault | None = None
    cpu_time: timedelta = timedelta()
    wall_time: timedelta = timedelta()
    memory_bytes: int = 0
    limit: str = ""
