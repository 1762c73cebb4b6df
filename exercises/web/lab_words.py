"""The words of a lab, for the page as it comes and for the script that keeps it up to date."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_lazy as _

from exercises.web.words import Words

STAGES: Final[tuple[tuple[Words, tuple[str, ...]], ...]] = (
    (_("What goes in"), ("X",)),
    (_("What was learned"), ("W_Q", "W_K", "W_V")),
    (_("Three roles"), ("Q", "K", "V")),
    (_("Who looks at whom"), ("logits", "factor", "scaled", "attn_weights")),
    (_("What comes out"), ("context",)),
)
# Where scores are given, values are only needed for what comes out.
STAGES_OF_SCORES: Final[tuple[tuple[Words, tuple[str, ...]], ...]] = (STAGES[3], (STAGES[4][0], ("V", "context")))
TABLE_WORDS: Final[Mapping[str, Words]] = {
    "X": _("Tokens"),
    "W_Q": _("Query matrix"),
    "W_K": _("Key matrix"),
    "W_V": _("Value matrix"),
    "Q": _("Queries"),
    "K": _("Keys"),
    "V": _("Values"),
    "logits": _("Scores"),
    "factor": _("Factor"),
    "scaled": _("Scaled scores"),
    "attn_weights": _("Attention weights"),
    "context": _("Output"),
}
# The script fills the same blanks with the same rules, so a page says the same before and after a number changes.
READOUTS: Final[Mapping[str, Words]] = {
    "symmetric": _("The scores are symmetric: any two tokens give each other the same."),
    "asymmetric": _("The scores are not symmetric. Largest gap: {gap}, between {from} and {to}."),
    "selfish": _("These prefer themselves: {names}."),
    "selfless": _("No token prefers itself."),
    "longest": _("The longest token: {names}, with a length of {length}."),
    "order": _("From the largest weight to the smallest: {order}."),
}
SPOKEN: Final[Mapping[str, Words]] = {
    **READOUTS,
    "reached": _("reached"),
    "open": _("not yet"),
    "copied": _("The address is copied. Whoever opens it sees these numbers."),
    "sum": _("{name}, from {from} to {to}"),
    "cell": _("{name}, {from}, number {to}"),
    "all": _("All goals are reached. Check them to have it counted."),
    "comma": _(", "),
    "shifted": _("(each score less the largest of its row, {largest})"),
    "rest": _("the other {count} together {value}"),
    "rivals": _("itself {own}, {to} {best}"),
    "slider": _("Factor, from 0.1 to 20; the box takes any number"),
    "border": _("{name}’s line"),
    "plane": _(
        "The tokens as arrows. Drag a tip, or change the numbers of X. A token’s dashed line is square to its arrow:"
        " whoever reaches beyond it wins that token over. The radius of the dotted circle is the length of the longest token."
    ),
}
PRESETS: Final[Mapping[str, Words]] = {
    "start": _("The numbers to begin with"),
    "identity": _("Identity: naive attention"),
    "shared": _("One matrix for Q and K"),
    "random": _("Small random numbers"),
}
