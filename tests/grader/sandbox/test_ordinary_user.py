"""The jail as an ordinary user raises it: every attack again, by a process without root's rights."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.grader.sandbox.running import require

pytestmark = pytest.mark.jail

ORDINARY_ID = "1234"
PROGRAM = """
import os, sys
sys.path.insert(0, os.getcwd())
from tests.grader.sandbox.attacks import ATTACKS
from tests.grader.sandbox.attacks.striking import verdict
from tests.grader.sandbox.running import open_sandbox
tier = int(sys.argv[1])
with open_sandbox(tier) as opened:
    wrong = [said for attack in ATTACKS if (said := verdict(opened, attack))]
print(os.getuid(), opened.tier, *wrong, sep="\\n")
"""


def test_every_attack_is_contained_for_an_ordinary_user(tier):
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root, with setpriv, can become an ordinary user; as one, the other tests are this one")
    require(tier)
    # Python itself may lie where only root can read: this user may read, and nothing else.
    becoming = ["setpriv", f"--reuid={ORDINARY_ID}", f"--regid={ORDINARY_ID}", "--clear-groups"]
    may_read = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]

    finished = subprocess.run(
        [*becoming, *may_read, sys.executable, "-c", PROGRAM, str(tier)], capture_output=True, text=True, check=False
    )

    assert finished.stdout.splitlines() == [ORDINARY_ID, str(tier)], finished.stderr
