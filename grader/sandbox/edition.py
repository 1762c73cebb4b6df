"""Which edition of the sandbox's files a process was started from.

A worker lives for weeks, and its keepers are started anew every few minutes. If the files change in between, the two
halves no longer speak the same format, and a learner would be blamed for what neither understands of the other.
"""

from __future__ import annotations

import hashlib
from pathlib import Path


def edition() -> str:
    """Return a fingerprint of the files as they are now."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
