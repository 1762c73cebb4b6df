"""Slips of softmax: the wrong axis, no exponential, no sum, a choice in the place of shares."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.attention.projection import Array
from grader.attention.softmax import softmax
from grader.derivation.slips.wrong_forward import WrongForward
from grader.derivation.tolerance import HAIR


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
    return shares_of(logits)


def argmax(logits: Array) -> Array:
    """Everything to the largest; of equal ones to the first, as np.argmax has it."""
    shares: Array = np.eye(logits.shape[-1])[logits.argmax(axis=-1)]
    return shares


def large_powers(logits: Array) -> Array:
    """−e^|l| for the power of a negative logit, and no division by the sum."""
    return np.where(_is_negative(logits), -np.exp(-logits), np.exp(logits))


def small_powers(logits: Array) -> Array:
    """−e^l for the power of a negative logit: the right size, with a minus."""
    return np.where(_is_negative(logits), -np.exp(logits), np.exp(logits))


def shares_of_large_powers(logits: Array) -> Array:
    """Shares of powers that are negative where the logit is, −e^|l|."""
    return shares_of(large_powers(logits))


def shares_of_small_powers(logits: Array) -> Array:
    """Shares of powers that are negative where the logit is, −e^l."""
    return shares_of(small_powers(logits))


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


def other_base_along(logits: Array, axis: Array) -> Array:
    """Shares of powers of two."""
    return softmax(logits * np.log(2), axis=int(axis))


def logged_along(logits: Array, axis: Array) -> Array:
    """The logarithms of the shares, as some libraries return them."""
    logged: Array = np.log(softmax(logits, axis=int(axis)))
    return logged


def stopped_early(logits: Array) -> Array:
    """The logits themselves."""
    return logits


def shares_of(powers: Array) -> Array:
    """Each divided by the sum of its row."""
    shares: Array = powers / powers.sum(axis=-1, keepdims=True)
    return shares


def _is_negative(logits: Array) -> NDArray[np.bool_]:
    """A sum of floats that should be 0 may lie a hair below it."""
    return logits < -HAIR


# Powers with the sign of their exponents, of the size of e^|l| or of e^l.
LARGE, SMALL = r"\operatorname{{sgn}}({0}) \, e^{{\lvert {0} \rvert}}", r"\operatorname{{sgn}}({0}) \, e^{{{0}}}"

WEIGHT_SLIPS = (
    WrongForward(
        "softmax_down_columns", "softmax", (1,), down_columns, r"\operatorname{{softmax}}_{{\downarrow}}({0})"
    ),
    WrongForward("softmax_over_all", "softmax", (1,), over_all, r"e^{{{0}}} / \sum_{{i,j}} e^{{{0}_{{ij}}}}"),
    WrongForward("softmax_no_normaliser", "softmax", (1,), no_normaliser, "e^{{{0}}}"),
    WrongForward("softmax_linear_share", "softmax", (1,), linear_share, r"{0} / \sum {0}", leaps_in=0),
    WrongForward("softmax_argmax", "softmax", (1,), argmax, r"\operatorname{{argmax}}({0})", leaps_in=0),
    WrongForward(
        "softmax_negative_powers", "softmax", (1,), shares_of_large_powers, f"{LARGE} / \\sum {LARGE}", leaps_in=0
    ),
    WrongForward(
        "softmax_negative_powers", "softmax", (1,), shares_of_small_powers, f"{SMALL} / \\sum {SMALL}", leaps_in=0
    ),
    WrongForward("softmax_negative_powers", "softmax", (1,), large_powers, LARGE, leaps_in=0),
    WrongForward("stopped_early", "softmax", (1,), stopped_early, "{0}"),
    WrongForward("softmax_axis_ignored", "softmax", (2,), last_axis, r"\operatorname{{softmax}}_{{-1}}({0})"),
    WrongForward("softmax_axis_ignored", "softmax", (2,), first_axis, r"\operatorname{{softmax}}_{{0}}({0})"),
    WrongForward("softmax_over_all", "softmax", (2,), over_all_along, r"e^{{{0}}} / \sum_{{i,j}} e^{{{0}_{{ij}}}}"),
    WrongForward("softmax_no_normaliser", "softmax", (2,), no_normaliser_along, r"e^{{{0} - \max {0}}}"),
    WrongForward("softmax_linear_share", "softmax", (2,), linear_share_along, r"{0} / \sum {0}", leaps_in=0),
    WrongForward("softmax_other_base", "softmax", (2,), other_base_along, r"2^{{{0}}} / \sum 2^{{{0}}}"),
    WrongForward("softmax_logged", "softmax", (2,), logged_along, r"\log \operatorname{{softmax}}_{{{1}}}({0})"),
    WrongForward("softmax_argmax", "softmax", (2,), argmax_along, r"\operatorname{{argmax}}({0})", leaps_in=0),
)
