"""Links from a lesson to the glossary: at the first use of a term in the lesson, of a symbol in each section."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from exercises.markup.tex import symbol_of

_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_ENTRY: Final = "card-"
_MARKS: Final = re.compile(r"\\[A-Za-z]+|[{}_^\\]")
_END: Final = Token("end", "", 0)


@dataclass(frozen=True, slots=True)
class Reference:
    """A glossary as lessons link to it: symbols by name, and terms in the language of the text, each with its entry.

    `names` has what each entry is called, to be heard beside its symbol: not every reading aid reads formulas.
    """

    address: str
    symbols: tuple[tuple[str, str], ...] = ()
    terms: tuple[tuple[str, str], ...] = ()
    names: tuple[tuple[str, str], ...] = ()

    def without_symbols(self, met: Collection[str]) -> Reference:
        """The reference without the symbols of entries that have been met already."""
        return replace(self, symbols=tuple(pair for pair in self.symbols if pair[1] not in met))


NO_REFERENCE: Final = Reference("")


def link_reference(state: StateCore) -> None:
    """Put links around the terms and symbols that the reference knows.

    `env["linked"]` tells which entries' terms were met, `env["met"]` of which the symbols were, since the last section.
    """
    reference: Reference = state.env.get("reference", NO_REFERENCE)
    symbols, terms, names = dict(reference.symbols), dict(reference.terms), dict(reference.names)
    fresh = dict(symbols)
    is_heading = False
    for token in state.tokens:
        if token.type in {"heading_open", "heading_close"}:
            is_heading = token.type == "heading_open"
            fresh = dict(symbols) if token.tag == "h2" else fresh
        elif token.type == "inline" and not is_heading:
            token.children = [
                _named(each, following, names)
                for each, following in pairwise([*_linked(token.children or [], reference.address, fresh, terms), _END])
            ]
    state.env["linked"] = frozenset(slug for _, slug in reference.terms) - frozenset(terms.values())
    state.env["met"] = frozenset(slug for name, slug in reference.symbols if name not in fresh)


def _named(token: Token, following: Token, names: dict[str, str]) -> Token:
    """Say the symbol and what it is called; the description then says what that means."""
    if token.type == "link_open" and token.attrs.get("class") == "symbol":
        slug = str(token.attrs["href"]).partition("#")[2]
        token.attrSet("aria-label", f"{_spoken(following.content)} {names.get(slug, '')}".strip())
    return token


def _spoken(tex: str) -> str:
    """The letters of a symbol, apart from each other."""
    return " ".join(_MARKS.sub(" ", tex.replace("'", "′")).split())


def _linked(tokens: list[Token], address: str, symbols: dict[str, str], terms: dict[str, str]) -> Iterator[Token]:
    depth = 0
    for token in tokens:
        depth += token.nesting if token.type in {"link_open", "link_close"} else 0
        if depth == 0 and token.type == "math_inline":
            slug = symbols.pop(symbol_of(token.content), "")
            yield from _link(address, slug, "symbol", token) if slug else (token,)
        elif depth == 0 and token.type == "text" and terms:
            yield from _link_terms(token, address, terms)
        else:
            yield token


def _link_terms(token: Token, address: str, terms: dict[str, str]) -> Iterator[Token]:
    """The text in pieces: what stands around terms that were not met before, and these within links."""
    start = 0
    for found in _pattern(tuple(terms)).finditer(token.content):
        slug = terms.pop(_term_of(found, terms), "")
        if slug:
            for other in [term for term, entry in terms.items() if entry == slug]:
                del terms[other]
            yield _text(token, token.content[start : found.start()])
            yield from _link(address, slug, "term", _text(token, found[0]))
            start = found.end()
    yield _text(token, token.content[start:])


def _link(address: str, slug: str, look: str, inner: Token) -> tuple[Token, Token, Token]:
    attributes: dict[str, str | int | float] = {
        "href": f"{address}#{slug}",
        "class": look,
        "aria-describedby": f"{_ENTRY}{slug}",
    }
    return Token("link_open", "a", 1, attrs=attributes), inner, Token("link_close", "a", -1)


def _text(token: Token, content: str) -> Token:
    return token.copy(content=content)


def _term_of(found: re.Match[str], terms: dict[str, str]) -> str:
    said = found[0].casefold()
    return said if said in terms else said.removesuffix("s")


@lru_cache(maxsize=256)
def _pattern(terms: tuple[str, ...]) -> re.Pattern[str]:
    """Longer terms first: within "attention weight" there is another."""
    return re.compile("|".join(map(_term_pattern, sorted(terms, key=len, reverse=True))), re.IGNORECASE)


def _term_pattern(term: str) -> str:
    """An English term is a word, perhaps in the plural; a Chinese one of one character is part of too many words.

    So that one is taken only where the English word follows in brackets.
    """
    if not _HAN.search(term):
        return rf"\b{re.escape(term)}s?\b"
    return rf"{re.escape(term)}(?=（[A-Za-z])" if len(term) == 1 else re.escape(term)
