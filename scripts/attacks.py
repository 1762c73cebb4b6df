"""Run every attack of the catalogue in every tier, and show what came of it (`make attacks`)."""

from __future__ import annotations

import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from grader.sandbox import Sandbox, SandboxUnavailable
from tests.grader.sandbox.attacks import ATTACKS
from tests.grader.sandbox.attacks.striking import Outcome, Struck, strike

TIERS = (3, 2, 1)


def main() -> int:
    """Print the table and the counts; return 1 unless every attack was contained and every honest run passed."""
    try:
        with ThreadPoolExecutor(len(TIERS)) as pool:
            by_tier = list(pool.map(strike_all, TIERS))
    except SandboxUnavailable as refusal:
        print(f"attacks: {refusal.reason}", file=sys.stderr)
        return 1
    rows = list(zip(*by_tier, strict=True))
    print("\n".join(table(rows)))
    struck = [one for row in rows for one in row]
    counts = Counter(one.outcome for one in struck)
    passed = sum(one.is_next_right for one in struck)
    print(
        f"attacks: {len(rows)} programs x {len(TIERS)} tiers, "
        f"{', '.join(f'{counts[outcome]} {outcome}' for outcome in Outcome)}; {passed} honest runs after them passed"
    )
    return 1 if any(one.said for one in struck) else 0


def strike_all(tier: int) -> list[Struck]:
    """Run every attack in one sandbox of this tier."""
    with Sandbox(minimum_tier=tier, maximum_tier=tier) as sandbox:
        return [strike(sandbox, attack) for attack in ATTACKS]


def table(rows: list[tuple[Struck, ...]]) -> list[str]:
    """One line for each program, and one more for whatever is wrong with it."""
    width = max(len(attack.name) for attack in ATTACKS)
    heading = max(len(attack.heading) for attack in ATTACKS)
    tiers = " ".join(f"tier {tier:<13}" for tier in TIERS)
    lines = [f"{'program':{width}}  {'heading':{heading}}  {tiers}  verdict"]
    for row in rows:
        attack = row[0].attack
        ended = " ".join(f"{one.ended:18}" for one in row)
        worst = max((one.outcome for one in row), key=list(Outcome).index)
        lines.append(f"{attack.name:{width}}  {attack.heading:{heading}}  {ended}  {worst}")
        lines.extend(f"    tier {tier}: {one.said}" for tier, one in zip(TIERS, row, strict=True) if one.said)
    return lines


if __name__ == "__main__":
    sys.exit(main())
