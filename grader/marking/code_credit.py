"""What a function earns: each property its share, when all that tries it passes."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from grader.marking.code_outcomes import Tried
from grader.marking.items import CodeItem
from grader.marking.properties import Property
from grader.marking.run_report import PropertyReport

# A function that does nothing changes no input, and a choice of the largest never overflows: without right values these
# would be gifts.
NEED_VALUES = frozenset({Property.STABILITY, Property.INPUTS, Property.WORK})


def credit(item: CodeItem, tried: Sequence[Tried], *, example_is_right: bool) -> tuple[PropertyReport, ...]:
    """Each property of the item with its earnings; `tried` are the counted calls."""
    passes = {name: _passes(name, tried, example_is_right=example_is_right) for name, _ in item.credit}
    values_are_right = all(passes[Property.VALUES])
    has_changed = any(one.changed_inputs for one in tried)

    def earns(name: Property) -> bool:
        if name in NEED_VALUES and not values_are_right:
            return False
        return all(passes[name]) and not (name is Property.INPUTS and has_changed)

    return tuple(
        PropertyReport(
            property=name,
            earned=of if earns(name) else Decimal(0),
            of=of,
            passed=sum(passes[name]),
            total=len(passes[name]),
        )
        for name, of in item.credit
    )


def _passes(name: Property, tried: Sequence[Tried], *, example_is_right: bool) -> list[bool]:
    """What the property is tried by, and whether each passed."""
    if name is Property.EXAMPLE:
        return [example_is_right]
    if name is Property.WORK:
        return [one.work_is_right for one in tried]
    return [one.is_right for one in tried if one.case.plan.property is name]
