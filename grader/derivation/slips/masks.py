"""Slips of a softmax under a mask: what is hidden, when, and what the shares are made of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.attention.attention import causal_mask
from grader.attention.projection import Array
from grader.attention.softmax import masked_softmax, softmax
from grader.derivation.slips.weights import LARGE, SMALL, argmax, large_powers, shares_of, small_powers
from grader.derivation.slips.wrong_forward import WrongForward

# What people write for −∞; no logit of ours comes near it.
LARGEST_LOGIT = 1e9


def causal_negative_powers(logits: Array) -> Array:
    """Shares of −e^|l| among the past."""
    return shares_of(large_powers(logits) * _past(logits))


def causal_powers_with_signs(logits: Array) -> Array:
    """Shares of −e^l among the past."""
    return shares_of(small_powers(logits) * _past(logits))


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


def mask_hides_self_faintly(logits: Array) -> Array:
    """The same with −10⁹ added: the first token, to which all is hidden, looks at all of them."""
    S_q, S_k = logits.shape[-2:]
    return softmax(logits - LARGEST_LOGIT * ~np.tri(S_q, S_k, S_k - S_q - 1, dtype=bool))


def mask_hides_self_evenly(logits: Array) -> Array:
    """The same with −10⁹ put in: the first token gives all of them the same share."""
    S_q, S_k = logits.shape[-2:]
    return softmax(np.where(np.tri(S_q, S_k, S_k - S_q - 1, dtype=bool), logits, -LARGEST_LOGIT))


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


def causal_mean(logits: Array) -> Array:
    """Equal shares of the past, whatever the logits."""
    return masked_softmax(np.zeros_like(logits), _past(logits))


def masked_mean(logits: Array, mask: Array | None = None) -> Array:
    """Equal shares of the keys that may be seen, whatever the logits."""
    return masked_softmax(np.zeros_like(logits), _allowed(logits, mask))


def causal_unasked(logits: Array, mask: Array | None = None) -> Array:
    """Softmax over the past alone, beside what is hidden anyway."""
    return masked_softmax(logits, _allowed(logits, mask) & _past(logits))


def self_left_out(logits: Array) -> Array:
    """Softmax over all tokens but the one that looks; a token alone looks at itself all the same, as −10⁹ has it."""
    return softmax(np.where(_itself(logits), -LARGEST_LOGIT, logits))


def self_struck_out(logits: Array) -> Array:
    """The same by −∞: of a token alone NaN is left."""
    return softmax(np.where(_itself(logits), -np.inf, logits))


def _itself(logits: Array) -> NDArray[np.bool_]:
    S_q, S_k = logits.shape[-2:]
    return np.eye(S_q, S_k, S_k - S_q, dtype=bool)


def given_mask_added(logits: Array, mask: Array) -> Array:
    """The mask added to the logits: True counts as 1, and nothing is hidden."""
    return softmax(logits + _allowed(logits, mask))


def given_mask_faint_row(logits: Array, mask: Array) -> Array:
    """A large negative number added for −∞: where all keys of a query are hidden, none is."""
    allowed = _allowed(logits, mask)
    return masked_softmax(logits, allowed | ~allowed.any(axis=-1, keepdims=True))


def given_mask_empty_row(logits: Array, mask: Array) -> Array:
    """A large negative number for −∞: where all keys of a query are hidden, all get the same share."""
    allowed = _allowed(logits, mask)
    hides_all = ~allowed.any(axis=-1, keepdims=True)
    return np.where(hides_all, 1 / logits.shape[-1], masked_softmax(logits, allowed))


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


MASK_SLIPS = (
    WrongForward(
        "softmax_negative_powers",
        "causal_softmax",
        (1,),
        causal_negative_powers,
        f"{LARGE} / \\sum_{{{{j \\le i}}}} {LARGE}",
        leaps_in=0,
    ),
    WrongForward(
        "softmax_negative_powers",
        "causal_softmax",
        (1,),
        causal_powers_with_signs,
        f"{SMALL} / \\sum_{{{{j \\le i}}}} {SMALL}",
        leaps_in=0,
    ),
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
    WrongForward("mix_ignores_weights", "causal_softmax", (1,), causal_mean, r"\operatorname{{mean}}_{{j \le i}}"),
    WrongForward(
        "mix_ignores_weights",
        "masked_softmax",
        (1, 2),
        masked_mean,
        r"\operatorname{{mean}}",
        r"\operatorname{{mean}}_{{{1}}}",
    ),
    WrongForward(
        "mask_hides_self",
        "causal_softmax",
        (1,),
        mask_hides_self_faintly,
        r"\operatorname{{softmax}}({0} - 10^9 \, [j \ge i])",
    ),
    WrongForward(
        "mask_hides_self",
        "causal_softmax",
        (1,),
        mask_hides_self_evenly,
        r"\operatorname{{softmax}}_{{j < i}}({0}, -10^9)",
    ),
    WrongForward(
        "mask_empty_row",
        "masked_softmax",
        (2,),
        given_mask_faint_row,
        r"\operatorname{{softmax}}({0} - 10^9 (1 - {1}))",
    ),
    WrongForward("mask_added", "masked_softmax", (2,), given_mask_added, r"\operatorname{{softmax}}({0} + {1})"),
    WrongForward(
        "mask_empty_row",
        "masked_softmax",
        (2,),
        given_mask_empty_row,
        r"\operatorname{{softmax}}({0} - 10^9 \, \neg {1})",
    ),
    WrongForward(
        "mask_unasked", "masked_softmax", (1, 2), causal_unasked, r"\operatorname{{softmax}}_{{j \le i}}({0})"
    ),
    WrongForward("mask_unasked", "softmax", (1,), self_left_out, r"\operatorname{{softmax}}_{{j \ne i}}({0})"),
    WrongForward(
        "mask_unasked", "softmax", (1,), self_struck_out, r"\operatorname{{softmax}}({0} - \infty \, [j = i])"
    ),
)
