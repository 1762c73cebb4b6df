# expect: correct
import numpy as np


def asymmetric_pair(X, W_Q, W_K):
    """Tries every pair and stops at the first that differs."""
    L = (X @ W_Q) @ (X @ W_K).T
    for i in range(len(X)):
        for j in range(i + 1, len(X)):
            if abs(L[i, j] - L[j, i]) > 1e-6:
                return i, j
