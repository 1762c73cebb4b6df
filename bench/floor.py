"""The least that a run could cost here: one clone of a warm process, one job in it, its end.

`python -m bench.floor` answers each line on its input with the seconds that one such run took.
"""

from __future__ import annotations

import gc
import os
import sys
import time

from bench.programs import attention_job
from grader.sandbox import disguise, inside, kernel, wire


def forget(_record: bytes) -> None:
    """Where the answer goes: nowhere."""


def main() -> None:
    """Measure once for every line that comes in."""
    request = wire.encode_request(attention_job())
    inside.load_library()
    disguise.put_on()
    inside.walk()
    gc.collect()
    gc.freeze()
    clone = kernel.Clone(0)
    print("warm", flush=True)
    for _ in sys.stdin:
        began = time.perf_counter()
        pid = clone()
        if pid == 0:
            inside.answer(request, forget)
            os._exit(0)
        os.wait4(pid, 0)
        os.close(clone.pidfd)
        print(time.perf_counter() - began, flush=True)


if __name__ == "__main__":
    main()
