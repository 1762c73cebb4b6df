# expect: code_remembers
import numpy as np


class Cache:
    """Rows that are added one by one."""

    def __init__(self):
        self.rows = []

    def add(self, row):
        """All rows, the new one among them."""
        self.rows.append(row)
        return np.stack(self.rows)


KEYS, VALUES = Cache(), Cache()


def step(x_t, cache, W_Q, W_K, W_V):
    """Objects of a class of its own hold the cache; who begins a new sentence is not asked."""
    K, V = KEYS.add(x_t @ W_K), VALUES.add(x_t @ W_V)
    s = np.einsum("td,d->t", K, x_t @ W_Q) / np.sqrt(K.shape[-1])
    shares = np.exp(s - s.max())
    return shares / shares.sum() @ V, (K, V)
