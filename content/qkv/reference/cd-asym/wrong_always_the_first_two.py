# expect: code_judged
def asymmetric_pair(X, W_Q, W_K):
    """The first two tokens, whatever the numbers."""
    return 0, 1
