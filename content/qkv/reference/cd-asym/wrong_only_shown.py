# expect: code_printed
import numpy as np


def asymmetric_pair(X, W_Q, W_K):
    """Prints the pairs."""
    L = X @ W_Q @ (X @ W_K).T
    for i, j in np.argwhere(~np.isclose(L, L.T)):
        print(i, j)
