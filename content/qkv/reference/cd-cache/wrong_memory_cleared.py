# expect: code_remembers
import numpy as np

keys = values = None


def step(x_t, cache, W_Q, W_K, W_V):
    """Its own memory, begun anew whenever a sentence begins: right as long as no other sentence comes in between."""
    global keys, values
    k, v = (x_t @ W_K)[None], (x_t @ W_V)[None]
    keys = k if cache is None else np.concatenate([keys, k])
    values = v if cache is None else np.concatenate([values, v])
    s = keys @ (x_t @ W_Q) / np.sqrt(keys.shape[1])
    e = np.exp(s - s.max())
    return e @ values / e.sum(), (keys, values)
