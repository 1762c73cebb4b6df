"""Text that a learner's program wrote, made fit to be shown."""

from __future__ import annotations

from typing import Final

KEPT: Final = frozenset("\n\t")
REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"


def readable(raw: bytes) -> str:
    """Decode text; what cannot be printed (terminal codes, marks that turn the reading direction) is replaced."""
    text = raw.decode("utf-8", "replace").replace("\r\n", "\n")
    return "".join(char if char in KEPT or char.isprintable() else REPLACEMENT for char in text)
