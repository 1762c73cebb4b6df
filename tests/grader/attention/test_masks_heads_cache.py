from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from grader.attention.analysis import asymmetry, is_symmetric_for_every_input, prefers_itself
from grader.attention.attention import attention, causal_mask, dot_logits, naive_attention, scale_logits
from grader.attention.embedding import look_up
from grader.attention.heads import attend_by_heads, merge_heads, multi_head_attention, share_heads, split_heads
from grader.attention.kv_cache import Projections, decode, prefill
from grader.attention.softmax import masked_softmax, softmax

NUMBERS = st.floats(-4, 4, width=32)


def numbers(*shape: int) -> st.SearchStrategy[np.ndarray]:
    return arrays(np.float64, shape, elements=NUMBERS)


def test_attention_by_hand():
    Q, K, V = np.array([[1.0, 0]]), np.array([[2.0, 0], [0, 2]]), np.array([[4.0, 0], [0, 4]])

    # Scores 2 and 0 over √2: e^1.41421 = 4.11325 and e^0 = 1, so the shares are 0.80443 and 0.19557.
    assert np.allclose(attention(Q, K, V), [[4 * 0.80443, 4 * 0.19557]], atol=1e-4)


def test_the_scale_is_the_root_of_the_keys_width_and_of_nothing_else():
    Q, K, V = np.array([[1.0, 0, 1, 2]]), np.array([[1.0, 1, 0, 1], [0, 1, 1, 0]]), np.eye(2)

    assert np.allclose(attention(Q, K, V), [[0.7311, 0.2689]], atol=1e-4)
    assert scale_logits(np.ones((1, 2)), K).tolist() == [[0.5, 0.5]]


@given(numbers(3, 2), numbers(4, 2), numbers(4, 3))
def test_attention_equals_its_definition_written_as_loops(Q, K, V):
    for q, out in zip(Q, attention(Q, K, V), strict=True):
        shares = [math.exp(sum(q * k) / math.sqrt(2)) for k in K]
        assert np.allclose(out, sum(share * v for share, v in zip(shares, V, strict=True)) / sum(shares), atol=1e-9)


@given(numbers(3, 4), arrays(bool, (3, 4)))
def test_a_mask_is_softmax_over_what_is_left(logits, mask):
    weights = masked_softmax(logits, mask)

    assert not weights[~mask].any()
    for row, allowed, shares in zip(logits, mask, weights, strict=True):
        expected = softmax(row[allowed]) if allowed.any() else []
        assert np.allclose(shares[allowed], expected)


def test_a_query_that_may_look_at_nothing_gets_zeros():
    mask = np.array([[True, True], [False, False]])

    assert masked_softmax(np.array([[0.0, 0], [1000, -1000]]), mask).tolist() == [[0.5, 0.5], [0, 0]]
    assert attention(np.ones((2, 3)), np.ones((2, 3)), np.array([[1.0], [3]]), mask).tolist() == [[2], [0]]


def test_the_causal_mask_shows_the_past_and_the_present():
    assert causal_mask(3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]
    assert causal_mask(2, past=1).tolist() == [[True, True, False], [True, True, True]]


@given(numbers(4, 3), st.integers(0, 3))
def test_under_a_causal_mask_the_future_changes_nothing(X, position):
    other = X.copy()
    other[position + 1 :] += 1

    before, after = (attention(tokens, tokens, tokens, causal_mask(4)) for tokens in (X, other))

    assert np.allclose(before[: position + 1], after[: position + 1])


@given(numbers(4, 3))
def test_naive_scores_are_symmetric_and_the_longest_token_prefers_itself(X):
    logits = dot_logits(X, X)

    assert asymmetry(logits) <= 1e-12
    assert prefers_itself(np.round(logits, 9))[np.argmax((X**2).sum(axis=1))]


def test_a_shorter_token_need_not_prefer_itself():
    X = np.array([[2.0, 1], [1, 1], [-1, 1]])

    assert prefers_itself(dot_logits(X, X)).tolist() == [True, False, True]
    assert np.allclose(
        naive_attention(X)[1], (math.e**3 * X[0] + math.e**2 * X[1] + X[2]) / (math.e**3 + math.e**2 + 1)
    )


def test_scores_are_symmetric_for_every_input_exactly_if_the_product_is():
    W, swap = np.array([[1.0, 2], [3, 4]]), np.array([[0.0, 1], [1, 0]])

    assert is_symmetric_for_every_input(W, W)
    assert is_symmetric_for_every_input(np.eye(2), swap)
    assert not is_symmetric_for_every_input(np.eye(2), W)
    X = np.array([[1.0, 0], [0, 1]])
    assert asymmetry(X @ np.eye(2) @ W.T @ X.T) == 1


