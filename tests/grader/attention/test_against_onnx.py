"""The core against an independent oracle: the reference evaluator of ONNX's Attention operator (opset 23)."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

from grader.attention.attention import attention, causal_mask
from grader.attention.heads import attend_by_heads, merge_heads, split_heads
from grader.attention.kv_cache import Projections, decode, prefill

FLOAT = TensorProto.FLOAT


def random(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed + sum(shape)).normal(size=shape).astype(np.float32)


def onnx_attention(inputs: dict[str, np.ndarray], outputs: tuple[str, ...] = ("Y",), **attributes: object) -> list:
    """Run one Attention node; inputs in the operator's order, "" for one that is left out."""
    types = {name: FLOAT if value.dtype == np.float32 else TensorProto.BOOL for name, value in inputs.items()}
    order = ("Q", "K", "V", "attn_mask", "past_key", "past_value")
    present = [name if name in inputs else "" for name in order]
    while present[-1] == "":
        present.pop()
    node = helper.make_node("Attention", present, list(outputs), **attributes)
    graph = helper.make_graph(
        [node],
        "attention",
        [helper.make_tensor_value_info(name, types[name], value.shape) for name, value in inputs.items()],
        [helper.make_tensor_value_info(name, FLOAT, None) for name in outputs],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)])
    return ReferenceEvaluator(model).run(None, inputs)


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize(("n_heads", "n_kv"), [(1, 1), (4, 4), (4, 2), (4, 1)])
def test_heads_of_every_grouping_agree(n_heads, n_kv, is_causal):
    S, d_head = 5, 3
    Q, K, V = random(S, n_heads * d_head), random(S, n_kv * d_head, seed=1), random(S, n_kv * d_head, seed=2)

    ours = attend_by_heads(Q, K, V, n_heads, causal_mask(S) if is_causal else None)

    (theirs,) = onnx_attention(
        {
            name: split_heads(value, heads)[None]
            for name, value, heads in (("Q", Q, n_heads), ("K", K, n_kv), ("V", V, n_kv))
        },
        is_causal=int(is_causal),
    )
    assert ours.dtype == np.float32
    assert np.allclose(ours, merge_heads(theirs[0]), atol=1e-6)


def test_a_boolean_mask_agrees_and_queries_need_not_be_as_many_as_keys():
    Q, K, V = random(2, 3, 4), random(2, 5, 4), random(2, 5, 6)
    mask = np.array([[1, 0, 1, 1, 0], [0, 1, 0, 0, 0], [1, 1, 1, 1, 1]], dtype=bool)

    (theirs,) = onnx_attention({"Q": Q[None], "K": K[None], "V": V[None], "attn_mask": mask})

    assert np.allclose(attention(Q, K, V, mask), theirs[0], atol=1e-6)


def test_a_cache_agrees_with_past_keys_and_values():
    d, d_k = 4, 3
    parameters = Projections(random(d, d_k), random(d, d_k, seed=1), random(d, d_k, seed=2))
    X = random(6, d)
    _, cache = prefill(X[:4], parameters)

    ours, longer = decode(X[4:], cache, parameters)

    rows = {"Q": X[4:] @ parameters.W_Q, "K": X[4:] @ parameters.W_K, "V": X[4:] @ parameters.W_V}
    past = {"past_key": cache.K[None, None], "past_value": cache.V[None, None]}
    theirs, keys, values = onnx_attention(
        {name: value[None, None] for name, value in rows.items()} | {"attn_mask": causal_mask(2, past=4)} | past,
        outputs=("Y", "present_key", "present_value"),
    )
    assert np.allclose(ours, theirs[0, 0], atol=1e-6)
    assert np.allclose(longer.K, keys[0, 0], atol=1e-6)
    assert np.allclose(longer.V, values[0, 0], atol=1e-6)
