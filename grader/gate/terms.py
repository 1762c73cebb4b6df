"""Terms that drift from the glossary: a word that is not to be used, or another Chinese word beside the English one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from grader.bank.glossary import Term

_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
# “词元（token）”: what stands before the bracket, and the English within it.
_EXPLAINED: Final = re.compile(
    r"(?P<chinese>[^（），。；：、！？“”《》|\n]{1,24})\**（(?P<english>[A-Za-z][A-Za-z -]*)）"
)
_NO_PROSE: Final = re.compile(r"```.*?```|`[^`\n]*`|\$\$.*?\$\$|\$[^$\n]*\$", re.DOTALL)


def drifting(markdown: str, language: str, terms: Sequence[Term]) -> Iterator[tuple[str, str]]:
    """Each place of a text where a term is called otherwise than in the glossary, and what it is called there."""
    prose = _NO_PROSE.sub(" ", markdown)
    for term in terms:
        name = term.name.in_language(language)
        for word in term.avoided.get(language, ()):
            if re.search(_pattern(word), prose, re.IGNORECASE):
                yield word, name
    by_english = {term.name.en.casefold(): term.name.zh_hans for term in terms}
    for found in _EXPLAINED.finditer(prose):
        name = by_english.get(found["english"].strip().casefold(), "")
        if name and not found["chinese"].replace("*", "").endswith(name):
            yield found[0], name


def _pattern(word: str) -> str:
    return re.escape(word) if _HAN.search(word) else rf"\b{re.escape(word)}s?\b"
