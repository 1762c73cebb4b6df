"""What a child finds in memory: it has no file system, so a module that is not loaded here cannot be imported."""

from __future__ import annotations

import importlib
import struct
import sys
import types
from typing import Final, NoReturn

from grader.sandbox import wire
from grader.sandbox.job import Case, Frame, Job

# Every library file of its own costs each run, for its parts are mapped again in each child: so nothing stands here
# that neither an exercise nor an honest mistake needs.
LIBRARY: Final = tuple(
    """
__future__ _strptime abc array ast base64 binascii bisect builtins calendar cmath codecs collections collections.abc colorsys
contextlib contextvars copy copyreg ctypes dataclasses datetime decimal difflib dis enum fractions functools gc
graphlib hashlib heapq importlib inspect io itertools json keyword linecache locale logging math numbers operator os
os.path pathlib pickle platform pprint random re reprlib secrets select signal socket statistics string stringprep struct
subprocess sys tempfile textwrap threading time timeit token tokenize traceback types typing unicodedata unittest
warnings weakref zipfile zlib
encodings.ascii encodings.latin_1 encodings.utf_8 encodings.utf_8_sig encodings.utf_16 encodings.idna
encodings.raw_unicode_escape encodings.unicode_escape
numpy numpy.char numpy.fft numpy.linalg numpy.ma numpy.polynomial numpy.random numpy.rec numpy.strings numpy.testing numpy.typing numpy.exceptions
numpy.dtypes numpy.lib.stride_tricks numpy.lib.scimath
""".split()  # noqa: SIM905 -- a list of words reads better as one
)
# The library loads these in passing, and gets along without: formats of archives, a second copy of every hash, and a
# reader of what is installed, which brings mail and tables along.
METADATA: Final = "importlib.metadata"
LEFT_OUT: Final = ("bz2", "lzma", "_hashlib", METADATA)
# Python writes to a piece of code while it learns how it is used; by now it has learnt.
WARM_RUNS: Final = 10

MUCH: Final = """
from __future__ import annotations
import dataclasses
import numpy as np

@dataclasses.dataclass
class Shape:
    rows: int

def attention(x, W, b=None):
    match Shape(len(x)):
        case Shape(rows=rows) if rows > 0:
            print("rows\N{COLON}", rows, x, x.astype(np.float32), x.astype(bool), f"{x.mean():.3f}")
    np.testing.assert_allclose(np.linalg.inv(np.eye(2)), np.eye(2))
    np.random.default_rng(0).normal(size=2), np.random.rand(2)
    return np.einsum("ik,jk->ij", x, x).tolist()
"""
GOOD: Final = """
import numpy as np

def attention(x, W, b=None):
    q = x @ W
    logits = q @ q.T / np.sqrt(q.shape[-1])
    attn_weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
    attn_weights /= attn_weights.sum(axis=-1, keepdims=True)
    print(len(x))
    return attn_weights @ q
"""
RAISES: Final = "def attention(x, W, b):\n    x[0, 0] = 1\n    return x @ W[:1, :1] @ W\n"
CANNOT_BE_READ: Final = "def attention(x, W, b)\n    return x\n"


def _numbers(*shape: int) -> Frame:
    count = shape[0] * shape[1]
    return Frame("float64", shape, struct.pack(f"<{count}d", *(place / 7 for place in range(count))))


_CASE: Final = Case((_numbers(3, 4), _numbers(4, 4), None))
# What is walked once, and the paths of every run, each with the end that it must come to.
WIDE: Final = (Job(MUCH, "attention", (_CASE,)), wire.KIND_RETURNED)
PATHS: Final = tuple(
    (Job(code, "attention", (_CASE, _CASE)), end)
    for code, end in (
        (RAISES, wire.KIND_RAISED),
        (CANNOT_BE_READ, wire.KIND_NOT_LOADED),
        (GOOD, wire.KIND_RETURNED),
    )
)


def leave_out() -> None:
    """Keep what is left out from being loaded in passing, before anything is."""
    sys.modules.update(dict.fromkeys(LEFT_OUT))  # type: ignore[arg-type]  # None: it is not to be had
    metadata = types.ModuleType(METADATA)
    vars(metadata).update(PackageNotFoundError=ModuleNotFoundError, distribution=_is_not_installed)
    sys.modules[METADATA] = vars(importlib)["metadata"] = metadata


def _is_not_installed(name: str) -> NoReturn:
    """What numpy.testing is told when it asks how numpy was installed."""
    raise ModuleNotFoundError(name)


def forget_what_was_left_out() -> None:
    """Let a learner who asks for it meet the ordinary error of a module that is not here."""
    for name in LEFT_OUT:
        sys.modules.pop(name, None)
    vars(importlib).pop("metadata", None)
