"""What lateness leaves of a gain."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Final

WHOLE: Final = Decimal(1)
NOTHING: Final = Decimal(0)


@dataclass(frozen=True, slots=True)
class LateSchedule:
    """The shares that each begun unit after the due date takes, the last one for every unit after it; `floor` is left.

    Without steps lateness costs nothing.
    """

    unit: timedelta = timedelta(days=1)
    steps: tuple[Decimal, ...] = ()
    floor: Decimal = NOTHING

    def share(self, late: timedelta) -> Decimal:
        """The share, from 0 to 1, that a gain keeps so long after the due date; at the due date itself all of it."""
        if late <= timedelta(0) or not self.steps:
            return WHOLE
        begun = -(-late // self.unit)
        further = max(0, begun - len(self.steps))
        lost = sum(self.steps[:begun], NOTHING) + further * self.steps[-1]
        return min(WHOLE, max(self.floor, WHOLE - lost))
