"""Run a learner's Python safely; `grader.sandbox.sandbox` says how. Imports the standard library only."""

from __future__ import annotations

from grader.sandbox.describe import Description, describe, minimum_tier_from
from grader.sandbox.job import MAX_CODE_BYTES, Case, Frame, Job, Layout, Limits, Value
from grader.sandbox.layers import LayerState
from grader.sandbox.result import CaseOutcome, Fault, FaultStage, Raised, Returned, RunResult, RunStatus, WrongKind
from grader.sandbox.sandbox import Sandbox, SandboxUnavailable

__all__ = [
    "MAX_CODE_BYTES",
    "Case",
    "CaseOutcome",
    "Description",
    "Fault",
    "FaultStage",
    "Frame",
    "Job",
    "LayerState",
    "Layout",
    "Limits",
    "Raised",
    "Returned",
    "RunResult",
    "RunStatus",
    "Sandbox",
    "SandboxUnavailable",
    "Value",
    "WrongKind",
    "describe",
    "minimum_tier_from",
]
