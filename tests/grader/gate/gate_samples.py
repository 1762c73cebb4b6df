"""Items with one flaw each, written as content files write them."""

from __future__ import annotations

from tests.grader import samples
from tests.grader.samples import HEAD

# Dropping b_k changes K, but adds the same to all logits of a query, and softmax does not see that.
KEY_BIAS = (
    HEAD
    + """
slug = "key-bias"
kind = "numeric"
convention = "row"
max_score = 2
sizes = { S = 2, d = 2, d_k = 2 }
[given]
Q = { shape = ["S", "d_k"], draw = [-1, -0.5, 0.5, 1, 1.5] }
X = { shape = ["S", "d"], draw = [-1, -0.5, 0.5, 1, 1.5] }
W_K = { shape = ["d", "d_k"], draw = [-1, -0.5, 0.5, 1, 1.5] }
b_k = { shape = ["d_k"], draw = [-1, 0.5, 1] }
[steps]
K = "project_rows(X, W_K, b_k)"
logits = "dot_logits(Q, K)"
attn_weights = "softmax(logits)"
[ask]
attn_weights = { decimals = 3 }
"""
)

# The last token may look at all, so a forgotten mask does not show in its row.
LAST_ROW = (
    HEAD
    + """
slug = "last-row"
kind = "numeric"
convention = "row"
max_score = 2
sizes = { S = 3 }
[given]
logits = { shape = ["S", "S"], draw = [-1, -0.5, 0, 0.5, 1, 1.5, 2] }
[steps]
attn_weights = "causal_softmax(logits)"
[ask]
attn_weights = { decimals = 3, rows = [2] }
"""
)

# W_K for W_Q in the first step gives K for Q in the third.
TWO_NAMES = (
    HEAD
    + """
slug = "two-names"
kind = "numeric"
convention = "row"
max_score = 2
sizes = { S = 3, d = 3, d_k = 2 }
[given]
X = { shape = ["S", "d"], draw = [-1, -0.5, 0, 0.5, 1, 2] }
W_Q = { shape = ["d", "d_k"], draw = [-1, -0.5, 0.5, 1, 1.5] }
W_K = { like = "W_Q" }
[steps]
Q = "project_rows(X, W_Q)"
K = "project_rows(X, W_K)"
logits = "dot_logits(Q, K)"
[ask]
logits = { decimals = 4 }
"""
)

# The weights fit no shorter decimal, and nobody asks for them.
UNASKED_WEIGHTS = samples.CHAIN.replace(
    """logits = { decimals = 2 }
scaled = { decimals = 3 }
attn_weights = { decimals = 3 }
""",
    "",
)

POOR_DRAW = samples.QKV.replace("draw = [-2, -1, 1, 2, 3]", "draw = [-1, 1]").replace(
    "draw = [-1, -0.5, 0, 0.5, 1, 2]", "draw = [-1, 1]"
)

# Sizes that never meet, and always a bias: every mistake that needs equal sizes raises alike.
UNEQUAL_CASES = (
    samples.CODE.replace('without = ["b"]\n', "")
    .replace("sizes = { S = 2, d = 3, d_k = 4 }", "sizes = { S = 5, d = 3, d_k = 4 }")
    .replace("sizes = { d = 2, d_k = 2 }", "sizes = { d = 3, d_k = 2 }")
    .replace("sizes = { S = 4, d = 3, d_k = 3 }", "sizes = { S = 4, d = 3, d_k = 2 }")
    .replace("sizes = { S = 3, d = 3, d_k = 3 }", "sizes = { S = 2, d = 4, d_k = 3 }")
)

# `b` may be given, and no case gives it.
NO_BIAS_CASES = samples.CODE.replace('without = ["b"]\n', "").replace("[[case]]", '[[case]]\nwithout = ["b"]')
