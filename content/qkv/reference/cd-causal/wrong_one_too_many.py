# expect: mask_sees_next
import numpy as np


def causal_attention(Q, K, V):
    """Slices one token too far: everybody sees the next one."""
    out = []
    for i in range(len(Q)):
        s = Q[i] @ K[: i + 2].T / np.sqrt(Q.shape[1])
        e = np.exp(s - s.max())
        out.append((e / e.sum()) @ V[: i + 2])
    return np.stack(out)
