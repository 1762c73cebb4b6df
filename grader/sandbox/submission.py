"""The learner's code as a module: compiled, loaded, called; and its exceptions in words. Runs inside the jail."""

from __future__ import annotations

import io
import linecache
import re
import sys
import traceback
import types
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from grader.sandbox.result import Fault, FaultStage
from grader.sandbox.wire import MAX_ARRAYS_BYTES, MAX_KIND_BYTES, MAX_MESSAGE_BYTES, MAX_TRACEBACK_BYTES

MODULE_NAME: Final = "submission"
FILE_NAME: Final = "submission.py"
BYTE_ORDER_MARK: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"
MAX_FRAMES: Final = 12
WORD: Final = re.compile(r"[^\W\d]\w*")


class NotLoadedError(Exception):
    """There is no function to call."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Loaded:
    """The learner's functions by name, and whatever must stay alive so that no destructor runs before the end."""

    functions: Mapping[str, Callable[..., Any]]
    module: types.ModuleType


def load(code: str, names: Collection[str]) -> Loaded:
    """Run the code as a proper module and find the functions in it."""
    # Editors on Windows begin a file with this mark; Python would complain of an invisible character.
    text = code.removeprefix(BYTE_ORDER_MARK)
    linecache.cache[FILE_NAME] = (len(text), None, io.StringIO(text, newline=None).readlines(), FILE_NAME)
    try:
        program = compile(text, FILE_NAME, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError) as error:
        raise NotLoadedError(syntax_fault(error)) from None
    module = types.ModuleType(MODULE_NAME)
    module.__file__ = FILE_NAME
    # Dataclasses and others look their module up by name.
    sys.modules[MODULE_NAME] = module
    try:
        exec(program, module.__dict__)  # noqa: S102 -- this is what the jail is for
    except BaseException as error:  # noqa: BLE001 -- the edge of the learner's code
        raise NotLoadedError(fault_of(error, FaultStage.LOAD)) from None
    defined = module.__dict__
    for name in sorted(names):
        if name not in defined:
            known = _cut("\n".join(_names_in(defined)), MAX_MESSAGE_BYTES)
            raise NotLoadedError(Fault(FaultStage.MISSING_FUNCTION, name, known, None, ""))
        if not callable(defined[name]):
            kind = _cut(type(defined[name]).__name__, MAX_MESSAGE_BYTES)
            raise NotLoadedError(Fault(FaultStage.NOT_CALLABLE, name, kind, None, ""))
    return Loaded({name: defined[name] for name in names}, module)


def _names_in(defined: Mapping[str, object]) -> Iterator[str]:
    """The functions that a learner wrote, and the methods of a learner's classes."""
    for name, thing in list(defined.items()):
        if isinstance(thing, types.FunctionType) and thing.__module__ == MODULE_NAME:
            yield name
        elif isinstance(thing, type) and thing.__module__ == MODULE_NAME:
            for method, inner in list(vars(thing).items()):
                if isinstance(inner, (types.FunctionType, staticmethod, classmethod)):
                    yield f"{name}.{method}"


def forget() -> None:
    """Leave no trace of a module that was loaded to warm up."""
    sys.modules.pop(MODULE_NAME, None)
    linecache.cache.pop(FILE_NAME, None)


def syntax_fault(error: Exception) -> Fault:
    """Describe code that Python cannot read."""
    message, line, text = _message_of(error), None, ""
    if isinstance(error, SyntaxError):
        message, line, text = error.msg, error.lineno, "".join(traceback.format_exception_only(error))
    kind = type(error).__name__
    return Fault(FaultStage.SYNTAX, kind, _cut(message, MAX_MESSAGE_BYTES), line, _cut(text, MAX_TRACEBACK_BYTES))


def fault_of(error: BaseException, stage: FaultStage) -> Fault:
    """Describe an exception by the learner's own lines; those of libraries and of the harness are left out."""
    own = [
        traceback.FrameSummary(FILE_NAME, line, frame.f_code.co_name)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename == FILE_NAME
    ]
    kind, message = _cut(_kind_of(error), MAX_KIND_BYTES), _cut(_message_of(error), MAX_MESSAGE_BYTES)
    shown = traceback.StackSummary.from_list(own if len(own) <= MAX_FRAMES else [*own[:2], *own[2 - MAX_FRAMES :]])
    text = _cut("".join(shown.format()) + f"{kind}: {message}\n", MAX_TRACEBACK_BYTES)
    return Fault(stage, kind, message, own[-1].lineno if own else None, text, _arrays_of(error))


def _arrays_of(error: BaseException) -> str:
    """The shapes of the arrays that the failing line names."""
    frames = [step for step in traceback.walk_tb(error.__traceback__) if step[0].f_code.co_filename == FILE_NAME]
    if not frames:
        return ""
    frame, line = frames[-1]
    words = dict.fromkeys(WORD.findall(linecache.getline(FILE_NAME, line)))
    found = ((word, frame.f_locals.get(word, frame.f_globals.get(word))) for word in words)
    shapes = [f"{word} {value.shape}" for word, value in found if type(value) is np.ndarray]
    return _cut(", ".join(shapes), MAX_ARRAYS_BYTES)


def _kind_of(error: BaseException) -> str:
    # Numpy has one of its own, with a private name.
    if isinstance(error, MemoryError):
        return MemoryError.__name__
    return str(type.__dict__["__name__"].__get__(type(error)))


def _message_of(error: BaseException) -> str:
    try:
        return str.__str__(str(error))
    except BaseException:  # noqa: BLE001 -- the learner's __str__ may do anything
        return "(its text cannot be shown)"


def _cut(text: str, max_bytes: int) -> str:
    raw = text[:max_bytes].encode("utf-8", "backslashreplace")
    return raw[:max_bytes].decode("utf-8", "ignore")
