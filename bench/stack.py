"""The whole way of a code submission, against the bare start of a Python with NumPy.

Latency: one learner sends, the POST answers with the verdict. Rate: both demo students send from two windows each, which
is as much as the site lets them. Submissions and bare starts take turns in short rounds, so that a machine that grows slower
in between slows both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from bench.learner import Learner, sign_in
from bench.report import Figure
from bench.site import Site, running_site
from bench.timing import all_at_once, bare_start, median, percentile, seconds_of

NAME: Final = "stack"
STUDENTS: Final = ("demo-student-1", "demo-student-2")
WINDOWS: Final = 2
WARM_UP: Final = 3
ROUNDS: Final = 6
ONE_BY_ONE: Final = 6
SIDE_BY_SIDE: Final = 8


@dataclass(slots=True)
class Times:
    """Seconds of single events, and of whole batches with how many events they held."""

    verdicts: list[float] = field(default_factory=list)
    starts: list[float] = field(default_factory=list)
    submitting: list[float] = field(default_factory=list)
    starting: list[float] = field(default_factory=list)


def measure() -> Sequence[Figure]:
    """Start a site, measure it, end it."""
    with running_site(LOG_LEVEL="WARNING") as site:
        return measure_site(site, ROUNDS)


def measure_site(site: Site, rounds: int) -> Sequence[Figure]:
    """Measure a site that runs."""
    learners = windows(site)
    for _ in range(WARM_UP):
        all_at_once([learner.send for learner in learners])
    times = Times()
    for _ in range(rounds):
        take_turns(learners, times)
    return figures(times, len(learners))


def windows(site: Site) -> list[Learner]:
    """Every student at every window."""
    passwords = site.passwords()
    return [
        sign_in(site.url, student, passwords[student], f"{student} window {window}")
        for window in range(WINDOWS)
        for student in STUDENTS
    ]


def take_turns(learners: Sequence[Learner], times: Times) -> None:
    """One round: submissions and bare starts one by one, then both side by side."""
    for _ in range(ONE_BY_ONE):
        times.verdicts.append(seconds_of(learners[0].send))
        times.starts.append(seconds_of(bare_start))
    times.submitting.append(seconds_of(lambda: all_at_once([partial(repeat, learner.send) for learner in learners])))
    times.starting.append(seconds_of(lambda: all_at_once([partial(repeat, bare_start)] * len(learners))))


def repeat(do: Callable[[], None]) -> None:
    """Do it as often as a batch holds for each window."""
    for _ in range(SIDE_BY_SIDE):
        do()


def figures(times: Times, windows_open: int) -> Sequence[Figure]:
    """The times as figures; the ratios are what can be compared between machines."""
    batch = SIDE_BY_SIDE * windows_open
    verdict, start = median(times.verdicts), median(times.starts)
    rate, start_rate = batch / median(times.submitting), batch / median(times.starting)
    return (
        Figure("verdict_ratio", "POST to verdict, median, in bare starts", verdict / start, "×", "<= 1"),
        Figure(
            "verdict_p95_ratio", "POST to verdict, p95, in bare starts", percentile(times.verdicts, 0.95) / start, "×"
        ),
        Figure("rate_ratio", "code submissions per bare start, side by side", rate / start_rate, "×", ">= 1"),
        Figure("verdict_ms", "POST to verdict, median", verdict * 1000, "ms"),
        Figure("verdict_p95_ms", "POST to verdict, p95", percentile(times.verdicts, 0.95) * 1000, "ms"),
        Figure("rate", "code submissions, side by side", rate, "1/s"),
        Figure("start_ms", "bare start of Python with NumPy, median", start * 1000, "ms"),
        Figure("start_rate", "bare starts, side by side", start_rate, "1/s"),
    )
