"""A small interpreter of classic BPF, written from the kernel's description and not from our compiler."""

from __future__ import annotations

import struct
from collections.abc import Sequence

LD_W_ABS, JEQ_K, JGE_K, JSET_K, JA, RET_K = 0x20, 0x15, 0x35, 0x45, 0x05, 0x06


def decide(program: bytes, *, machine: int, number: int, arguments: Sequence[int] = ()) -> int:
    """Run a filter over one system call and return the kernel's action."""
    padded = [*(value & 0xFFFFFFFFFFFFFFFF for value in arguments), *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, machine, 0, *padded)
    instructions = list(struct.iter_unpack("<HBBI", program))
    accumulator = at = 0
    while True:
        code, if_true, if_false, operand = instructions[at]
        at += 1
        if code == LD_W_ABS:
            assert operand % 4 == 0
            (accumulator,) = struct.unpack_from("<I", data, operand)
        elif code == JA:
            at += operand
        elif code == RET_K:
            return operand
        else:
            holds = {JEQ_K: accumulator == operand, JGE_K: accumulator >= operand, JSET_K: accumulator & operand != 0}
            at += if_true if holds[code] else if_false
