"""Code items of every make, small, written as content files write them."""

from __future__ import annotations

from tests.grader.samples import HEAD

NUMBERS = "[-2, -1, -0.5, 0.5, 1, 2]"

# A projection with all its properties.
PROJECT = (
    HEAD
    + f"""
slug = "cd-project"
kind = "code"
convention = "row"
max_score = 5
function = "project"
parameters = ["x", "W", "b"]
optional = ["b"]
starter = {{ zh-hans = "…", en = "…" }}
credit = {{ values = 3, shapes = 1, inputs = 1 }}
sizes = {{ S = 3, d = 4, d_k = 2, B = 2 }}
case = [
  {{ group = "visible", seed = 1, sizes = {{ S = 2, d = 3, d_k = 4 }} }},
  {{ group = "hidden", sizes = [{{ S = 4, d = 3, d_k = 3 }}, {{ S = 3, d = 2, d_k = 3 }}] }},
  {{ group = "hidden", without = ["b"], sizes = {{ S = 2, d = 4, d_k = 3 }} }},
  {{ group = "hidden", property = "shapes", given = {{ x = ["d"] }}, sizes = {{ d = 2, d_k = 3 }} }},
  {{ group = "hidden", property = "shapes", given = {{ x = ["B", "S", "d"] }}, sizes = {{ B = 2, S = 3, d = 4, d_k = 2 }} }},
  {{ group = "hidden", property = "inputs", sizes = {{ S = 4, d = 3, d_k = 2 }}, variations = ["float32", "int64", "fortran", "strided", "read_only"] }},
]
[given]
x = {{ shape = ["S", "d"], draw = {NUMBERS} }}
W = {{ shape = ["d", "d_k"], draw = {NUMBERS} }}
b = {{ shape = ["d_k"], draw = {NUMBERS} }}
[steps]
q = "project_rows(x, W, b)"
[ask]
q = {{}}
"""
)

# Softmax along an axis, with extreme logits.
SOFTMAX = (
    HEAD
    + f"""
slug = "cd-softmax"
kind = "code"
convention = "row"
max_score = 4
function = "softmax"
parameters = ["logits", "axis"]
optional = ["axis"]
starter = {{ zh-hans = "…", en = "…" }}
credit = {{ values = 3, stability = 1 }}
sizes = {{ S = 3, K = 4 }}
case = [
  {{ group = "visible", seed = 1, without = ["axis"], sizes = {{ S = 2, K = 3 }} }},
  {{ group = "hidden", sizes = [{{ S = 3, K = 2 }}, {{ S = 2, K = 4 }}] }},
  {{ group = "hidden", without = ["axis"], sizes = {{ S = 3, K = 3 }} }},
  {{ group = "hidden", property = "stability", scale = {{ logits = 1000 }}, sizes = {{ S = 2, K = 3 }} }},
]
[given]
logits = {{ shape = ["S", "K"], draw = {NUMBERS} }}
axis = {{ shape = [], draw = [0, 1] }}
[steps]
attn_weights = "softmax(logits, axis)"
[ask]
attn_weights = {{}}
"""
)

# One step with a cache: it takes a pair, or None, and returns an array and a pair.
CACHE = (
    HEAD
    + f"""
slug = "cd-cache"
kind = "code"
convention = "row"
max_score = 5
function = "step"
parameters = ["x_t", "cache", "W_Q", "W_K", "W_V"]
optional = ["cache"]
pairs = {{ cache = ["K_past", "V_past"] }}
returns = ["out", ["K", "V"]]
work = ["K", "V"]
carry = {{ K_past = "K", V_past = "V" }}
keep = ["W_Q", "W_K", "W_V"]
starter = {{ zh-hans = "…", en = "…" }}
credit = {{ values = 3, work = 2 }}
sizes = {{ S = 2, d = 3, d_k = 2, d_v = 4 }}
case = [
  {{ group = "visible", seed = 1, without = ["cache"], sizes = {{ d = 3, d_k = 2, d_v = 4 }} }},
  {{ group = "visible", seed = 2, sizes = {{ S = 2, d = 3, d_k = 2, d_v = 4 }} }},
  {{ group = "hidden", turns = "ABAB", sizes = {{ d = 3, d_k = 2, d_v = 4 }} }},
  {{ group = "hidden", sizes = [{{ S = 1, d = 3, d_k = 2, d_v = 4 }}, {{ S = 4, d = 2, d_k = 3, d_v = 2 }}] }},
  {{ group = "hidden", without = ["cache"], sizes = {{ d = 3, d_k = 2, d_v = 4 }} }},
  {{ group = "hidden", sizes = {{ S = 3, d = 3, d_k = 3, d_v = 3 }} }},
]
[given]
x_t = {{ shape = ["d"], draw = {NUMBERS} }}
K_past = {{ shape = ["S", "d_k"], draw = {NUMBERS} }}
V_past = {{ shape = ["S", "d_v"], draw = {NUMBERS} }}
W_Q = {{ shape = ["d", "d_k"], draw = {NUMBERS} }}
W_K = {{ shape = ["d", "d_k"], draw = {NUMBERS} }}
W_V = {{ shape = ["d", "d_v"], draw = {NUMBERS} }}
[steps]
q = "project_rows(x_t, W_Q)"
k = "project_rows(x_t, W_K)"
v = "project_rows(x_t, W_V)"
K = "append_row(K_past, k)"
V = "append_row(V_past, v)"
logits = "dot_logits(q, K)"
scaled = "scale_logits(logits, K)"
attn_weights = "softmax(scaled)"
out = "mix(attn_weights, V)"
[ask]
K = {{}}
V = {{}}
out = {{}}
"""
)

