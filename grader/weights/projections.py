"""W_Q, W_K, W_V and their biases of one layer, in the row convention, out of the names that model families use.

PyTorch stores a matrix as [out, in] and computes x W.T; the row convention multiplies x by a matrix [in, out]. So what
is stored is the column convention's W_q, and W_Q is its transpose. GPT-2 alone stores [in, out].
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from grader.attention.projection import Array, project_rows
from grader.weights.errors import WeightsError
from grader.weights.tensors import ModelFile, Parameter, finite

ROLES = ("Q", "K", "V")


@dataclass(frozen=True, slots=True)
class Heads:
    """How many heads ask, and how many heads of keys and values they share; as many, where None."""

    queries: int
    keys: int | None = None

    def __post_init__(self) -> None:
        if self.queries < 1 or (self.keys is not None and self.keys < 1):
            raise WeightsError("a layer has at least one head")


@dataclass(frozen=True, slots=True)
class Projection:
    """One learned projection x W + b: W is (d, n · d_head), b is (n · d_head,) or None."""

    W: Parameter
    b: Parameter | None

    def head(self, head: int, d_head: int) -> Projection:
        """The columns of one head."""
        columns = slice(head * d_head, (head + 1) * d_head)
        return Projection(self.W[:, columns], None if self.b is None else self.b[columns])

    def checked(self, name: str) -> tuple[Array, Array | None]:
        """W and b in double precision. Raises WeightsError where one of their numbers is none."""
        return finite(name, self.W), None if self.b is None else finite(name, self.b)


@dataclass(frozen=True, slots=True)
class LayerProjections:
    """The three projections of a layer, by role Q, K and V, and the names of the tensors that they were read from."""

    by_role: Mapping[str, Projection]
    heads: int
    key_heads: int
    names: tuple[str, ...]

    @property
    def d_head(self) -> int:
        """How many numbers a query of one head has."""
        return int(self.by_role["Q"].W.shape[1]) // self.heads

    def head(self, head: int) -> dict[str, Projection]:
        """One head's three projections; grouped heads share their key and value head."""
        if not 0 <= head < self.heads:
            raise WeightsError(f"the layer has heads 0 to {self.heads - 1}, and no head {head}")
        shared = self.shared_by(head)
        return {role: self.by_role[role].head(head if role == "Q" else shared, self.d_head) for role in ROLES}

    def shared_by(self, head: int) -> int:
        """The head of keys and values that a head of queries looks at."""
        return head * self.key_heads // self.heads

    def project(self, X: Array) -> tuple[Array, Array, Array]:
        """Q (S, heads · d_head), K and V (S, key_heads · d_head) of X (S, d), all heads side by side."""
        return self._project(X, self.by_role)

    def project_head(self, head: int, X: Array) -> tuple[Array, Array, Array]:
        """One head's q, k and v of X: (S, d_head) each."""
        return self._project(X, self.head(head))

    def _project(self, X: Array, found: Mapping[str, Projection]) -> tuple[Array, Array, Array]:
        if X.shape[-1] != len(found["Q"].W):
            raise WeightsError(f"{self.names[0]} cannot take vectors of {X.shape[-1]} numbers")
        Q, K, V = (project_rows(X, *found[role].checked(self.names[0])) for role in ROLES)
        return Q, K, V


@dataclass(frozen=True, slots=True)
class Family:
    """A way to name the tensors of layer {layer}. `split` turns a fused matrix [out, …] into those of Q, K and V."""

    name: str
    pattern: str
    parts: tuple[str, ...] = ("",)
    split: Callable[[Parameter, Heads], list[Parameter]] | None = None
    is_transposed: bool = False

    def find(self, model: ModelFile, layer: int) -> list[str]:
        """The names of its matrices in this file, without the ending .weight; none where the layer is named otherwise."""
        beginnings = [self.pattern.format(layer=layer, part=part) for part in self.parts]
        prefixes = [
            name.removesuffix(f"{beginnings[0]}.weight") for name in model.tensors if _ends(name, beginnings[0])
        ]
        if len(prefixes) > 1:
            raise WeightsError(f"several tensors are called …{beginnings[0]}.weight: {', '.join(sorted(prefixes))}")
        found = [f"{prefix}{beginning}" for prefix in prefixes for beginning in beginnings]
        return found if all(f"{name}.weight" in model.tensors for name in found) else []


def _ends(name: str, beginning: str) -> bool:
    return re.search(rf"(^|\.){re.escape(beginning)}\.weight$", name) is not None


def in_blocks(fused: Parameter, heads: Heads) -> list[Parameter]:
    """All queries' rows, then all keys', then all values'."""
    rows = len(fused)
    d_head = rows // (heads.queries + 2 * (heads.keys or heads.queries))
    sizes = [heads.queries * d_head] + [(heads.keys or heads.queries) * d_head] * 2
    if sum(sizes) != rows:
        raise WeightsError(f"{rows} fused rows cannot be those of {heads.queries} heads and their keys and values")
    return np.split(fused, np.cumsum(sizes)[:2])


