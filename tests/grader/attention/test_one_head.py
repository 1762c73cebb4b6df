"""One head as a lab computes it, against loops over single numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from grader.attention.one_head import one_head

X = np.array([[2.0, 1.0], [1.0, 1.0], [-1.0, 1.0]])
W_Q = np.array([[1.0, 0.0], [-1.0, 1.0]])
W_K = np.array([[-1.0, -1.0], [1.0, 0.0]])
W_V = np.array([[0.5], [2.0]])


def by_loops(Q, K, V, *, factor=1.0, causal=False):
    outputs, weights = [], []
    for i, q in enumerate(Q):
        seen = range(i + 1 if causal else len(K))
        powers = [math.exp(factor * sum(a * b for a, b in zip(q, K[j], strict=True))) for j in seen]
        shares = [power / sum(powers) for power in powers] + [0.0] * (len(K) - len(powers))
        weights.append(shares)
        outputs.append([sum(share * v[c] for share, v in zip(shares, V, strict=True)) for c in range(V.shape[1])])
    return np.array(weights), np.array(outputs)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("scaled", [False, True])
def test_all_arrays_follow_from_x_and_its_matrices(scaled, causal):
    arrays = one_head({"X": X, "W_Q": W_Q, "W_K": W_K, "W_V": W_V}, is_scaled=scaled, is_causal=causal)
    weights, outputs = by_loops(X @ W_Q, X @ W_K, X @ W_V, factor=1 / math.sqrt(2) if scaled else 1, causal=causal)
    assert np.allclose(arrays["attn_weights"], weights)
    assert np.allclose(arrays["context"], outputs)
    assert ("scaled" in arrays) is scaled


def test_without_matrices_a_token_does_every_job_itself():
    arrays = one_head({"X": X})
    weights, outputs = by_loops(X, X, X)
    assert np.allclose(arrays["attn_weights"], weights)
    assert np.allclose(arrays["context"], outputs)
    assert not {"Q", "K", "V"} & set(arrays)


def test_a_factor_multiplies_the_scores_before_softmax():
    arrays = one_head({"Q": X, "K": X, "V": X, "factor": np.array([[-0.5]])})
    assert np.allclose(arrays["attn_weights"], by_loops(X, X, X, factor=-0.5)[0])
    assert np.allclose(arrays["scaled"], -0.5 * arrays["logits"])


def test_scores_alone_are_enough():
    arrays = one_head({"logits": np.array([[1000.0, 1000.0, -1000.0]])})
    assert arrays["attn_weights"].tolist() == [[0.5, 0.5, 0.0]]
    assert "context" not in arrays


def test_what_is_given_stays_what_it_was():
    given = {"X": X.copy(), "W_Q": W_Q}
    one_head(given)
    assert set(given) == {"X", "W_Q"}


def test_shapes_that_do_not_meet_are_refused():
    with pytest.raises(ValueError, match="mismatch"):
        one_head({"X": X, "W_Q": np.eye(3)})
