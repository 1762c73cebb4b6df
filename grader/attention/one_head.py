"""One head from its inputs to its output with every array on the way, as a lab shows it. Row convention."""

from __future__ import annotations

from collections.abc import Mapping

from grader.attention.attention import causal_softmax, dot_logits, mix, scale_logits
from grader.attention.projection import Array, project_rows
from grader.attention.softmax import softmax


def one_head(given: Mapping[str, Array], *, is_scaled: bool = False, is_causal: bool = False) -> dict[str, Array]:
    """All that follows from what is given, under its name, together with the given.

    It starts from X (S, d), with W_Q, W_K (d, d_k) and W_V (d, d_v) or naively without; or from Q (S_q, d_k) and K
    (S, d_k); or from logits (S_q, S), with V (S, d_v) or without. `factor` (1, 1) multiplies the logits, `is_scaled`
    divides them by √d_k: then `scaled` (S_q, S) is what softmax sees. `attn_weights` is (S_q, S), `context` (S_q, d_v).
    Raises ValueError where shapes do not meet.
    """
    arrays = dict(given)
    X = arrays.get("X")
    for role in "QKV":
        if X is not None and f"W_{role}" in arrays:
            arrays[role] = project_rows(X, arrays[f"W_{role}"])  # (S, d_k) or (S, d_v)
    K = arrays.get("K", X)
    if K is not None:
        arrays["logits"] = dot_logits(arrays.get("Q", K), K)  # (S_q, S)
    logits = arrays["logits"]
    if "factor" in arrays:
        logits = arrays["scaled"] = logits * arrays["factor"]
    if is_scaled and K is not None:
        logits = arrays["scaled"] = scale_logits(logits, K)
    arrays["attn_weights"] = causal_softmax(logits) if is_causal else softmax(logits)
    V = arrays.get("V", X)
    if V is not None:
        arrays["context"] = mix(arrays["attn_weights"], V)  # (S_q, d_v)
    return arrays
