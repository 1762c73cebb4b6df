"""Run a learner's Python in a jail.

THEORY OF OPERATION

Three processes take part in a run.

    worker   the grader's own process; holds a `Sandbox`. It owns the broker connection and the expected values.
    keeper   started by the worker with a bare environment and one socket (`zygote` is the worker's end, `keeper` the
             other). It loads numpy and the allowed library, goes to jail for good (`jail`), and from then on does two
             things: it clones children, and it buries them (`watch`). It never sees a learner's byte. Above tier 1 it
             is the first process of a namespace of its own; what the worker started waits outside, with no descriptor.
    child    cloned by the keeper for one run. It raises the few walls that a clone does not inherit (`child`), reads one
             submission, runs all of its cases (`inside`), and ends.

Rights. Keeper and children live in one jail: an id without rights (as root, one of five hundred that Debian reserves), no file system,
no network, no way to another identity, some forty system calls. In its namespace of users the keeper has one
capability, with which it gives every child a fresh namespace of processes and one of System V objects. A child gives
that capability up first of all. The filter of system calls allows `clone` with just the keeper's flags, and those need
the capability: so a child can neither fork as others do (wrong flags) nor as its keeper does (no right), and its limit
of processes is 0 besides. In `policy` every call that only the keeper needs stands with the reason why a child can do
nothing with it.

Files. Requests and results cross in three memory files that the worker makes afresh for every run: request (the child
may read it), output and result (the child may add to the end). Descriptors 0 to 4 in the child are an empty input,
output twice, request, result; the three or four that it inherits from the keeper are closed before it reads a request.
What keeper and children share besides, the jail itself, has no name that a child could use and no state that it could
change: no memory is shared, and nothing outlives a run.

    worker --RUN, descriptors--> keeper --clone--> child: raise its walls, tell of them, read the request, run it,
    worker <--ENDED-- keeper: wait for the end by pidfd, with the clocks of both kinds in view        write records
    worker: parse the records as a stranger's (`wire`), choose the status (`classify`)

Who kills whom. The keeper kills the child at a limit: CPU time by the child's clock, wall time by its own. The kernel
kills the child when it makes a call that no honest program makes, when memory runs out, and when the keeper dies (by
the child's death signal, and above tier 1 with the keeper's namespace as well). The keeper kills the child and ends
when its socket closes, so a worker killed with -9 leaves nothing behind. The worker kills a keeper that does not answer,
that is old, or whose child tried to break out or met a limit of time.

What may change meanwhile. Keepers are started anew from the files that are there then. One whose files are of another
edition than the worker's (`edition`), that cannot load all of the library, or in which a program of ours ends otherwise
than it must (`inside.walk`), refuses: a half-done upgrade is our failure, and never a learner's.

What is believed. Time, memory, signals and sizes are measured outside. Which walls stand is settled before a learner's
byte exists in the child, and told through a pipe that the child has closed by then. After that, everything that comes
from the child counts as the learner's answer and no more: it may be wrong or forged, and it cannot turn into an
internal error. Expected values are never in a child.

Tiers. 3 is all of this. 2 goes without mounts, for containers: the root is not empty, but no call that takes a path is
allowed. 1 goes without namespaces: Landlock, seccomp, limits and, as root, an id of its own; since keeper and child then
see each other, every child adds the strict filter and a second ruleset, which costs it a quarter of a millisecond. A
missing wall of the tier means no run; there is no tier 0. In tier 1 an ordinary user's child has the worker's own id:
signals to the worker are then stopped by seccomp and, from Linux 6.12 on, by Landlock; on an older kernel by seccomp
alone. Take tier 2, or start as root, where that is not enough.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

from grader.sandbox import kernel, selftest, wire
from grader.sandbox.classify import result_of
from grader.sandbox.job import Job, Limits
from grader.sandbox.layers import HIGHEST_TIER, KERNEL_ADVICE, LOWEST_TIER, NAMESPACE_ADVICE
from grader.sandbox.result import RunResult, RunStatus
from grader.sandbox.zygote import Zygote, ZygoteLostError, ZygoteRefusedError

logger = logging.getLogger(__name__)

MAX_RUNS: Final = 500
MAX_AGE_SECONDS: Final = 600.0
TRIED_TWICE: Final = frozenset({RunStatus.TIME_LIMIT, RunStatus.INTERNAL_ERROR})
# After these the keeper is not trusted any further.
REPLACING: Final = frozenset({RunStatus.SECURITY_VIOLATION, RunStatus.INTERNAL_ERROR})


class SandboxUnavailable(Exception):  # noqa: N818 -- it is a state of the machine, and reads as one
    """Code cannot be run safely here. The text says in one sentence what is missing and what to do."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Sandbox:
    """Runs one job at a time; one per grader process. Starting one proves that its walls hold, or raises."""

    def __init__(self, *, minimum_tier: int = HIGHEST_TIER, maximum_tier: int = HIGHEST_TIER) -> None:
        if not LOWEST_TIER <= minimum_tier <= maximum_tier <= HIGHEST_TIER:
            raise ValueError(f"a tier lies between {LOWEST_TIER} and {HIGHEST_TIER}")
        reason = kernel.unsupported_reason()
        if reason:
            raise SandboxUnavailable(reason)
        self._lock = threading.Lock()
        self._owner = os.getpid()
        self._is_closed = False
        self._zygote, self._born = _highest(minimum_tier, maximum_tier), time.monotonic()
        self.tier = self._zygote.tier
        self.layers = self._zygote.wait_until_settled()
        try:
            _prove(self._attempt)
        except BaseException:
            self.close()
            raise

    def run(self, job: Job) -> RunResult:
        """Run a job. A time limit counts once a fresh keeper's child has met it too; our own failure is tried twice."""
        if os.getpid() != self._owner:
            raise RuntimeError("a sandbox belongs to the process that opened it: results would get mixed up")
        with self._lock:
            if self._is_closed:
                raise RuntimeError("this sandbox is closed")
            first = self._attempt(job)
            if first.status is RunStatus.TIME_LIMIT:
                self._replace_zygote(job.limits)
            return self._attempt(job) if first.status in TRIED_TWICE else first

    def close(self) -> None:
        """End every process of this sandbox, for good."""
        self._is_closed = True
        self._zygote.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _attempt(self, job: Job) -> RunResult:
        is_old = self._zygote.runs >= MAX_RUNS or time.monotonic() - self._born > MAX_AGE_SECONDS
        if is_old or not self._zygote.allows(job.limits):
            self._replace_zygote(job.limits)
        try:
            outcome = run_on(self._zygote, job)
        except BaseException:
            # The worker was interrupted, and the keeper's answer to this run must not become that of the next.
            self._replace_zygote(job.limits)
            raise
        if outcome.status in REPLACING:
            self._replace_zygote(job.limits)
        return outcome

    def _replace_zygote(self, limits: Limits) -> None:
        self._zygote.close()
        self._zygote, self._born = Zygote(self.tier, limits), time.monotonic()


