"""Compile a table of system calls into a seccomp filter.

A filter is a classic BPF program over `struct seccomp_data`: call number, machine, instruction pointer and six
arguments of 64 bits. We lay the numbers out as ranges with one rule each and search them as a balanced tree: the
kernel runs the filter once per known number when it loads it, and a chain of comparisons would cost that load.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

ALLOW: Final = 0x7FFF0000
KILL: Final = 0x80000000
EPERM: Final = 0x00050000 | errno.EPERM
ENOSYS: Final = 0x00050000 | errno.ENOSYS

LOAD: Final = 0x20
JUMP_EQUAL: Final = 0x15
JUMP_AT_LEAST: Final = 0x35
JUMP_ANY_BIT: Final = 0x45
JUMP: Final = 0x05
RETURN: Final = 0x06

OFFSET_NUMBER: Final = 0
OFFSET_MACHINE: Final = 4
OFFSET_ARGUMENTS: Final = 16
FIRST_X32_NUMBER: Final = 0x40000000
MAX_SHORT_JUMP: Final = 255
MAX_INSTRUCTIONS: Final = 4096


@dataclass(frozen=True, slots=True)
class Instruction:
    """One BPF instruction; jumps count from the next one."""

    code: int
    operand: int
    if_true: int = 0
    if_false: int = 0

    def to_bytes(self) -> bytes:
        """Return the kernel's `struct sock_filter`."""
        return struct.pack("<HBBI", self.code, self.if_true, self.if_false, self.operand)


@dataclass(frozen=True, slots=True)
class OneOf:
    """The low half of an argument is one of these values: for arguments that the kernel takes as an int."""

    argument: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NoBits:
    """None of these bits is set in the low half of an argument."""

    argument: int
    mask: int


@dataclass(frozen=True, slots=True)
class AllBits:
    """All of these bits are set in the low half of an argument; tested bit by bit."""

    argument: int
    mask: int


@dataclass(frozen=True, slots=True)
class Exactly:
    """All 64 bits of an argument: for pointers and long words, where a look at one half could be cheated."""

    argument: int
    value: int


Condition = OneOf | NoBits | AllBits | Exactly


@dataclass(frozen=True, slots=True)
class Guard:
    """Allow the call if every condition holds, and answer with `otherwise` if not."""

    conditions: tuple[Condition, ...]
    otherwise: int = EPERM


Rule = int | Guard


def compile_filter(rules: Mapping[int, Rule], *, machine: int, unknown: int) -> tuple[Instruction, ...]:
    """Compile rules by call number; another machine's calls and x32 calls kill, unnamed numbers get `unknown`."""
    program = (
        Instruction(LOAD, OFFSET_MACHINE),
        Instruction(JUMP_EQUAL, machine, if_true=1),
        Instruction(RETURN, KILL),
        Instruction(LOAD, OFFSET_NUMBER),
        *_search(_ranges(rules, unknown)),
    )
    if len(program) > MAX_INSTRUCTIONS:
        raise ValueError(f"a filter has at most {MAX_INSTRUCTIONS} instructions, this one has {len(program)}")
    return program


def _ranges(rules: Mapping[int, Rule], unknown: int) -> list[tuple[int, Rule]]:
    """List (first number, rule) so that each range reaches up to the next one's first number."""
    ranges: list[tuple[int, Rule]] = []
    for number in range(max(rules) + 2):
        rule = rules.get(number, unknown)
        if not ranges or ranges[-1][1] != rule:
            ranges.append((number, rule))
    return [*ranges, (FIRST_X32_NUMBER, KILL)]


def _search(ranges: list[tuple[int, Rule]]) -> tuple[Instruction, ...]:
    if len(ranges) == 1:
        return _leaf(ranges[0][1])
    middle = len(ranges) // 2
    low, high = _search(ranges[:middle]), _search(ranges[middle:])
    first_of_high = ranges[middle][0]
    if len(low) <= MAX_SHORT_JUMP:
        return (Instruction(JUMP_AT_LEAST, first_of_high, if_true=len(low)), *low, *high)
    return (Instruction(JUMP_AT_LEAST, first_of_high, if_false=1), Instruction(JUMP, len(low)), *low, *high)


def _leaf(rule: Rule) -> tuple[Instruction, ...]:
    if isinstance(rule, int):
        return (Instruction(RETURN, rule),)
    body: tuple[Instruction, ...] = (Instruction(RETURN, ALLOW), Instruction(RETURN, rule.otherwise))
    for condition in reversed(rule.conditions):
        body = _test(condition, refuse=len(body) - 1) + body
    return body


def _test(condition: Condition, refuse: int) -> tuple[Instruction, ...]:
    """Fall through if the condition holds, else jump over `refuse` further instructions to the refusal."""
    match condition:
        case OneOf(argument, values):
            tests = [
                Instruction(JUMP_EQUAL, value & 0xFFFFFFFF, if_true=len(values) - 1 - place)
                for place, value in enumerate(values[:-1])
            ]
            last = Instruction(JUMP_EQUAL, values[-1] & 0xFFFFFFFF, if_false=refuse)
            return (_load_low(argument), *tests, last)
        case NoBits(argument, mask):
            return (_load_low(argument), Instruction(JUMP_ANY_BIT, mask, if_true=refuse))
        case AllBits(argument, mask):
            bits = [1 << place for place in range(32) if mask & 1 << place]
            tests = [
                Instruction(JUMP_ANY_BIT, bit, if_false=refuse + len(bits) - 1 - place)
                for place, bit in enumerate(bits)
            ]
            return (_load_low(argument), *tests)
        case Exactly(argument, value):
            return (
                _load_low(argument),
                Instruction(JUMP_EQUAL, value & 0xFFFFFFFF, if_false=refuse + 2),
                Instruction(LOAD, OFFSET_ARGUMENTS + 8 * argument + 4),
                Instruction(JUMP_EQUAL, value >> 32, if_false=refuse),
            )


def _load_low(argument: int) -> Instruction:
    return Instruction(LOAD, OFFSET_ARGUMENTS + 8 * argument)


def assemble(program: tuple[Instruction, ...]) -> bytes:
    """Return the bytes that the kernel reads."""
    return b"".join(instruction.to_bytes() for instruction in program)
