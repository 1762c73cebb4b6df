# expect: code_list
def project(x, W, b=None):
    """Plain Python all the way: the numbers are right, but they come back as a list."""
    q = x @ W
    if b is not None:
        q = q + b
    return q.tolist()
