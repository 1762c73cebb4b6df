"""The table of texts that every reader of numbers and matrices shares, read by the browser's reader."""

from __future__ import annotations

import json
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
READER = ROOT / "exercises" / "static" / "exercises" / "entry.js"
CASES: list[dict[str, Any]] = json.loads((ROOT / "tests" / "fixtures" / "entry_cases.json").read_text("utf-8"))["cases"]
# One start of Node reads all cases: what each is read as, or why and where it is refused.
READ_ALL = """
import { readNumber, splitMatrix } from "%s";
let text = "";
for await (const piece of process.stdin) text += piece;
const read = ({ kind, text }) => {
  let place = [0, 0];
  try {
    const rows = kind === "number" ? [[text]] : splitMatrix(text);
    return rows.map((row, i) => row.map((cell, j) => { place = [i, j]; return readNumber(cell); }));
  } catch (error) {
    return { refused: error.name, row: place[0] || error.row, column: place[1] || error.column };
  }
};
process.stdout.write(JSON.stringify(JSON.parse(text).map(read)));
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here")
    program = tmp_path_factory.mktemp("entry") / "read.mjs"
    # Node takes a file for a module by its ending.
    reader = program.with_name("entry.mjs")
    shutil.copy(READER, reader)
    program.write_text(READ_ALL % reader.as_uri(), "utf-8")
    done = subprocess.run(
        [node, str(program)], input=json.dumps(CASES), capture_output=True, text=True, check=True, timeout=60
    )
    found: list[Any] = json.loads(done.stdout)
    return found


def is_near(value: float, exact: str) -> bool:
    return abs(Fraction(value) - Fraction(exact)) <= abs(Fraction(exact)) * Fraction(1, 2**50)


@pytest.mark.parametrize("number", range(len(CASES)), ids=lambda number: ascii(CASES[number]["text"][:24]))
def test_the_browser_reads_what_the_server_reads(number: int, answers: list[Any]) -> None:
    case, answer = CASES[number], answers[number]
    if "refused" in case:
        assert answer == {"refused": case["refused"], "row": case.get("row", 0), "column": case.get("column", 0)}
        return
    values, decimals = (
        (case["values"], case["decimals"]) if case["kind"] == "matrix" else ([[case["value"]]], [[case["decimals"]]])
    )
    assert [[cell["decimals"] for cell in row] for row in answer] == decimals
    assert [
        [is_near(cell["value"], exact) for cell, exact in zip(*rows, strict=True)]
        for rows in zip(answer, values, strict=True)
    ] == [[True for _ in row] for row in values]
