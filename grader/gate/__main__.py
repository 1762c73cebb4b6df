"""`python -m grader.gate FOLDER…`: try the reference programs of content folders and print the report as JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from grader.gate.programs import check_programs

if __name__ == "__main__":
    sys.stdout.write(json.dumps(check_programs(*map(Path, sys.argv[1:])).to_json(), ensure_ascii=False))
