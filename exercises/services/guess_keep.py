"""Hold a learner to the first guess: one that can be changed once the numbers are seen is none."""

from __future__ import annotations

from exercises.models import Attempt
from exercises.queries.definitions import attempt_content
from grader.marking.items import LabItem, PredictItem
from grader.marking.response import RawResponse


def guess_keep(*, attempt: Attempt, raw_response: RawResponse) -> RawResponse:
    """Keep the guess of the response if it is the attempt's first; the response with the guess that holds.

    What is no guess of the item's is left as it was sent, for marking to refuse.
    """
    content = attempt_content(attempt)
    if not isinstance(content, LabItem | PredictItem):
        return raw_response
    sent = raw_response.get("guess")
    if any(option.key == sent for option in content.guesses):
        Attempt.objects.filter(pk=attempt.pk, guess="").update(guess=sent)
    attempt.refresh_from_db(fields=["guess"])
    return with_guess(attempt, raw_response)


def with_guess(attempt: Attempt, raw_response: RawResponse) -> RawResponse:
    """The response with the guess that was kept, whatever it says itself; as it was where none is kept."""
    return {**raw_response, "guess": attempt.guess} if attempt.guess else raw_response
