"""Slips between logits and attention weights: queries and keys exchanged, scale, mask, and what softmax is taken for."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from grader.attention.attention import causal_mask, dot_logits, dot_logits_columns
from grader.attention.projection import Array
from grader.attention.softmax import masked_softmax, softmax
from grader.derivation.slips.wrong_forward import WrongForward


def logits_transposed(Q: Array, K: Array) -> Array:
    """k_i · q_j in the place of q_i · k_j."""
    return np.swapaxes(dot_logits(Q, K), -1, -2)


def down_columns(logits: Array) -> Array:
    """Shares over the queries: each key's column adds up to one."""
    return softmax(logits, axis=-2)


def over_all(logits: Array) -> Array:
    """One softmax over the whole matrix."""
    return softmax(logits.reshape(-1)).reshape(logits.shape)


def no_normaliser(logits: Array) -> Array:
    """e^l, not divided by the sum."""
    return np.exp(logits)


def linear_share(logits: Array) -> Array:
    """Plain shares l / Σ l, without the exponential."""
    shares: Array = logits / logits.sum(axis=-1, keepdims=True)
    return shares


def argmax(logits: Array) -> Array:
    """Everything to the largest; of equal ones to the first, as np.argmax has it."""
    shares: Array = np.eye(logits.shape[-1])[logits.argmax(axis=-1)]
    return shares


def over_all_along(logits: Array, _axis: Array) -> Array:
    """One softmax over the whole array, whatever axis was asked."""
    return over_all(logits)


def no_normaliser_along(logits: Array, axis: Array) -> Array:
    """e^(l − max l), not divided by the sum: the largest gets 1."""
    exponentials: Array = np.exp(logits - logits.max(axis=int(axis), keepdims=True))
    return exponentials


def linear_share_along(logits: Array, axis: Array) -> Array:
    """Plain shares along the axis."""
    shares: Array = logits / logits.sum(axis=int(axis), keepdims=True)
    return shares


def argmax_along(logits: Array, axis: Array) -> Array:
    """Everything to the largest along the axis."""
    return np.moveaxis(argmax(np.moveaxis(logits, int(axis), -1)), -1, int(axis))


def last_axis(logits: Array, _axis: Array) -> Array:
    """Along the last axis, whatever was asked."""
    return softmax(logits)


def first_axis(logits: Array, _axis: Array) -> Array:
    """Along the first axis, whatever was asked."""
    return softmax(logits, axis=0)


def stopped_early(logits: Array) -> Array:
    """The logits themselves."""
    return logits


def columns_transposed(Q: Array, K: Array) -> Array:
    """k_i · q_j in the place of q_i · k_j, in the column convention."""
    return np.swapaxes(dot_logits_columns(Q, K), -1, -2)


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


def columns_scaled_by_width(logits: Array, K: Array) -> Array:
    """Divided by d_k, not by its root, in the column convention."""
    return scaled_by_width(logits, K.T)


def columns_scaled_by_length(logits: Array, K: Array) -> Array:
    """Divided by the root of the number of keys, in the column convention."""
    return scaled_by_length(logits, K.T)


def mask_after_softmax(logits: Array) -> Array:
    """Softmax over all keys, the future struck out afterwards: the rows no longer add up to one."""
    return softmax(logits) * _past(logits)


def mask_with_zero(logits: Array) -> Array:
    """Logits of the future set to 0 instead of −∞: e^0 = 1 still takes a share."""
    return softmax(np.where(_past(logits), logits, 0))


def mask_wrong_triangle(logits: Array) -> Array:
    """The past struck out instead of the future."""
    return masked_softmax(logits, _past(logits).T)


def mask_forgotten(logits: Array) -> Array:
    """Softmax over all keys, the future among them."""
    return softmax(logits)


def mask_hides_self(logits: Array) -> Array:
    """The diagonal struck out as well: the first token may look at nothing, and gets zeros."""
    S_q, S_k = logits.shape[-2:]
    return masked_softmax(logits, np.tri(S_q, S_k, S_k - S_q - 1, dtype=bool))


