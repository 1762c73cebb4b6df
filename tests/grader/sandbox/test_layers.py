from __future__ import annotations

from grader.sandbox.child import missing, walls_of
from grader.sandbox.layers import ADVICE, OF_EVERY_CHILD, REQUIRED, Layer, missing_in_keeper


def test_each_tier_asks_for_at_least_what_the_one_below_asks_for():
    landlock = {Layer.LANDLOCK}

    assert REQUIRED[1] < REQUIRED[2]
    assert REQUIRED[2] - landlock < REQUIRED[3]


def test_one_wall_that_does_not_stand_around_the_keeper_is_named():
    for tier, required in REQUIRED.items():
        for layer in required - OF_EVERY_CHILD:
            assert missing_in_keeper(tier, required - {layer}) == (layer,)
        assert missing_in_keeper(tier, required) == ()


def test_everything_that_only_some_machines_lack_has_advice():
    everywhere = REQUIRED[1] - {Layer.LANDLOCK}

    assert {layer for layer in Layer if layer not in ADVICE} - everywhere == {Layer.FIRST_TO_GO}


def test_every_child_tells_of_the_walls_that_it_does_not_inherit():
    for tier, required in REQUIRED.items():
        told = {wall.layer for wall in walls_of(tier, b"")}

        assert required & OF_EVERY_CHILD <= told
        assert missing(tier, 0) == tuple(wall.layer for wall in walls_of(tier, b""))
        assert missing(tier, 0xFF) == ()
