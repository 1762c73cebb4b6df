"""Bytes and programs that nobody would think of: seeded, so that what fails once fails again."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable

import numpy as np
import pytest

from grader.sandbox import Frame, Raised, Returned, RunStatus, Sandbox, WrongKind
from grader.sandbox.sandbox import run_on
from grader.sandbox.wire import MalformedReplyError, Reply, parse_reply
from tests.grader.sandbox.attacks.program import NUMBERS
from tests.grader.sandbox.running import children_of, frame, honest, is_right, job, keeper_of, open_sandbox, quick
from tests.grader.sandbox.test_wire import FORMS, WHOLE

SEED = 20_240_229
MUTANTS = 20_000
INTERESTING = (0, 1, 2, 127, 128, 255, 256, 65_535, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1)


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Change a few places: a byte, a whole field, a piece copied, cut out or put elsewhere."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.randrange(len(changed) + 1)
        size = chance.choice((1, 2, 4, 8))
        match chance.randrange(5):
            case 0:
                changed[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                changed[at : at + size] = (chance.choice(INTERESTING) % 256**size).to_bytes(size, "little")
            case 2:
                del changed[at : at + chance.randrange(60)]
            case 3:
                changed[at:at] = changed[chance.randrange(len(changed) + 1) :][: chance.randrange(80)]
            case _:
                changed[at:at] = chance.randbytes(size)
    return bytes(changed)


def check(reply: Reply) -> None:
    """Whatever is read can be used outside: every array can be made, every text is short and can be printed."""
    assert len(reply.outcomes) <= len(FORMS)
    assert list(reply.printed_bytes) == sorted(reply.printed_bytes)
    for outcome in reply.outcomes:
        match outcome:
            case Returned(Frame() as value):
                assert np.frombuffer(value.data, value.dtype).reshape(value.shape).shape == value.shape
                assert len(outcome.kind) <= 100
            case Raised(fault):
                assert len(fault.kind + fault.message + fault.traceback + fault.arrays) <= 11_000
            case WrongKind(kind):
                assert len(kind) <= 100
            case _:
                raise AssertionError(outcome)


def test_a_reply_changed_by_chance_is_refused_or_can_be_used() -> None:
    chance = random.Random(SEED)
    refused = 0
    for _ in range(MUTANTS):
        try:
            check(parse_reply(mutated(WHOLE, chance), FORMS))
        except MalformedReplyError:
            refused += 1

    assert MUTANTS // 2 < refused < MUTANTS


def bytes_of_chance(chance: random.Random) -> str:
    return chance.randbytes(chance.randrange(400)).decode("latin-1")


def text_of_chance(chance: random.Random) -> str:
    return "".join(chr(chance.choice((10, 32, chance.randrange(128), chance.randrange(0x2FFFF)))) for _ in range(200))


def honest_program_mutated(chance: random.Random) -> str:
    return mutated(HONEST.encode(), chance).decode("utf-8", "surrogateescape")


def calls_of_chance(chance: random.Random) -> str:
    """A few calls of the kernel with words that mean something to one of them: numbers, addresses, descriptors."""
    words = (*INTERESTING, *range(10), -1, 0x28001011, 0x10000000, 4096)
    calls = [(chance.choice(ASKED), [chance.choice((*words, "at")) for _ in range(6)]) for _ in range(6)]
    return CALLS.replace("LIST", ", ".join(f"({number}, {', '.join(map(str, rest))})" for number, rest in calls))


HONEST = """
import numpy as np

def f(x, scale=1.0):
    logits = x[:, None] @ x[None, :] * scale
    attn_weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
    print("rows", len(x))
    return attn_weights / attn_weights.sum(axis=-1, keepdims=True)
"""
CALLS = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
room = ctypes.create_string_buffer(8192)
at = ctypes.addressof(room)
def f(x):
    for words in (LIST):
        libc.syscall(*(ctypes.c_long(word) for word in words))
    return x
"""
# Those that would only end it or make it wait.
ASKED = sorted(set(NUMBERS.values()) - {NUMBERS[name] for name in ("exit", "exit_group", "pause") if name in NUMBERS})
KINDS: tuple[Callable[[random.Random], str], ...] = (
    bytes_of_chance,
    text_of_chance,
    honest_program_mutated,
    calls_of_chance,
    calls_of_chance,
)


@pytest.mark.jail
@pytest.mark.parametrize(("tier", "programs"), [(3, 250), (1, 150)])
def test_a_program_of_chance_ends_as_a_learners_and_leaves_nothing(tier: int, programs: int) -> None:
    chance = random.Random(SEED + tier)
    limits = quick()
    with open_sandbox(tier) as opened:
        opened._replace_zygote(limits)
        ends = [ending(opened, chance.choice(KINDS)(chance)) for _ in range(programs)]

        assert RunStatus.INTERNAL_ERROR not in ends
        assert len(set(ends)) >= 4
        assert children_of(keeper_of(opened)) == []
        assert is_right(run_on(opened._zygote, honest()))


def ending(sandbox: Sandbox, code: str) -> RunStatus:
    """All of them in one keeper, whatever they did."""
    return run_on(sandbox._zygote, job(code, frame(1, 2), limits=quick())).status


def test_an_argument_of_any_bytes_arrives_as_it_is(sandbox: Sandbox) -> None:
    """Every NaN and every sign of zero, in every layout, is the same afterwards."""
    chance = random.Random(SEED)
    data = chance.randbytes(8 * 1000) + struct.pack("<2d", -0.0, float("inf"))
    given = Frame("float64", (2, 501), data)

    outcome = sandbox.run(job("def f(x): return x", given)).outcomes[0]

    assert isinstance(outcome, Returned)
    assert outcome.frame == given
