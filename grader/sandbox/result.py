"""What a run came to: its status, one outcome per case reached, and what was measured from outside."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from grader.sandbox.job import Frame, Value


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
    """An exception of the learner's code; the traceback holds the learner's own lines only.

    `arrays` tells the shapes of the arrays named in the failing line, such as "x (2, 3), W (4, 3)". Of a function that
    is missing, `message` lists what the code does define, one a line, methods as "Layer.project".
    """

    stage: FaultStage
    kind: str
    message: str
    line: int | None
    traceback: str
    arrays: str = ""


@dataclass(frozen=True, slots=True)
class Returned:
    """The call returned numbers, in the form that was asked for; `kind` is Python's name for what came back."""

    value: Value
    kind: str
    inputs_changed: bool

    @property
    def frame(self) -> Frame:
        """The one array that was asked for."""
        if not isinstance(self.value, Frame):
            raise TypeError("several arrays came back, not one")
        return self.value


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
    """The whole run. `outcomes` ends with the last case that the run reached; `limit` names the limit it broke.

    `stdout` is all that was printed; `printed` is the same in parts: while the code was loaded, then during each case.
    """

    status: RunStatus
    outcomes: tuple[CaseOutcome, ...] = ()
    stdout: str = ""
    printed: tuple[str, ...] = ()
    fault: Fault | None = None
    cpu_time: timedelta = timedelta()
    wall_time: timedelta = timedelta()
    memory_bytes: int = 0
    limit: str = ""
