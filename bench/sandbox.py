"""What a run in the sandbox costs, next to what it could cost at least, what it costs without walls, and what others take.

Everything is pinned to one processor and takes turns; a ratio is of the tenth percentiles, which other work on the
machine moves least, and stands beside the one of the medians.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO, Final, cast

from bench import peers
from bench.programs import attention_job
from bench.report import Figure
from bench.timing import bare_start_alone, median, percentile, seconds_of
from grader.sandbox import Job, Limits, RunResult, RunStatus, Sandbox
from grader.sandbox import zygote as worker_side
from grader.sandbox.sandbox import run_on
from scripts.attacks import strike_all
from tests.grader.sandbox.test_ablation import REACHED

NAME: Final = "sandbox"
ROUNDS: Final = 40
RUNS_A_ROUND: Final = 5
MANY_CASES: Final = 12
RATE_SECONDS: Final = 3.0
TENTH: Final = 0.1
TIER: Final = 3
UNJAILED_BOOT: Final = (
    "import os, sys; sys.path.insert(0, os.getcwd()); os.chdir('/'); from bench.unjailed import main; main()"
)

Times = dict[str, list[float]]


def measure() -> Sequence[Figure]:
    """Every figure of the suite. Raises SandboxUnavailable where no code can run."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[0]})
    try:
        times, found = _times()
    finally:
        os.sched_setaffinity(0, cores)
    return (*_ratios(times, found), *_rates(cores), *_attacks())


def _times() -> tuple[Times, Sequence[str]]:
    """Seconds of everything, measured in turns."""
    one, many = attention_job(), attention_job(MANY_CASES)
    with Sandbox(minimum_tier=TIER) as jail, unjailed() as bare_keeper, floor() as least, peers.found_here() as found:
        turns: Mapping[str, tuple[Callable[[], float], int]] = {
            "bare": (lambda: seconds_of(bare_start_alone), 1),
            "program": (lambda: seconds_of(peers.start_python), 1),
            "boot": (boot_seconds, 1),
            "run": (lambda: seconds_of(lambda: _went_well(jail.run(one))), RUNS_A_ROUND),
            "many": (lambda: seconds_of(lambda: _went_well(jail.run(many))), RUNS_A_ROUND),
            "unjailed": (lambda: seconds_of(lambda: bare_keeper(one)), RUNS_A_ROUND),
            "floor": (least, RUNS_A_ROUND),
            **{name: ((lambda do=do: seconds_of(do)), 1) for name, do in found.items()},  # type: ignore[misc]
        }
        times: Times = {name: [] for name in turns}
        for _ in range(ROUNDS):
            for name, (turn, repeats) in turns.items():
                times[name] += [turn() for _ in range(repeats)]
    return times, list(found)


def _ratios(times: Times, found: Sequence[str]) -> Iterator[Figure]:
    yield Figure("run_ms", "a run", percentile(times["run"], TENTH) * 1e3, "ms")
    yield Figure("run_median_ms", "a run, median", median(times["run"]) * 1e3, "ms")
    yield Figure("bare_ms", "starting Python with NumPy", percentile(times["bare"], TENTH) * 1e3, "ms")
    yield from _ratio(times, "R1", "a run, in bare starts", "run", "bare", "<= 0.03")
    yield from _ratio(times, "R2", "a run, in runs without walls", "run", "unjailed", "<= 1.05")
    for name in found:
        aim = ">= 30" if name == "bubblewrap" else ">= 15"
        yield from _ratio(times, "R3" if name == "bubblewrap" else f"R4_{name}", f"{name}, in runs", name, "run", aim)
    yield from _ratio(times, "R5", "the floor, in runs", "floor", "run", ">= 0.70")
    yield from _ratio(times, "R9", "a boot of the keeper, in bare starts", "boot", "bare", "<= 2.2")
    one, many = (percentile(times[name], TENTH) for name in ("run", "many"))
    yield Figure("R7", "one more case, in runs", (many - one) / (MANY_CASES - 1) / one, "×", "<= 0.1")


def _ratio(times: Times, name: str, what: str, above: str, below: str, aim: str) -> Iterator[Figure]:
    tenth = percentile(times[above], TENTH) / percentile(times[below], TENTH)
    yield Figure(name, what, tenth, "×", aim)
    yield Figure(f"{name}_median", f"{what}, medians", median(times[above]) / median(times[below]), "×")


def boot_seconds() -> float:
    """From nothing to a keeper that waits for its first run."""
    began = time.perf_counter()
    keeper = worker_side.Zygote(TIER, Limits())
    try:
        keeper.wait_until_settled()
        return time.perf_counter() - began
    finally:
        keeper.close()


@contextmanager
def unjailed() -> Iterator[Callable[[Job], None]]:
    """A keeper without walls, and the worker's ordinary side of it."""
    jailed_boot = worker_side.BOOT
    setattr(worker_side, "BOOT", UNJAILED_BOOT)  # noqa: B010 -- there is no other way to start one, and should be none
    try:
        keeper = worker_side.Zygote(TIER, Limits())
    finally:
        setattr(worker_side, "BOOT", jailed_boot)  # noqa: B010
    try:
        yield lambda job: _went_well(run_on(keeper, job))
    finally:
        keeper.close()


def _went_well(result: RunResult) -> None:
    if result.status is not RunStatus.RETURNED:
        raise RuntimeError(f"the bench's own program ended as {result.status}")


@contextmanager
def floor() -> Iterator[Callable[[], float]]:
    """A warm process that says how long one clone with the job in it takes."""
    with subprocess.Popen(
        (sys.executable, "-m", "bench.floor"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=peers.ENVIRONMENT,
    ) as process:
        # Both are pipes: they were asked for above.
        ask, said = cast("IO[str]", process.stdin), cast("IO[str]", process.stdout)
        said.readline()

        def least() -> float:
            print(file=ask, flush=True)
            return float(said.readline())

        yield least
        ask.close()


def _rates(cores: Sequence[int]) -> Iterator[Figure]:
    """Runs a second: one keeper on one processor, then one on each of two."""
    one = sum(_runs_a_second(cores[:1]))
    yield Figure("rate_one", "runs a second on one processor", one, "/s")
    if len(cores) > 1:
        both = sum(_runs_a_second(cores[:2]))
        yield Figure("rate_two", "runs a second on two", both, "/s")
        yield Figure("R6", "two processors, in one", both / one, "×", ">= 1.9")


def _runs_a_second(cores: Sequence[int]) -> list[float]:
    command = (sys.executable, "-m", "bench.rate", str(RATE_SECONDS))
    workers = [
        subprocess.Popen([*command, str(core)], stdout=subprocess.PIPE, text=True, env=peers.ENVIRONMENT)
        for core in cores
    ]
    return [float(worker.communicate()[0]) for worker in workers]


def _attacks() -> Iterator[Figure]:
    """The catalogue of attacks, once in the full jail, and how many of them more than the filter of calls would stop."""
    struck = strike_all(TIER)
    contained = sum(not one.said for one in struck)
    by_one_wall = {name for names in REACHED["seccomp"].values() for name in names.split()}
    listed = sum(one.attack.name in by_one_wall for one in struck)
    yield Figure("R8", "attacks contained, of all", contained / len(struck), "", ">= 1")
    yield Figure("R8_listed", "attacks listed as reaching something without the filter", listed, "")
