# expect: correct
import numpy as np


def attention(Q, K, V, mask=None):
    """Indices written out; NaN of a row that may look at nothing is turned into 0."""
    s = np.einsum("...id,...jd->...ij", Q, K) * K.shape[-1] ** -0.5
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    with np.errstate(invalid="ignore"):
        a = np.exp(s - s.max(axis=-1, keepdims=True))
        a = a / a.sum(axis=-1, keepdims=True)
    return np.einsum("...ij,...jv->...iv", np.nan_to_num(a), V)
