"""Codes that people read from a projector or a slip of paper and type."""

from __future__ import annotations

import secrets
from typing import Final

# No 0 and O, no 1, I and L: they are read for each other.
ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"


def spoken_code(length: int) -> str:
    """A random code: each character is worth almost five bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def in_groups(code: str) -> str:
    """The code as it is shown: in groups of four, "K7QM-2XWD"."""
    return "-".join(code[start : start + 4] for start in range(0, len(code), 4))