def test_splitting_and_merging_heads_are_inverses_and_keep_columns_together():
    X = np.arange(24.0).reshape(2, 3, 4)

    heads = split_heads(X, 2)

    assert heads.shape == (2, 2, 3, 2)
    assert heads[0, 1].tolist() == X[0][:, 2:].tolist()
    assert (merge_heads(heads) == X).all()
    with pytest.raises(ValueError, match="width of 4"):
        split_heads(X, 3)


def test_groups_of_query_heads_share_their_key_head_in_order():
    heads = np.arange(2.0).reshape(2, 1, 1)

    assert share_heads(heads, 4).ravel().tolist() == [0, 0, 1, 1]
    with pytest.raises(ValueError, match="evenly"):
        share_heads(heads, 3)


@given(numbers(3, 4), numbers(3, 4), numbers(3, 4))
def test_each_head_sees_its_own_columns_only(Q, K, V):
    together = attend_by_heads(Q, K, V, 2)

    for columns in (slice(0, 2), slice(2, 4)):
        assert np.allclose(together[:, columns], attention(Q[:, columns], K[:, columns], V[:, columns]))


def test_one_head_with_an_identity_output_is_plain_attention():
    X, W = np.arange(6.0).reshape(2, 3) / 6, np.eye(3)

    assert np.allclose(multi_head_attention(X, W, 2 * W, W, W, n_heads=1), attention(X, 2 * X, X))


@given(numbers(5, 3), numbers(3, 2), numbers(3, 2), numbers(3, 4), st.integers(1, 5))
def test_a_cache_gives_what_recomputing_everything_gives(X, W_Q, W_K, W_V, prompt):
    parameters = Projections(W_Q, W_K, W_V)
    whole, whole_cache = prefill(X, parameters)

    outputs, cache = prefill(X[:prompt], parameters)
    for token in range(prompt, len(X)):
        out, cache = decode(X[token : token + 1], cache, parameters)
        outputs = np.concatenate([outputs, out])

    assert np.allclose(outputs, whole, atol=1e-9)
    assert cache.past == len(X)
    assert np.allclose(cache.K, whole_cache.K)
    assert np.allclose(cache.V, whole_cache.V)


def test_a_batch_is_treated_sentence_by_sentence():
    stream = np.random.default_rng(5)
    X, W = stream.normal(size=(3, 4, 6)), stream.normal(size=(4, 6, 6))
    parameters = Projections(*W[:3])
    outputs, cache = prefill(X[:, :3], parameters)
    last, _ = decode(X[:, 3:], cache, parameters)
    heads = multi_head_attention(X, *W, n_heads=3, mask=causal_mask(4))

    for place, sentence in enumerate(X):
        alone, alone_cache = prefill(sentence[:3], parameters)
        assert np.allclose(outputs[place], alone)
        assert np.allclose(last[place], decode(sentence[3:], alone_cache, parameters)[0])
        assert np.allclose(heads[place], multi_head_attention(sentence, *W, n_heads=3, mask=causal_mask(4)))
        assert np.allclose(naive_attention(X)[place], naive_attention(sentence))


def test_a_longer_cache_leaves_the_shorter_one_as_it_was():
    parameters = Projections(np.eye(2), np.eye(2), np.eye(2))
    _, cache = prefill(np.ones((2, 2)), parameters)

    decode(np.zeros((1, 2)), cache, parameters)

    assert cache.K.tolist() == [[1, 1], [1, 1]]


def test_float32_stays_float32_through_everything():
    X, W = np.ones((3, 4), np.float32), np.eye(4, dtype=np.float32)
    outputs, cache = prefill(X, Projections(W, W, W))

    assert {
        attention(X, X, X).dtype,
        attention(X, X, X, causal_mask(3)).dtype,
        naive_attention(X).dtype,
        multi_head_attention(X, W, W, W, W, n_heads=2, mask=causal_mask(3)).dtype,
        outputs.dtype,
        cache.K.dtype,
    } == {np.dtype(np.float32)}


def test_a_look_up_takes_rows_and_refuses_ids_that_are_none():
    table = np.arange(6.0).reshape(3, 2)

    assert look_up(np.array([[2, 0]]), table).tolist() == [[[4, 5], [0, 1]]]
    assert look_up(np.array([], dtype=int), table).shape == (0, 2)
    for bad in ([3], [-1]):
        with pytest.raises(IndexError, match="from 0 to 2"):
            look_up(np.array(bad), table)
