"""`python -m grader.sandbox check`: print what holds here; exit 1 below SANDBOX_MIN_TIER."""

from __future__ import annotations

import os
import sys

from grader.sandbox.describe import Description, describe, minimum_tier_from

USAGE = "usage: python -m grader.sandbox check"


def report(description: Description, minimum_tier: int) -> str:
    """Lay the description out as a table, what would help, and a sentence."""
    width = max(len(layer.name) for layer in description.layers)
    lines = [
        f"{'yes' if layer.holds else 'no':3}  {layer.name:{width}}  {layer.detail}" for layer in description.layers
    ]
    for advice in dict.fromkeys(layer.advice for layer in description.layers if layer.advice):
        names = ", ".join(layer.name for layer in description.layers if layer.advice == advice)
        lines.append(f"\nFor {names}: {advice}.")
    if description.reason:
        lines.append(f"\n{description.reason}")
    verdict = "code can be run" if description.tier >= minimum_tier else "code will not be run"
    lines.append(f"\nTier {description.tier} holds here and SANDBOX_MIN_TIER is {minimum_tier}: {verdict}.")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Run the one command there is."""
    if arguments != ["check"]:
        sys.stderr.write(f"{USAGE}\n")
        return 2
    try:
        minimum_tier = minimum_tier_from(os.environ)
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    description = describe()
    sys.stdout.write(report(description, minimum_tier) + "\n")
    return 0 if description.tier >= minimum_tier else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
