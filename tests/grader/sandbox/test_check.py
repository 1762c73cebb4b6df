from __future__ import annotations

import os
import subprocess
import sys

import pytest

from grader.sandbox import Description, LayerState, describe, minimum_tier_from
from grader.sandbox.__main__ import report
from grader.sandbox.layers import Layer
from tests.grader.sandbox.running import require


def test_the_report_says_what_stands_and_what_would_help():
    layers = (LayerState("seccomp", True, "loaded", ""), LayerState("landlock", False, "needed", "use a newer kernel"))

    text = report(Description(1, layers, "No tier 3 here."), minimum_tier=3)

    assert text.splitlines() == [
        "yes  seccomp   loaded",
        "no   landlock  needed",
        "",
        "For landlock: use a newer kernel.",
        "",
        "No tier 3 here.",
        "",
        "Tier 1 holds here and SANDBOX_MIN_TIER is 3: code will not be run.",
    ]


def test_the_least_tier_is_the_full_one_unless_the_environment_says_otherwise():
    assert minimum_tier_from({}) == 3
    assert minimum_tier_from({"SANDBOX_MIN_TIER": "1"}) == 1


@pytest.mark.parametrize("text", ["0", "4", "", "three", "-1"])
def test_a_tier_that_does_not_exist_is_refused(text):
    with pytest.raises(ValueError, match="SANDBOX_MIN_TIER is a tier from 1 to 3"):
        minimum_tier_from({"SANDBOX_MIN_TIER": text})


@pytest.mark.jail
def test_every_layer_is_described():
    require(3)

    description = describe()

    assert (description.tier, description.reason) == (3, "")
    assert [layer.name for layer in description.layers] == list(Layer)
    assert [
        layer.name for layer in description.layers if layer.name in {"seccomp", "empty_root"} and not layer.holds
    ] == []


@pytest.mark.jail
@pytest.mark.parametrize(
    ("arguments", "tier", "code"), [(["check"], "3", 0), (["check"], "9", 2), ([], "3", 2), (["run"], "3", 2)]
)
def test_the_command_ends_with_what_it_found(arguments, tier, code):
    require(3)

    finished = subprocess.run(
        [sys.executable, "-m", "grader.sandbox", *arguments],
        env={**os.environ, "SANDBOX_MIN_TIER": tier}, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert finished.returncode == code, finished.stderr
