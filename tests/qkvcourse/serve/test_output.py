from __future__ import annotations

import os
import subprocess
import sys

import pytest

from qkvcourse.serve.output import Line, Outputs, say


def process(code: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def all_lines(outputs: Outputs, child: subprocess.Popen[bytes]) -> list[Line]:
    found = []
    while outputs.is_open(child):
        found += outputs.lines(1.0)
    return found


def test_lines_are_whole_however_they_arrive() -> None:
    code = "import os, time; [(os.write(1, piece), time.sleep(.05)) for piece in (b'on', b'e\\n\\ntw', b'o\\nthree')]"
    outputs, child = Outputs(), process(code)
    outputs.add("web", child)

    lines = all_lines(outputs, child)

    outputs.remove(child)
    child.wait()
    assert lines == [Line("web", "one"), Line("web", "two"), Line("web", "three")]


def test_what_is_no_text_is_shown_replaced() -> None:
    outputs, child = Outputs(), process("import os; os.write(1, b'\\xff\\n')")
    outputs.add("web", child)

    lines = all_lines(outputs, child)

    outputs.remove(child)
    child.wait()
    assert lines == [Line("web", "\ufffd")]


def test_a_wake_up_cuts_the_waiting_short() -> None:
    outputs = Outputs()
    reading_end, writing_end = os.pipe()
    os.set_blocking(reading_end, False)
    outputs.wake_up_on(reading_end)
    os.write(writing_end, b"\x02")

    lines = outputs.lines(60.0)

    os.close(reading_end)
    os.close(writing_end)
    assert lines == []


def test_an_output_that_is_still_open_can_be_left() -> None:
    outputs, child = Outputs(), process("import time; print('half', end='', flush=True); time.sleep(60)")
    outputs.add("web", child)
    outputs.lines(5.0)

    outputs.remove(child)

    child.kill()
    child.wait()
    assert not outputs.is_open(child)


def test_each_line_names_its_service(capsys: pytest.CaptureFixture[str]) -> None:
    say("web", "here")

    assert capsys.readouterr().out == "web     | here\n"
