"""Items of the kinds shape, match, order and predict, written as content files write them."""

from __future__ import annotations

from tests.grader.samples import HEAD

SHAPE = (
    HEAD
    + """
slug = "shape"
kind = "shape"
convention = "column"
max_score = 6
sizes = { d = 768, d_k = 64 }
ask = ["W_q", "b_q", "Q", "logits"]
[given]
X = { shape = ["d", "S"] }
W_q = { shape = ["d_k", "d"] }
b_q = { shape = ["d_k"] }
W_k = { like = "W_q" }
[steps]
Q = "project_columns(W_q, X, b_q)"
K = "project_columns(W_k, X)"
logits = "dot_logits_columns(Q, K)"
"""
)

MATCH = (
    HEAD
    + """
slug = "match"
kind = "match"
max_score = 3
[[target]]
key = "parameter"
text = { zh-hans = "参数", en = "parameter" }
[[target]]
key = "activation"
text = { zh-hans = "激活值", en = "activation" }
[[target]]
key = "constant"
text = { zh-hans = "常数", en = "constant" }
[[entry]]
key = "W_Q"
text = { zh-hans = "$W_Q$", en = "$W_Q$" }
target = "parameter"
[[entry]]
key = "Q"
text = { zh-hans = "$Q$", en = "$Q$" }
target = "activation"
[[entry.wrong]]
target = "parameter"
feedback = { zh-hans = "$Q$ 随输入而变", en = "$Q$ changes with the input" }
misconception = "activations_are_trained"
[[entry.wrong]]
target = "constant"
feedback = { zh-hans = "$Q$ 不是常数", en = "$Q$ is no constant" }
[[entry]]
key = "K"
text = { zh-hans = "$K$", en = "$K$" }
target = "activation"
[[entry]]
key = "d_k"
text = { zh-hans = "$d_k$", en = "$d_k$" }
target = "constant"
"""
)

ORDER = (
    HEAD
    + """
slug = "order"
kind = "order"
max_score = 5
[[line]]
key = "q"
code = "Q = X @ W_Q"
[[line]]
key = "k"
code = "K = X @ W_K"
after = []
[[line]]
key = "logits"
code = "logits = Q @ K.T"
[[line]]
key = "scale"
code = "logits = logits / np.sqrt(d_k)"
[[line]]
key = "softmax"
text = { zh-hans = "对每一行做 softmax", en = "softmax of each row" }
feedback = { zh-hans = "先缩放，再做 softmax", en = "scale first, then softmax" }
misconception = "softmax_before_scale"
[[distractor]]
key = "by-width"
code = "logits = logits / d_k"
feedback = { zh-hans = "除以的是 $\\\\sqrt{d_k}$", en = "the divisor is $\\\\sqrt{d_k}$" }
misconception = "scaled_by_width"
[[distractor]]
key = "print"
code = "print(logits)"
feedback = { zh-hans = "这一行什么也不算", en = "this line computes nothing" }
"""
)

ORDER_BY_LINES = ORDER.replace("max_score = 5", 'max_score = 5\ncredit = "subsequence"')

PREDICT = (
    HEAD
    + """
slug = "predict"
kind = "predict"
convention = "row"
max_score = 2
sizes = { S = 3, d = 3, d_k = 2 }
[guess]
question = { zh-hans = "$s_{12}$ 和 $s_{21}$ 一样吗？", en = "Are $s_{12}$ and $s_{21}$ equal?" }
[[guess.option]]
key = "equal"
text = { zh-hans = "一样", en = "equal" }
right = false
feedback = { zh-hans = "$W_Q$ 和 $W_K$ 不同，就不再对称。", en = "With $W_Q$ unlike $W_K$ nothing makes them equal." }
[[guess.option]]
key = "unequal"
text = { zh-hans = "不一样", en = "unequal" }
right = true
feedback = { zh-hans = "各有各的投影。", en = "Each has its own projection." }
[given]
X = { shape = ["S", "d"], draw = [-1, -0.5, 0, 0.5, 1, 2] }
W_Q = { shape = ["d", "d_k"], draw = [-1, -0.5, 0.5, 1, 1.5] }
W_K = { like = "W_Q" }
[steps]
Q = "project_rows(X, W_Q)"
K = "project_rows(X, W_K)"
logits = "dot_logits(Q, K)"
[ask]
logits = { decimals = 2, rows = [0] }
"""
)

LAB = (
    HEAD
    + """
slug = "lab"
kind = "lab"
max_score = 2
[guess]
question = { zh-hans = "$W_Q = W_K$ 时做得到吗？", en = "Can it be done with $W_Q = W_K$?" }
[[guess.option]]
key = "yes"
text = { zh-hans = "能", en = "yes" }
right = false
feedback = { zh-hans = "一来一回总是一样。", en = "There and back are the same." }
[[guess.option]]
key = "no"
text = { zh-hans = "不能", en = "no" }
right = true
feedback = { zh-hans = "对称的表没有单行道。", en = "A symmetric table has no one-way street." }
[lab]
tokens = { zh-hans = ["猫", "坐", "垫"], en = ["cat", "sat", "mat"] }
change = ["W_Q", "W_K"]
[lab.given]
X = [[1, 0], [0, 1], [1, 1]]
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 0], [0, 1]]
[lab.reached_by]
W_Q = [[0, 6], [0, -6]]
[[goal]]
kind = "above"
from = 1
to = 3
bound = 0.4
[[goal]]
kind = "below"
from = 3
to = 1
bound = 0.4
[[goal]]
kind = "one_way"
from = 1
to = 3
bound = 2
"""
)

LAB_TO_LOOK_AT = (
    LAB[: LAB.index("[lab]")].replace('slug = "lab"', 'slug = "look"')
    + """
[lab]
tokens = { zh-hans = ["它", "累", "街"], en = ["it", "tired", "street"] }
scaled = true
[lab.given]
Q = [[1, 0], [0, 1], [1, 1]]
K = [[0, 1], [2, 0], [1, 0]]
V = [[1, 0], [0, 1], [0, 0]]
[[goal]]
kind = "looks_most"
from = 1
"""
)