def run_on(zygote: Zygote, job: Job) -> RunResult:
    """Have one keeper run a job, once; whatever fails on our side is an internal error."""
    try:
        ended, result, output = zygote.run(wire.encode_request(job), job.limits)
    except (ZygoteLostError, ZygoteRefusedError) as error:
        logger.error("A run failed by our own fault: %s", error)  # noqa: TRY400 -- the text says it all
        return RunResult(RunStatus.INTERNAL_ERROR)
    forms = [case.returns for case in job.cases]
    return result_of(ended, result, output, forms=forms, limits=job.limits)


def _highest(minimum_tier: int, maximum_tier: int) -> Zygote:
    """Boot a keeper in the highest tier that stands here."""
    reasons: list[str] = []
    for tier in range(maximum_tier, minimum_tier - 1, -1):
        zygote = Zygote(tier, Limits())
        try:
            zygote.wait_until_settled()
        except (ZygoteRefusedError, ZygoteLostError) as refusal:
            reasons.append(str(refusal))
            zygote.close()
        else:
            return zygote
    advice = NAMESPACE_ADVICE if minimum_tier > LOWEST_TIER else KERNEL_ADVICE
    raise SandboxUnavailable(
        f"The sandbox cannot reach tier {minimum_tier} here: {reasons[0]}. To change that, {advice}; "
        "`python -m grader.sandbox check` shows every layer."
    )


def _prove(run: Callable[[Job], RunResult]) -> None:
    """Try to break out before any learner does."""
    leaks = selftest.leaks(run)
    if leaks:
        raise SandboxUnavailable(f"The sandbox leaks here and will not run code: {', '.join(leaks)}.")
