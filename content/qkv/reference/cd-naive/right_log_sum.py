# expect: correct
import numpy as np


def naive_attention(X):
    """softmax as exp(s − log Σ e^s), with the sum taken stably."""
    scores = X @ X.T
    log_total = np.logaddexp.reduce(scores, axis=1)
    return np.exp(scores - log_total[:, None]) @ X
