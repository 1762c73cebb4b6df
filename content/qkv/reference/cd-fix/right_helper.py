# expect: correct
import numpy as np


def softmax(rows):
    e = np.exp(rows - np.max(rows, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def attention(Q, K, V):
    """The softmax moved out, with its axis said once."""
    return softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])) @ V


def failing_case():
    """A list of arrays does as well as a tuple does."""
    Q = np.eye(3)[:1]
    K = np.eye(3)
    V = np.arange(6.0).reshape(3, 2)
    return Q, K, V
