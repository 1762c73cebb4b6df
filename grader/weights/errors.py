"""What is wrong with a model file, in one sentence for the person at the terminal."""

from __future__ import annotations


class WeightsError(Exception):
    """A model file is broken, or does not hold what was asked of it."""
