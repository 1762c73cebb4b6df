"""The keeper without a wall, to measure what the walls cost: it lives here, since nothing in the product can do this.

Same warm-up, same clone, same wire, same clocks; every system call of a child's own is replaced by one that changes
nothing. It runs only the bench's own program.
"""

from __future__ import annotations

from grader.sandbox import child, jail, keeper, kernel
from grader.sandbox.messages import Settle


def main() -> None:
    """Serve like a keeper, in no jail at all."""
    walls = child.walls_of(3, b"")
    nothing = tuple(child.Wall(wall.layer, kernel.call("getpid"), None) for wall in walls)
    setattr(child, "walls_of", lambda _tier, _filter: nothing)  # noqa: B010 -- put in place of the real thing
    setattr(jail, "clone_flags", lambda _tier: 0)  # noqa: B010
    setattr(jail, "enter", no_wall)  # noqa: B010
    keeper.main()


def no_wall(_settle: Settle) -> dict[str, str]:
    """Nothing stands."""
    return {}
