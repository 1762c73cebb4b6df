"""Slips of the scale: the square root of the wrong size, or none."""

from __future__ import annotations

import math

from grader.attention.projection import Array
from grader.derivation.slips.wrong_forward import WrongForward


def not_scaled(logits: Array, _keys: Array) -> Array:
    """The logits as they are."""
    return logits


def scaled_by_width(logits: Array, K: Array) -> Array:
    """Divided by d_k, not by its root."""
    scaled: Array = logits / K.shape[-1]
    return scaled


def scaled_by_length(logits: Array, K: Array) -> Array:
    """Divided by the root of the number of keys."""
    return logits / math.sqrt(K.shape[-2])


def scaled_up(logits: Array, K: Array) -> Array:
    """Multiplied by the root of d_k, not divided."""
    return logits * math.sqrt(K.shape[-1])


def columns_scaled_up(logits: Array, K: Array) -> Array:
    """Multiplied by the root of d_k, in the column convention."""
    return scaled_up(logits, K.T)


def columns_scaled_by_width(logits: Array, K: Array) -> Array:
    """Divided by d_k, not by its root, in the column convention."""
    return scaled_by_width(logits, K.T)


def columns_scaled_by_length(logits: Array, K: Array) -> Array:
    """Divided by the root of the number of keys, in the column convention."""
    return scaled_by_length(logits, K.T)


SCALE_SLIPS = (
    WrongForward("scale_missing", "scale_logits", (2,), not_scaled, "{0}"),
    WrongForward("scale_missing", "scale_logits_columns", (2,), not_scaled, "{0}"),
    WrongForward("scale_by_width", "scale_logits", (2,), scaled_by_width, "{0} / d_{{{1}}}"),
    WrongForward("scale_by_width", "scale_logits_columns", (2,), columns_scaled_by_width, "{0} / d_{{{1}}}"),
    WrongForward("scale_by_length", "scale_logits", (2,), scaled_by_length, r"{0} / \sqrt{{S}}"),
    WrongForward("scale_by_length", "scale_logits_columns", (2,), columns_scaled_by_length, r"{0} / \sqrt{{S}}"),
    WrongForward("scale_multiplied", "scale_logits", (2,), scaled_up, r"{0} \sqrt{{d_{{{1}}}}}"),
    WrongForward("scale_multiplied", "scale_logits_columns", (2,), columns_scaled_up, r"{0} \sqrt{{d_{{{1}}}}}"),
)
