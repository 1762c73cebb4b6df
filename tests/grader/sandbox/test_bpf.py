from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.sandbox.bpf import (
    ALLOW,
    ENOSYS,
    EPERM,
    KILL,
    AllBits,
    Condition,
    Exactly,
    Guard,
    NoBits,
    OneOf,
    Rule,
    assemble,
    compile_filter,
)
from tests.grader.sandbox.interpreter import decide

MACHINE = 0xC000003E
WORDS = st.integers(0, 2**64 - 1) | st.sampled_from([0, 1, 2, 4, 7, 1 << 32, (1 << 32) + 4])
ARGUMENTS = st.integers(0, 5)
CONDITIONS: st.SearchStrategy[Condition] = st.one_of(
    st.builds(OneOf, ARGUMENTS, st.lists(st.integers(0, 8), min_size=1, max_size=5).map(tuple)),
    st.builds(NoBits, ARGUMENTS, st.integers(1, 2**32 - 1)),
    st.builds(AllBits, ARGUMENTS, st.integers(1, 7)),
    st.builds(Exactly, ARGUMENTS, WORDS),
)
RULES: st.SearchStrategy[Rule] = st.sampled_from([ALLOW, EPERM, KILL]) | st.builds(
    Guard, st.lists(CONDITIONS, min_size=1, max_size=4).map(tuple), st.sampled_from([EPERM, KILL])
)


def holds(condition: Condition, arguments: list[int]) -> bool:
    whole = arguments[condition.argument]
    low = whole % 2**32
    match condition:
        case OneOf(_, values):
            return low in values
        case NoBits(_, mask):
            return low & mask == 0
        case AllBits(_, mask):
            return low & mask == mask
        case Exactly(_, value):
            return whole == value


def expected(rules: dict[int, Rule], number: int, arguments: list[int]) -> int:
    rule = KILL if number >= 0x40000000 else rules.get(number, ENOSYS)
    if isinstance(rule, int):
        return rule
    return ALLOW if all(holds(condition, arguments) for condition in rule.conditions) else rule.otherwise


@settings(max_examples=40)
@given(
    rules=st.dictionaries(st.integers(0, 470), RULES, min_size=1, max_size=60),
    number=st.integers(0, 480) | st.integers(0, 2**32 - 1),
    arguments=st.lists(WORDS, min_size=6, max_size=6),
)
def test_compiled_filter_decides_as_its_rules_say(rules, number, arguments):
    program = assemble(compile_filter(rules, machine=MACHINE, unknown=ENOSYS))

    for called in (number, *rules):
        decision = decide(program, machine=MACHINE, number=called, arguments=arguments)
        assert decision == expected(rules, called, arguments)


def test_another_machine_is_killed_whatever_it_calls():
    program = assemble(compile_filter({0: ALLOW}, machine=MACHINE, unknown=ALLOW))

    assert [decide(program, machine=0x40000003, number=number) for number in (0, 1, 11)] == [KILL, KILL, KILL]


def test_a_filter_that_the_kernel_would_refuse_is_not_compiled():
    guard = Guard(tuple(OneOf(argument, (1, 2, 3, 4, 5)) for argument in range(6)))
    rules = {number: guard if number % 2 else ALLOW for number in range(400)}

    with pytest.raises(ValueError, match="at most 4096 instructions"):
        compile_filter(rules, machine=MACHINE, unknown=ENOSYS)
