# expect: softmax_argmax
import numpy as np


def attention(Q, K, V, mask=None):
    """Looks at the best key and at nothing else."""
    logits = Q @ K.T / np.sqrt(K.shape[-1])
    if mask is None:
        return np.eye(len(K))[logits.argmax(axis=-1)] @ V
    logits = np.where(mask, logits, -np.inf)
    return (np.eye(len(K))[logits.argmax(axis=-1)] * mask.any(axis=-1)[:, None]) @ V
