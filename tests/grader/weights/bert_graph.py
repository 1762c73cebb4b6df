"""BERT as an ONNX graph, laid out as PyTorch's exporter does it: the witness that knows nothing of our code.

The graph is run by ONNX's own reference evaluator, and saved it is a file for the reader. Its matrices are stored
turned round, under names that say nothing; its nodes keep the places.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

Floats = NDArray[np.float32]


@dataclass
class BertGraph:
    parameters: Mapping[str, Floats]
    layers: int
    heads: int
    epsilon: float = 1e-12
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    stored: dict[str, Floats | NDArray[np.int64]] = field(default_factory=dict)

    def node(self, operation: str, inputs: list[str], name: str = "", **attributes: object) -> str:
        output = f"{operation}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operation, inputs, [output], name=name or output, **attributes))
        return output

    def keep(self, name: str) -> str:
        self.stored[name] = self.parameters[name]
        return name

    def whole(self, name: str, numbers: list[int]) -> str:
        self.stored[name] = np.array(numbers, np.int64)
        return name

    def dense(self, x: str, place: str) -> str:
        hidden = f"onnx::MatMul_{len(self.nodes)}"
        self.stored[hidden] = np.ascontiguousarray(self.parameters[f"{place}.weight"].T)
        product = self.node("MatMul", [x, hidden], name=f"/{place.replace('.', '/')}/MatMul")
        return self.node("Add", [self.keep(f"{place}.bias"), product])

    def norm(self, x: str, place: str) -> str:
        return self.node(
            "LayerNormalization",
            [x, self.keep(f"{place}.weight"), self.keep(f"{place}.bias")],
            axis=-1,
            epsilon=self.epsilon,
        )

    def by_head(self, x: str) -> str:
        width = self.parameters["embeddings.LayerNorm.weight"].shape[0] // self.heads
        split = self.node("Reshape", [x, self.whole("by_head", [-1, self.heads, width])])
        return self.node("Transpose", [split], perm=[1, 0, 2])

    def layer(self, x: str, place: str) -> tuple[str, str]:
        q, k, v = (self.by_head(self.dense(x, f"{place}.attention.self.{part}")) for part in ("query", "key", "value"))
        products = self.node("MatMul", [q, self.node("Transpose", [k], perm=[0, 2, 1])])
        width = self.parameters["embeddings.LayerNorm.weight"].shape[0] // self.heads
        self.stored["root"] = np.array(np.sqrt(width), np.float32)
        attn_weights = self.node("Softmax", [self.node("Div", [products, "root"])], axis=-1)
        mixed = self.node("Transpose", [self.node("MatMul", [attn_weights, v])], perm=[1, 0, 2])
        merged = self.node("Reshape", [mixed, self.whole("merged", [0, -1])])
        found = self.dense(merged, f"{place}.attention.output.dense")
        x = self.norm(self.node("Add", [x, found]), f"{place}.attention.output.LayerNorm")
        inner = self.node("Gelu", [self.dense(x, f"{place}.intermediate.dense")])
        found = self.dense(inner, f"{place}.output.dense")
        return self.norm(self.node("Add", [x, found]), f"{place}.output.LayerNorm"), attn_weights

    def model(self) -> onnx.ModelProto:
        words = self.node("Gather", [self.keep("embeddings.word_embeddings.weight"), "ids"])
        places = self.node("Gather", [self.keep("embeddings.position_embeddings.weight"), "places"])
        segment = self.node("Gather", [self.keep("embeddings.token_type_embeddings.weight"), self.whole("first", [0])])
        summed = self.node("Add", [self.node("Add", [words, places]), segment])
        x = self.norm(summed, "embeddings.LayerNorm")
        maps = []
        for layer in range(self.layers):
            x, attn_weights = self.layer(x, f"encoder.layer.{layer}")
            maps.append(attn_weights)
        graph = helper.make_graph(
            self.nodes,
            "bert",
            [helper.make_tensor_value_info(name, TensorProto.INT64, ["S"]) for name in ("ids", "places")],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in [x, *maps]],
            [numpy_helper.from_array(array, name) for name, array in self.stored.items()],
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)])


def run(model: onnx.ModelProto, ids: list[int]) -> list[Floats]:
    """The last hidden state (S, d), then the attention weights (heads, S, S) of each layer."""
    feeds = {"ids": np.array(ids, np.int64), "places": np.arange(len(ids), dtype=np.int64)}
    found: list[Floats] = ReferenceEvaluator(model).run(None, feeds)
    return found


def random_parameters(layers: int, width: int, vocabulary: int, seed: int = 0) -> dict[str, Floats]:
    rng = np.random.default_rng(seed)
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (vocabulary, width),
        "embeddings.position_embeddings.weight": (16, width),
        "embeddings.token_type_embeddings.weight": (2, width),
        "embeddings.LayerNorm.weight": (width,),
        "embeddings.LayerNorm.bias": (width,),
    }
    for layer in range(layers):
        place = f"encoder.layer.{layer}"
        dense = {f"attention.self.{part}": (width, width) for part in ("query", "key", "value")}
        dense |= {"attention.output.dense": (width, width)}
        dense |= {"intermediate.dense": (4 * width, width), "output.dense": (width, 4 * width)}
        for part, shape in dense.items():
            shapes |= {f"{place}.{part}.weight": shape, f"{place}.{part}.bias": shape[:1]}
        for part in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes |= {f"{place}.{part}.weight": (width,), f"{place}.{part}.bias": (width,)}
    return {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
