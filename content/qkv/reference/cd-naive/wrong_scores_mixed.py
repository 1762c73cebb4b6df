# expect: stopped_early
import numpy as np


def naive_attention(X):
    """Mixes by the bare scores."""
    logits = X @ X.T
    return logits @ X
