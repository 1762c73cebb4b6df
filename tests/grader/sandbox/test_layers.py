from __future__ import annotations

from grader.sandbox.layers import ADVICE, REQUIRED, Layer, missing_layers


def test_each_tier_asks_for_at_least_what_the_one_below_asks_for():
    landlock = {Layer.LANDLOCK}

    assert REQUIRED[1] < REQUIRED[2]
    assert REQUIRED[2] - landlock < REQUIRED[3]


def test_one_wall_that_does_not_stand_is_named():
    for tier, required in REQUIRED.items():
        for layer in required:
            assert missing_layers(tier, required - {layer}) == (layer,)
        assert missing_layers(tier, required) == ()


def test_everything_that_only_some_machines_lack_has_advice():
    everywhere = REQUIRED[1] - {Layer.LANDLOCK}

    assert {layer for layer in Layer if layer not in ADVICE} - everywhere == {Layer.FIRST_TO_GO}
