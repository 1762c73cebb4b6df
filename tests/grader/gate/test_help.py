"""Skills and hints: what is missing, and what is told too early."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.gate.help import check_help
from grader.gate.numbers import separation
from grader.gate.words import check_numbers_given_away
from grader.marking.items import Skill
from grader.marking.text import Text
from tests.grader import kind_samples, samples

SKILL = Skill("rows", Text("行", "rows"), Text("行", "rows"))
QUIET = Text("想想要的是什么。", "Think of what is asked.")


def item(toml, *hints, **changes):
    """A sample with a skill and these hints, in both languages alike."""
    written = tuple(hint if isinstance(hint, Text) else Text(hint, hint) for hint in hints)
    return replace(samples.item(toml), skill=SKILL, hints=written, **changes)


def told(item):
    return [(fault.key, fault.reason) for fault in check_help(item)]


def test_an_item_with_a_skill_and_two_quiet_hints_is_in_order():
    for toml in (samples.QKV, samples.CHOICE, samples.CODE, samples.FREE_TEXT, kind_samples.SHAPE, kind_samples.MATCH):
        assert told(item(toml, QUIET, QUIET)) == []


def test_every_item_needs_a_skill_and_two_hints():
    assert [key for key, _ in told(samples.item(samples.QKV))] == [("skill",), ("hints",)]
    assert [key for key, _ in told(item(samples.QKV, QUIET))] == [("hints",)]


@pytest.mark.parametrize("toml", [samples.CHOICE, kind_samples.PREDICT])
def test_a_hint_with_the_right_option_word_for_word_is_refused(toml):
    bare = samples.item(toml)
    options = bare.options if toml is samples.CHOICE else bare.guesses
    right = next(option for option in options if option.is_right)
    leaking = right.text.map(lambda words: f"… {words.upper()} …")
    assert told(item(toml, QUIET, leaking)) == [
        (("hints", 1, language), f"this hint says the right answer {right.key} word for word")
        for language in ("zh-hans", "en")
    ]


def test_a_hint_that_weighs_all_options_gives_none_away():
    options = samples.item(samples.CHOICE).options
    weighed = Text(*(" / ".join(option.text.in_language(tag) for option in options) for tag in ("zh-hans", "en")))
    assert told(item(samples.CHOICE, QUIET, weighed)) == []


def test_part_of_a_longer_word_is_no_option():
    options = tuple(
        replace(option, text=Text("a", "a") if option.is_right else Text("b?", "b?"))
        for option in samples.item(samples.CHOICE).options
    )
    assert told(item(samples.CHOICE, "a matter of taste", QUIET, options=options))
    assert told(item(samples.CHOICE, "matter", QUIET, options=options)) == []


def test_a_hint_that_names_an_entry_with_its_target_is_refused():
    pair = "$Q$ is an activation"
    assert told(item(kind_samples.MATCH, QUIET, Text(QUIET.zh_hans, pair))) == [
        (("hints", 1, "en"), "this hint says what goes with Q")
    ]
    assert told(item(kind_samples.MATCH, QUIET, "an activation is computed")) == []


@pytest.mark.parametrize("written", [r"$64 \times S$", "(64, S)", "[64,S]", "64 x S", "64×S"])
def test_a_hint_with_an_asked_shape_is_refused_however_it_is_written(written):
    assert (("hints", 0, "en"), "this hint says the shape of Q") in told(item(kind_samples.SHAPE, written, QUIET))


def test_other_sizes_may_be_used_to_explain():
    assert told(item(kind_samples.SHAPE, r"$2 \times 3$ and (164, S) and 64 × Sx", QUIET)) == []


def test_a_line_of_the_solution_is_no_hint():
    code = Text("```python\nreturn x @ W + b\n```", "```python\nreturn x @ W + b\n```")
    leaking = item(samples.CODE, QUIET, "Write `return x @ W + b`.", solution=code)
    assert [key for key, _ in told(leaking)] == [("hints", 1, "zh-hans"), ("hints", 1, "en")]


def test_the_last_rung_may_say_what_the_others_may_not():
    options = samples.item(samples.CHOICE).options
    right = next(option.text for option in options if option.is_right)
    assert told(item(samples.CHOICE, QUIET, QUIET, QUIET, right)) == []
    assert told(item(samples.CHOICE, QUIET, QUIET, right, QUIET)) != []


def test_a_hint_with_the_numbers_that_are_asked_for_is_refused():
    halves = ", ".join(f"{number / 2}" for number in range(-20, 21))
    leaking = item(samples.QKV, QUIET, Text("想。", f"One of {halves}."))
    variants = separation(leaking.derivation).variants
    assert [fault.key for fault in check_numbers_given_away(leaking, variants)] == [("hints", 1, "en")] * 3
