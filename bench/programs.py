"""The program that every sandbox of the bench runs: attention over three tokens."""

from __future__ import annotations

import struct
from typing import Final

from grader.sandbox import Case, Frame, Job

SIDE: Final = 3
ATTENTION: Final = """
import numpy as np


def attention(x, W_Q, W_K, W_V):
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    logits = q @ k.T / np.sqrt(k.shape[-1])
    shares = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return shares / shares.sum(axis=-1, keepdims=True) @ v
"""
CALL: Final = f"print(attention(*[np.ones(({SIDE}, {SIDE}))] * 4))\n"


def attention_job(cases: int = 1) -> Job:
    """The program with one call or several, as the sandbox takes it."""
    matrix = Frame("float64", (SIDE, SIDE), struct.pack(f"<{SIDE * SIDE}d", *range(SIDE * SIDE)))
    return Job(ATTENTION, "attention", (Case((matrix,) * 4),) * cases)