def mask_sees_next(logits: Array) -> Array:
    """The next token left in."""
    S_q, S_k = logits.shape[-2:]
    return masked_softmax(logits, np.tri(S_q, S_k, S_k - S_q + 1, dtype=bool))


def causal_down_columns(logits: Array) -> Array:
    """The right mask, and shares over the queries."""
    return _masked_down_columns(logits, _past(logits))


def causal_no_normaliser(logits: Array) -> Array:
    """e^l of the past, not divided by the sum."""
    return np.exp(logits) * _past(logits)


def causal_argmax(logits: Array) -> Array:
    """Everything to the largest of the past."""
    return _masked_argmax(logits, _past(logits))


def given_mask_after_softmax(logits: Array, mask: Array) -> Array:
    """Softmax over all keys, the masked shares thrown away afterwards."""
    return softmax(logits) * _allowed(logits, mask)


def given_mask_with_zero(logits: Array, mask: Array) -> Array:
    """Masked logits set to 0 instead of −∞."""
    return softmax(logits * _allowed(logits, mask))


def given_mask_inverted(logits: Array, mask: Array) -> Array:
    """True taken for "blocked"."""
    return masked_softmax(logits, ~_allowed(logits, mask))


def given_mask_forgotten(logits: Array, _mask: Array) -> Array:
    """Softmax over all keys."""
    return softmax(logits)


def masked_down_columns(logits: Array, mask: Array | None = None) -> Array:
    """The right mask, or none, and shares over the queries."""
    return _masked_down_columns(logits, _allowed(logits, mask))


def masked_no_normaliser(logits: Array, mask: Array | None = None) -> Array:
    """e^l of the keys that may be seen, not divided by the sum."""
    return np.exp(logits) * _allowed(logits, mask)


def masked_argmax(logits: Array, mask: Array | None = None) -> Array:
    """Everything to the largest of the keys that may be seen."""
    return _masked_argmax(logits, _allowed(logits, mask))


def _masked_down_columns(logits: Array, mask: NDArray[np.bool_]) -> Array:
    turned = masked_softmax(np.swapaxes(logits, -1, -2), np.swapaxes(mask, -1, -2))
    return np.swapaxes(turned, -1, -2)


def _masked_argmax(logits: Array, mask: NDArray[np.bool_]) -> Array:
    return argmax(np.where(mask, logits, -np.inf)) * mask.any(axis=-1, keepdims=True)


def _allowed(logits: Array, mask: Array | None) -> NDArray[np.bool_]:
    return np.broadcast_to(np.ones((), bool) if mask is None else np.asarray(mask, bool), logits.shape)


def _past(logits: Array) -> NDArray[np.bool_]:
    S_q, S_k = logits.shape[-2:]
    return causal_mask(S_q, past=S_k - S_q)


SCALE_SLIPS = (
    WrongForward("scale_missing", "scale_logits", (2,), not_scaled, "{0}"),
    WrongForward("scale_missing", "scale_logits_columns", (2,), not_scaled, "{0}"),
    WrongForward("scale_by_width", "scale_logits", (2,), scaled_by_width, "{0} / d_{{{1}}}"),
    WrongForward("scale_by_width", "scale_logits_columns", (2,), columns_scaled_by_width, "{0} / d_{{{1}}}"),
    WrongForward("scale_by_length", "scale_logits", (2,), scaled_by_length, r"{0} / \sqrt{{S}}"),
    WrongForward("scale_by_length", "scale_logits_columns", (2,), columns_scaled_by_length, r"{0} / \sqrt{{S}}"),
)

