"""The catalogue of attacks, one table under the headings of its files."""

from __future__ import annotations

from tests.grader.sandbox.attacks import files, grading, input_text, kernel_surface, processes, resources
from tests.grader.sandbox.attacks.processes import PROCESSES
from tests.grader.sandbox.attacks.program import HARMLESS, Attack

ATTACKS: tuple[Attack, ...] = (
    *resources.ATTACKS,
    *processes.ATTACKS,
    *files.ATTACKS,
    *kernel_surface.ATTACKS,
    *grading.ATTACKS,
    *input_text.ATTACKS,
)

__all__ = ["ATTACKS", "HARMLESS", "PROCESSES", "Attack"]
