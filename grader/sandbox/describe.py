"""What holds on this machine, layer by layer, and how to get the next tier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from grader.sandbox.layers import ADVICE, HIGHEST_TIER, LOWEST_TIER, REQUIRED, Layer, LayerState
from grader.sandbox.sandbox import Sandbox, SandboxUnavailable

VARIABLE: Final = "SANDBOX_MIN_TIER"


@dataclass(frozen=True, slots=True)
class Description:
    """The tier reached here, 0 if none; its layers; and why no higher tier holds."""

    tier: int
    layers: tuple[LayerState, ...]
    reason: str


def minimum_tier_from(environment: Mapping[str, str]) -> int:
    """Read SANDBOX_MIN_TIER; without it, only the full jail will do."""
    text = environment.get(VARIABLE, str(HIGHEST_TIER))
    if text not in {str(tier) for tier in range(LOWEST_TIER, HIGHEST_TIER + 1)}:
        raise ValueError(f"{VARIABLE} is a tier from {LOWEST_TIER} to {HIGHEST_TIER}, not {text!r}")
    return int(text)


def describe() -> Description:
    """Raise the best jail that this machine allows, ask it what stands, and take it down again."""
    reason = ""
    for tier in range(HIGHEST_TIER, LOWEST_TIER - 1, -1):
        try:
            with Sandbox(minimum_tier=tier, maximum_tier=tier) as sandbox:
                return Description(tier, _states(sandbox.layers), reason)
        except SandboxUnavailable as refusal:
            reason = reason or refusal.reason
    return Description(0, _states({}), reason)


def _states(standing: Mapping[str, str]) -> tuple[LayerState, ...]:
    return tuple(
        LayerState(layer, layer in standing, standing.get(layer, _need_of(layer)), _advice(layer, standing))
        for layer in Layer
    )


def _need_of(layer: Layer) -> str:
    tiers = [str(tier) for tier in REQUIRED if layer in REQUIRED[tier]]
    return f"needed for tier {' and '.join(tiers)}" if tiers else "good to have"


def _advice(layer: Layer, standing: Mapping[str, str]) -> str:
    return "" if layer in standing else ADVICE.get(layer, "this system withholds what every jail needs")
