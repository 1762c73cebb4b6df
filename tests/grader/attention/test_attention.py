from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from grader.attention.attention import dot_logits, mix
from grader.attention.softmax import softmax

LOGITS = arrays(float, st.tuples(st.integers(1, 4), st.integers(1, 5)), elements=st.floats(-50, 50))


@given(LOGITS)
def test_softmax_equals_its_definition_in_exact_sums(logits):
    for row, shares in zip(logits, softmax(logits), strict=True):
        total = math.fsum(math.exp(logit) for logit in row)
        assert np.allclose(shares, [math.exp(logit) / total for logit in row], rtol=1e-12)


@given(LOGITS, st.floats(-1000, 1000))
def test_softmax_rows_add_up_to_one_and_a_shift_changes_nothing(logits, shift):
    assert np.allclose(softmax(logits).sum(axis=-1), 1)
    assert np.allclose(softmax(logits + shift), softmax(logits), rtol=1e-9, atol=1e-12)


def test_softmax_of_extreme_logits_is_finite_and_right():
    assert softmax(np.array([1000.0, 0, -1000])).tolist() == [1, 0, 0]
    assert softmax(np.array([-1000.0, -1000])).tolist() == [0.5, 0.5]


def test_softmax_down_an_axis_is_softmax_of_the_transpose():
    logits = np.arange(6.0).reshape(2, 3)

    assert np.allclose(softmax(logits, axis=0), softmax(logits.T).T, rtol=1e-15)


def test_the_scores_of_the_four_patches_do_not_give_the_printed_percentages():
    # Worked out with a pocket calculator: e^0.1, e^0.9, e^0.8, e^0.2 are 1.10517, 2.45960, 2.22554, 1.22140.
    total = 1.10517 + 2.45960 + 2.22554 + 1.22140

    weights = softmax(np.array([0.1, 0.9, 0.8, 0.2]))

    assert np.allclose(weights, [1.10517 / total, 2.45960 / total, 2.22554 / total, 1.22140 / total], atol=1e-5)
    assert np.round(weights, 3).tolist() == [0.158, 0.351, 0.317, 0.174]


def test_each_logit_is_the_dot_product_of_one_query_and_one_key():
    Q, K = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(4, 3)

    logits = dot_logits(Q, K)

    assert logits.tolist() == [[sum(a * b for a, b in zip(q, k, strict=True)) for k in K] for q in Q]
    assert dot_logits(Q[1], K).tolist() == logits[1].tolist()


def test_a_batch_is_scored_sentence_by_sentence():
    Q, K = np.arange(12.0).reshape(2, 2, 3), np.arange(24.0).reshape(2, 4, 3)

    assert dot_logits(Q, K).tolist() == [dot_logits(q, k).tolist() for q, k in zip(Q, K, strict=True)]


def test_the_output_is_the_sum_of_the_values_in_their_shares():
    attn_weights, V = np.array([[0.25, 0.75], [1.0, 0]]), np.array([[4.0, 8, 0], [0, 4, 4]])

    assert mix(attn_weights, V).tolist() == [[1, 5, 3], [4, 8, 0]]


@given(st.permutations(range(4)))
def test_exchanging_tokens_exchanges_outputs_and_nothing_else(order):
    X = np.array([[1.0, 0.5], [-1, 2], [0.5, 0.5], [2, -1]])

    def attend(tokens: np.ndarray) -> np.ndarray:
        return mix(softmax(dot_logits(tokens, tokens)), tokens)

    assert np.allclose(attend(X[list(order)]), attend(X)[list(order)])