# Any pair that is not symmetric.
PAIR = (
    HEAD
    + """
slug = "cd-asym"
kind = "code"
convention = "row"
max_score = 2
function = "find_pair"
parameters = ["X", "W_Q", "W_K"]
judge = "asymmetric_pair"
starter = { zh-hans = "…", en = "…" }
sizes = { S = 4, d = 2, d_k = 2 }
case = [
  { group = "visible", seed = 1, sizes = { S = 4, d = 2, d_k = 2 } },
  { group = "hidden", sizes = [{ S = 3, d = 2, d_k = 1 }, { S = 5, d = 2, d_k = 2 }, { S = 4, d = 2, d_k = 3 }] },
]
[given]
X = { shape = ["S", "d"], draw = [-1, 0, 1, 2] }
W_Q = { shape = ["d", "d_k"], draw = [-1, 1, 2] }
W_K = { shape = ["d", "d_k"], draw = [-1, 1, 2] }
[steps]
Q = "project_rows(X, W_Q)"
K = "project_rows(X, W_K)"
logits = "dot_logits(Q, K)"
[ask]
logits = {}
"""
)

# A scale is missing: mend it, and show where that matters.
FIX = (
    HEAD
    + f"""
slug = "cd-fix"
kind = "code"
convention = "row"
max_score = 4
function = "attention"
parameters = ["Q", "K", "V"]
starter = {{ zh-hans = "…", en = "…" }}
credit = {{ values = 2, example = 2 }}
sizes = {{ N = 2, S = 3, d_k = 4, d_v = 2 }}
case = [
  {{ group = "visible", seed = 1, sizes = {{ N = 2, S = 3, d_k = 4, d_v = 2 }} }},
  {{ group = "hidden", sizes = [{{ N = 4, S = 2, d_k = 3, d_v = 5 }}, {{ N = 3, S = 3, d_k = 3, d_v = 3 }}] }},
]
[given]
Q = {{ shape = ["N", "d_k"], draw = {NUMBERS} }}
K = {{ shape = ["S", "d_k"], draw = {NUMBERS} }}
V = {{ shape = ["S", "d_v"], draw = {NUMBERS} }}
[steps]
logits = "dot_logits(Q, K)"
scaled = "scale_logits(logits, K)"
attn_weights = "softmax(scaled)"
context = "mix(attn_weights, V)"
[ask]
context = {{}}
[bug]
step = "scaled"
slip = "scale_missing"
shown_by = "failing_case"
"""
)

# A mask that may be left out; a query that may look at nothing gets zeros.
ATTEND = (
    HEAD
    + f"""
slug = "cd-attend"
kind = "code"
convention = "row"
max_score = 4
function = "attention"
parameters = ["Q", "K", "V", "mask"]
optional = ["mask"]
dtype = {{ mask = "bool" }}
starter = {{ zh-hans = "…", en = "…" }}
credit = {{ values = 3, stability = 1 }}
sizes = {{ N = 2, S = 3, d_k = 4, d_v = 2 }}
case = [
  {{ group = "visible", seed = 1, without = ["mask"], sizes = {{ N = 2, S = 3, d_k = 4, d_v = 2 }} }},
  {{ group = "hidden", without = ["mask"], sizes = {{ N = 4, S = 2, d_k = 3, d_v = 5 }} }},
  {{ group = "hidden", sizes = [{{ N = 2, S = 4, d_k = 3, d_v = 2 }}, {{ N = 3, S = 3, d_k = 3, d_v = 3 }}] }},
  {{ group = "hidden", property = "stability", draw = {{ mask = [0] }}, sizes = {{ N = 2, S = 3, d_k = 2, d_v = 2 }} }},
  {{ group = "hidden", property = "stability", scale = {{ Q = 1000 }}, sizes = {{ N = 2, S = 3, d_k = 2, d_v = 2 }} }},
]
[given]
Q = {{ shape = ["N", "d_k"], draw = {NUMBERS} }}
K = {{ shape = ["S", "d_k"], draw = {NUMBERS} }}
V = {{ shape = ["S", "d_v"], draw = {NUMBERS} }}
mask = {{ shape = ["N", "S"], draw = [0, 1, 1] }}
[steps]
logits = "dot_logits(Q, K)"
scaled = "scale_logits(logits, K)"
attn_weights = "masked_softmax(scaled, mask)"
context = "mix(attn_weights, V)"
[ask]
context = {{}}
"""
)

ALL = {"project": PROJECT, "softmax": SOFTMAX, "cache": CACHE, "pair": PAIR, "fix": FIX, "attend": ATTEND}
