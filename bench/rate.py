"""`python -m bench.rate SECONDS CORE`: how many runs a second one sandbox does on one processor."""

from __future__ import annotations

import os
import sys
import time

from bench.programs import attention_job
from grader.sandbox import Sandbox

WARM_RUNS = 20


def main(seconds: float, core: int) -> None:
    """Run as many as there is time for, and print the rate."""
    os.sched_setaffinity(0, {core})
    job = attention_job()
    with Sandbox() as jail:
        for _ in range(WARM_RUNS):
            jail.run(job)
        began = time.perf_counter()
        count = 0
        while time.perf_counter() - began < seconds:
            jail.run(job)
            count += 1
        print(count / (time.perf_counter() - began))


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]))