MASK_SLIPS = (
    WrongForward(
        "mask_after_softmax",
        "causal_softmax",
        (1,),
        mask_after_softmax,
        r"\operatorname{{mask}}(\operatorname{{softmax}}({0}))",
    ),
    WrongForward("mask_with_zero", "causal_softmax", (1,), mask_with_zero, r"\operatorname{{softmax}}({0}, 0)"),
    WrongForward(
        "mask_wrong_triangle", "causal_softmax", (1,), mask_wrong_triangle, r"\operatorname{{softmax}}_{{j \ge i}}({0})"
    ),
    WrongForward("mask_forgotten", "causal_softmax", (1,), mask_forgotten, r"\operatorname{{softmax}}({0})"),
    WrongForward(
        "mask_hides_self", "causal_softmax", (1,), mask_hides_self, r"\operatorname{{softmax}}_{{j < i}}({0})"
    ),
    WrongForward(
        "mask_sees_next", "causal_softmax", (1,), mask_sees_next, r"\operatorname{{softmax}}_{{j \le i + 1}}({0})"
    ),
    WrongForward(
        "mask_after_softmax",
        "masked_softmax",
        (2,),
        given_mask_after_softmax,
        r"{1} \odot \operatorname{{softmax}}({0})",
    ),
    WrongForward(
        "mask_with_zero", "masked_softmax", (2,), given_mask_with_zero, r"\operatorname{{softmax}}({1} \odot {0})"
    ),
    WrongForward(
        "mask_inverted", "masked_softmax", (2,), given_mask_inverted, r"\operatorname{{softmax}}_{{\neg {1}}}({0})"
    ),
    WrongForward("mask_forgotten", "masked_softmax", (2,), given_mask_forgotten, r"\operatorname{{softmax}}({0})"),
)

WEIGHT_SLIPS = (
    WrongForward("logits_transposed", "dot_logits_columns", (2,), columns_transposed, r"{1}^{{\top}} {0}"),
    WrongForward("logits_transposed", "dot_logits", (2,), logits_transposed, r"{1} {0}^{{\top}}"),
    WrongForward(
        "softmax_down_columns", "softmax", (1,), down_columns, r"\operatorname{{softmax}}_{{\downarrow}}({0})"
    ),
    WrongForward("softmax_over_all", "softmax", (1,), over_all, r"e^{{{0}}} / \sum_{{i,j}} e^{{{0}_{{ij}}}}"),
    WrongForward("softmax_no_normaliser", "softmax", (1,), no_normaliser, "e^{{{0}}}"),
    WrongForward("softmax_linear_share", "softmax", (1,), linear_share, r"{0} / \sum {0}", leaps_in=0),
    WrongForward("softmax_argmax", "softmax", (1,), argmax, r"\operatorname{{argmax}}({0})", leaps_in=0),
    WrongForward("stopped_early", "softmax", (1,), stopped_early, "{0}"),
    WrongForward("softmax_axis_ignored", "softmax", (2,), last_axis, r"\operatorname{{softmax}}_{{-1}}({0})"),
    WrongForward("softmax_axis_ignored", "softmax", (2,), first_axis, r"\operatorname{{softmax}}_{{0}}({0})"),
    WrongForward("softmax_over_all", "softmax", (2,), over_all_along, r"e^{{{0}}} / \sum_{{i,j}} e^{{{0}_{{ij}}}}"),
    WrongForward("softmax_no_normaliser", "softmax", (2,), no_normaliser_along, r"e^{{{0} - \max {0}}}"),
    WrongForward("softmax_linear_share", "softmax", (2,), linear_share_along, r"{0} / \sum {0}", leaps_in=0),
    WrongForward("softmax_argmax", "softmax", (2,), argmax_along, r"\operatorname{{argmax}}({0})", leaps_in=0),
    WrongForward(
        "softmax_down_columns",
        "causal_softmax",
        (1,),
        causal_down_columns,
        r"\operatorname{{softmax}}_{{\downarrow}}({0})",
    ),
    WrongForward("softmax_no_normaliser", "causal_softmax", (1,), causal_no_normaliser, "e^{{{0}}}"),
    WrongForward("softmax_argmax", "causal_softmax", (1,), causal_argmax, r"\operatorname{{argmax}}({0})", leaps_in=0),
    WrongForward(
        "softmax_down_columns",
        "masked_softmax",
        (1, 2),
        masked_down_columns,
        r"\operatorname{{softmax}}_{{\downarrow}}({0})",
    ),
    WrongForward("softmax_no_normaliser", "masked_softmax", (1, 2), masked_no_normaliser, "e^{{{0}}}"),
    WrongForward(
        "softmax_argmax", "masked_softmax", (1, 2), masked_argmax, r"\operatorname{{argmax}}({0})", leaps_in=0
    ),
)
