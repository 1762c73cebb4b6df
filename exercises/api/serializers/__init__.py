"""The JSON of what the API shows. Each field is named here: nothing reaches an answer because an object happens to hold it.

Options have a key and a text, but not whether they are right; items have a prompt, but neither derivation nor rubric.
"""

from __future__ import annotations
