"""A stored mark, given once more from what is stored of its submission: to check it, or to see what a change would do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from grader.bank.items import parse_item
from grader.bank.telling import variant_convention
from grader.marking.judge import mark_response
from grader.marking.mark import Mark
from grader.marking.response import RawResponse
from grader.marking.variants import VariantJson


def replay(definition: Mapping[str, Any], variant: VariantJson, raw_response: RawResponse) -> Mark:
    """The mark of a response to a version of an item, without credit: of the tries before it nothing is known.

    Raises what reading the definition and marking the response raise; a program is replayed by `grader.grading`.
    """
    item = parse_item(definition, variant_convention(variant))
    return replace(mark_response(item, variant, raw_response), credit=None)
