"""Write deploy/seccomp-grader.json: Docker's default profile, and what the sandbox worker needs on top.

    python scripts/seccomp_profile.py DEFAULT.json > deploy/seccomp-grader.json

DEFAULT.json is `profiles/seccomp/default.json` of Docker, which Debian ships in golang-github-docker-docker-dev below
/usr/share/gocode/src/github.com/docker/docker. Three calls are added: `clone` with any flags, `unshare`, and `sethostname`.
With them a process without any capability can put its children into namespaces of their own and hide the machine's name
from them; the kernel still refuses a new name for the machine itself. Everything else stays refused: mount, setns,
keyctl, bpf, a clone3 whose flags no filter can see.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ADDED = ["clone", "sethostname", "unshare"]
COMMENT = "Added to Docker's default profile: the sandbox puts its children into namespaces of their own."


def grader_profile(default: dict[str, Any]) -> dict[str, Any]:
    """The default profile with one rule more. A rule that allows wins over the default's conditional ones."""
    kept = [rule for rule in default["syscalls"] if not is_masked_clone(rule)]
    added = {"names": ADDED, "action": "SCMP_ACT_ALLOW", "comment": COMMENT}
    return {**default, "syscalls": [*kept, added]}


def is_masked_clone(rule: dict[str, Any]) -> bool:
    """Whether this is the rule that allows clone without namespaces, which the added one makes pointless."""
    return bool(rule["names"] == ["clone"] and rule["args"])


def main(arguments: list[str]) -> None:
    """Read the profile that the first argument names, print ours."""
    default = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    sys.stdout.write(json.dumps(grader_profile(default), indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