def by_head(fused: Parameter, heads: Heads) -> list[Parameter]:
    """Head by head: its queries' rows, its keys', its values'."""
    if heads.keys not in {None, heads.queries} or len(fused) % (3 * heads.queries):
        raise WeightsError(f"{len(fused)} fused rows cannot be three equal parts of each of {heads.queries} heads")
    d_head = len(fused) // (3 * heads.queries)
    parts = fused.reshape(heads.queries, 3, d_head, *fused.shape[1:])
    return [parts[:, role].reshape(heads.queries * d_head, *fused.shape[1:]) for role in range(3)]


FAMILIES = (
    Family("BERT", "encoder.layer.{layer}.attention.self.{part}", ("query", "key", "value")),
    Family("DistilBERT", "transformer.layer.{layer}.attention.{part}_lin", ("q", "k", "v")),
    Family("LLaMA", "layers.{layer}.self_attn.{part}_proj", ("q", "k", "v")),
    Family("GPT-2", "h.{layer}.attn.c_attn", split=in_blocks, is_transposed=True),
    Family("BLOOM", "h.{layer}.self_attention.query_key_value", split=by_head),
    Family("GPT-NeoX", "layers.{layer}.attention.query_key_value", split=by_head),
    Family("GGUF", "blk.{layer}.attn_{part}", ("q", "k", "v")),
    Family("GGUF, fused", "blk.{layer}.attn_qkv", split=in_blocks),
)


def read_projections(model: ModelFile, layer: int, heads: Heads) -> LayerProjections:
    """The three projections of one layer. Raises WeightsError, with the names there are, where they are not found."""
    for family in FAMILIES:
        names = family.find(model, layer)
        if names:
            return _checked(model, _read(model, family, names, heads), heads, names)
    raise WeightsError(f"no W_q, W_k, W_v of layer {layer} are named in a way known here.\n{tensor_list(model)}")


def _read(model: ModelFile, family: Family, names: list[str], heads: Heads) -> dict[str, Projection]:
    """Row convention: the stored [out, in] is turned round, and a fused matrix is cut along its outputs."""
    stored = [model.parameter(f"{name}.weight") for name in names]
    matrices = [matrix.T if family.is_transposed else matrix for matrix in stored]
    biases = [model.parameter(f"{name}.bias") for name in names if f"{name}.bias" in model.tensors]
    if biases and len(biases) < len(names):
        raise WeightsError(f"{names[0]} and its two fellows must all have a bias, or none of them")
    if any(matrix.ndim != 2 for matrix in matrices) or any(bias.ndim != 1 for bias in biases):  # noqa: PLR2004 -- a matrix
        raise WeightsError(f"{names[0]}.weight is no matrix, or its bias no vector")
    if not all(matrix.size for matrix in matrices):
        raise WeightsError(f"{names[0]}.weight, or a fellow of it, has no numbers")
    if family.split:
        matrices = family.split(matrices[0], heads)
        biases = family.split(biases[0], heads) if biases else []
    return {
        role: Projection(matrix.T, biases[index] if biases else None)
        for index, (role, matrix) in enumerate(zip(ROLES, matrices, strict=True))
    }


def _checked(model: ModelFile, found: dict[str, Projection], heads: Heads, names: list[str]) -> LayerProjections:
    """Shapes that go together, and how many heads of keys there are."""
    widths = {role: int(found[role].W.shape[1]) for role in ROLES}
    if len({found[role].W.shape[0] for role in ROLES}) > 1 or widths["K"] != widths["V"]:
        raise WeightsError(f"the shapes of {', '.join(names)} do not go together")
    if any(part.b is not None and len(part.b) != part.W.shape[1] for part in found.values()):
        raise WeightsError(f"the biases of {', '.join(names)} do not fit their matrices")
    d_head, rest = divmod(widths["Q"], heads.queries)
    if rest or not d_head or widths["K"] % d_head:
        raise WeightsError(
            f"queries of {widths['Q']} numbers cannot be {heads.queries} heads with keys of {widths['K']}"
        )
    key_heads = widths["K"] // d_head
    if heads.keys not in {None, key_heads} or not key_heads or heads.queries % key_heads:
        raise WeightsError(f"{model.path.name} has {key_heads} heads of keys, which {heads.queries} heads cannot share")
    return LayerProjections(found, heads.queries, key_heads, tuple(f"{name}.weight" for name in names))


MOST_LISTED = 40


def tensor_list(model: ModelFile) -> str:
    """The matrices of a file, one a line, so that a person can see how it names them."""
    lines = [f"  {t.name}  {t.storage} {list(t.shape)}" for t in model.tensors.values() if len(t.shape) > 1]
    more = [f"  … and {len(lines) - MOST_LISTED} more"] if len(lines) > MOST_LISTED else []
    return "\n".join(["Its matrices are:", *lines[:MOST_LISTED], *more])
