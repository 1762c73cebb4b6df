# expect: softmax_down_columns
import numpy as np


def naive_attention(X):
    """Shares over the first axis: what each token is given, not what it gives."""
    logits = X @ X.T
    e = np.exp(logits - logits.max(axis=0))
    weights = e / e.sum(axis=0)
    return weights @ X
