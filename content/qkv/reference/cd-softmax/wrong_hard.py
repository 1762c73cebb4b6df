# expect: softmax_argmax
import numpy as np


def softmax(logits, axis=-1):
    """Everything to the winner."""
    shares = np.zeros(logits.shape)
    winner = np.expand_dims(np.argmax(logits, axis=axis), axis)
    np.put_along_axis(shares, winner, 1.0, axis=axis)
    return shares
