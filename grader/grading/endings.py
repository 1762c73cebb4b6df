"""The limits of a run, and what is said of a run that did not come to its end."""

from __future__ import annotations

from datetime import timedelta

from grader.marking.finding import Finding, remark
from grader.marking.phrases import phrase
from grader.marking.run_report import RunLimits, RunReport
from grader.sandbox import Limits, RunResult, RunStatus

LIMITS = Limits()
KIBIBYTE = 1024
MEBIBYTE = 1024 * KIBIBYTE
SECOND = timedelta(seconds=1)
MILLISECOND = timedelta(milliseconds=1)

RUN_LIMITS = RunLimits(
    cpu_s=LIMITS.cpu_time / SECOND,
    wall_s=LIMITS.wall_time / SECOND,
    memory_mib=LIMITS.memory_bytes // MEBIBYTE,
    output_kib=LIMITS.output_bytes // KIBIBYTE,
)
# What each limit is called in words, and how large it is, in the unit a learner thinks in.
LIMIT_WORDS = {
    "cpu_time": ("cpu_time", f"{RUN_LIMITS.cpu_s:g} s"),
    "wall_time": ("wall_time", f"{RUN_LIMITS.wall_s:g} s"),
    "memory_bytes": ("memory", f"{RUN_LIMITS.memory_mib} MiB"),
    "output_bytes": ("output", f"{RUN_LIMITS.output_kib} KiB"),
    "result_bytes": ("result", f"{LIMITS.result_bytes // MEBIBYTE} MiB"),
}
USUAL_LIMIT = {
    RunStatus.TIME_LIMIT: "cpu_time",
    RunStatus.MEMORY_LIMIT: "memory_bytes",
    RunStatus.OUTPUT_LIMIT: "output_bytes",
}
# A run that computed for as long as this and did not end would not have ended on an idle machine either.
MUCH_CPU_TIME = LIMITS.cpu_time / 4
WITHOUT_LIMIT = {RunStatus.CRASHED: "crashed", RunStatus.SECURITY_VIOLATION: "violation"}


def ending(result: RunResult) -> Finding | None:
    """What ended the run from outside, and what to do about it; None for a run that came to its end."""
    if result.status in USUAL_LIMIT:
        name, limit = LIMIT_WORDS[result.limit or USUAL_LIMIT[result.status]]
        cpu = f"{result.cpu_time / SECOND:.1f} s"
        text = "busy" if name == "wall_time" and result.cpu_time >= MUCH_CPU_TIME else name
        return remark(f"code_{name}", phrase(f"code.{name}_title"), phrase(f"code.{text}", limit=limit, cpu=cpu))
    name = WITHOUT_LIMIT.get(result.status, "")
    return remark(f"code_{name}", phrase(f"code.{name}_title"), phrase(f"code.{name}")) if name else None


def measured(result: RunResult, *, stdout: str, traceback: str) -> RunReport:
    """The report of a run with all that was measured, still without its cases."""
    return RunReport(
        status=result.status,
        stdout=stdout,
        traceback=traceback,
        cpu_ms=round(result.cpu_time / MILLISECOND),
        wall_ms=round(result.wall_time / MILLISECOND),
        memory_mib=-(-result.memory_bytes // MEBIBYTE),
        limits=RUN_LIMITS,
        limit=result.limit,
    )
