"""A program that calls whatever numpy offers with a little of everything, and tells how each call ended.

It is run in the jail and outside of it: what ends differently there, a learner may meet.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import io
import json
import sys
import types
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

MODULES = [
    "numpy",
    "numpy.linalg",
    "numpy.fft",
    "numpy.ma",
    "numpy.polynomial",
    "numpy.random",
    "numpy.char",
    "numpy.strings",
    "numpy.rec",
    "numpy.testing",
    "numpy.lib",
    "numpy.lib.stride_tricks",
    "numpy.lib.scimath",
    "numpy.exceptions",
    "numpy.dtypes",
    "numpy.typing",
]
# They read from the terminal, start programs, change how errors are told, or never end on some of these arguments.
LEFT_OUT = {
    "test", "show_config", "show_runtime", "info", "memmap", "setbufsize", "seterrcall", "seterr", "runstring", "rundocs",
    "measure", "run_threaded", "jiffies", "memusage", "check_support_sve", "tofile", "dump", "zipf", "RandomState", "set_state", "set_bit_generator",
}  # fmt: skip
# A whole number is a descriptor to these, and they close it.
FILES = {"fromfile", "load", "loadtxt", "genfromtxt", "save", "savetxt", "savez", "savez_compressed", "fromregex"}
TABLE = np.arange(1.0, 5).reshape(2, 2)
WORDS = np.array(["ab", "c"])
RECORD = np.array([(1, 2.0)], dtype=[("a", int), ("b", float)])
HOLDERS: tuple[Any, ...] = (
    TABLE, np.ma.masked_less(TABLE, 2), np.float64(1), np.int64(2), np.str_("a"), WORDS, np.random.default_rng(1),
    np.poly1d([1, 2]), np.polynomial.Polynomial([1, 2]), np.dtype("f8"), np.datetime64("2024-01-01"), np.add,
    np.asmatrix(TABLE), np.rec.array(RECORD), np.char.array(["a"]),
)  # fmt: skip


def arguments() -> list[tuple[Any, ...]]:
    """A little of everything, made anew for every function."""
    one, two = TABLE.copy(), TABLE.copy()
    return [
        (), (one,), (one, two), (one, 1), (one, two, two), (one, (0, 1)), (one, one[0]), (3,), (2, 2), ((2, 2),), (2.5,),
        ("a",), (WORDS,), (WORDS, "b"), (np.array([1, 2, 3]),), (np.array([1, 2, 3]), 1), ([True, False],),
        ([1, 2, 3], [1, 2, 3]), ([1.0, 2.0], [1.0, 2.0], 1), (np.ma.masked_less(one, 2),), (np.float32,), ("f8",),
        (abs, one), (np.datetime64("2024-01-01"),), (io.StringIO("1 2"),), (io.BytesIO(b"12"), one), (None,),
        (np.array([{}, 1], object),), (one + 1j,), (RECORD,), (np.dtype("f8"),), (RECORD.dtype,),
    ]  # fmt: skip


class Asked(importlib.abc.MetaPathFinder):
    """Notes what anybody tries to import."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:  # noqa: ARG002
        self.names.add(fullname)


def things() -> Iterator[tuple[str, Any]]:
    """Everything public that can be called, by name."""
    for module in map(importlib.import_module, MODULES):
        for name in sorted(vars(module)):
            yield f"{module.__name__}.{name}", vars(module)[name]
    for holder in HOLDERS:
        for name in dir(holder):
            with contextlib.suppress(AttributeError, ValueError):
                yield f"{type(holder).__name__}.{name}", getattr(holder, name)


def end_of(thing: Any, given: tuple[Any, ...]) -> str:
    """How a call ended: well, or by which kind of error."""
    try:
        repr(thing(*given))
    except BaseException as error:  # noqa: BLE001 -- anything may come of this
        kinds = {type(error).__name__}
        # An error of import may be what is behind another.
        while (before := error.__cause__ or error.__context__) is not None:
            error = before
            kinds |= {type(error).__name__} & {"ImportError", "ModuleNotFoundError"}
        return " ".join(sorted(kinds))
    return "well"


def everything(x: object) -> object:
    """Call it all, and print what came of it."""
    asked, ends = Asked(), {}
    sys.meta_path.insert(0, asked)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        for name, thing in things():
            last = name.rpartition(".")[2]
            if last in LEFT_OUT or last.startswith("_") or isinstance(thing, types.ModuleType) or not callable(thing):
                continue
            ends[name] = [
                end_of(thing, given)
                for given in arguments()
                if last not in FILES or not (given and isinstance(given[0], int))
            ]
    print(json.dumps({"asked": sorted(asked.names), "ends": ends}))  # noqa: T201 -- its answer
    return x


if __name__ == "__main__":
    everything(0)
