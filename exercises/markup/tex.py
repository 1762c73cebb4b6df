"""TeX to MathML, with the letters Q, K and V marked so that the page can colour them alike, and symbols by name."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final
from xml.etree import ElementTree as ET

from django.utils.safestring import SafeString, mark_safe
from latex2mathml.converter import Converter

from exercises.markup.allowlist import clean_html
from exercises.markup.symbols import mark_symbols, only_symbol

_ALIGNED: Final = re.compile(r"\\(begin|end)\{aligned\}")
_ROLES: Final = {"q": "q", "Q": "q", "k": "k", "K": "k", "v": "v", "V": "v"}
_PARAMETERS: Final = frozenset({"W", "b"})
_SCRIPTED: Final = frozenset({"msub", "msubsup"})
_WITH_SCRIPTS: Final = _SCRIPTED | {"msup", "munder", "mover", "munderover"}
_SIGNS: Final = frozenset({"+", "-", "−", "±", "&#x0002B;", "&#x02212;", "&#x000B1;"})
_BRACKETS: Final = frozenset("()[]{}|‖")
_CLOSING: Final = frozenset({")", "]", "}", "|", "‖", "!", "′"})


@lru_cache(maxsize=4096)
def render_tex(tex: str, *, display: bool = False) -> SafeString:
    """One formula as MathML; TeX that cannot be read is shown as it was written."""
    return mark_safe(clean_html(tex_markup(tex, display=display)))  # noqa: S308 -- it has passed the allow-list


def tex_markup(tex: str, *, display: bool) -> str:
    """One formula as MathML that still has to pass the allow-list."""
    root = _converted(tex, display=display)
    if root is None:
        return f'<code class="tex">{html.escape(tex)}</code>'
    return ET.tostring(root, encoding="unicode", short_empty_elements=False)


@lru_cache(maxsize=4096)
def symbol_of(tex: str) -> str:
    """The name of the symbol that a formula consists of (`symbols`); empty where it is no single symbol."""
    root = _converted(tex, display=False)
    return "" if root is None else only_symbol(root)


def _converted(tex: str, *, display: bool) -> ET.Element | None:
    try:
        root = Converter(display="block" if display else "inline").convert_to_element(
            _ALIGNED.sub(r"\\\1{align*}", tex)
        )
    except Exception:  # noqa: BLE001 -- a dozen classes without a common base; no page dies of a formula
        return None
    _hold_matrices(root)
    _mark_roles(root)
    _set_signs(root)
    for element in root.iter():
        # The converter writes entities into the text and unescapes the finished string, which would let
        # `\text{<script>}` out as an element. Unescaped here, they are escaped once more on the way out.
        element.text = html.unescape(element.text) if element.text else element.text
    mark_symbols(root)
    return root


def _hold_matrices(root: ET.Element) -> None:
    """Make each matrix one piece with its brackets: they are as high as it is, and an exponent belongs to all of it."""
    for parent in list(root.iter()):
        for opening, matrix, closing in zip(list(parent), list(parent)[1:], list(parent)[2:], strict=False):
            if matrix.tag == "mtable" and _is(opening, _BRACKETS) and _is(closing, _BRACKETS):
                held = ET.Element("mrow")
                parent.insert(list(parent).index(opening), held)
                for piece in (opening, matrix, closing):
                    parent.remove(piece)
                    held.append(piece)


def _is(element: ET.Element, operators: frozenset[str]) -> bool:
    return element.tag == "mo" and html.unescape(element.text or "").strip() in operators


def _mark_roles(root: ET.Element) -> None:
    """Give `role-q`, `role-k` or `role-v` to q_i, W_Q and their kin, but not to the k of d_k."""
    for element, is_script in _with_place(root, is_script=False):
        role = _role_of(element)
        if role and not is_script:
            element.set("class", f"role-{role}")


def _with_place(element: ET.Element, *, is_script: bool) -> Iterator[tuple[ET.Element, bool]]:
    """Walk the tree; `is_script` tells whether the element stands in an index or exponent."""
    yield element, is_script
    for place, child in enumerate(element):
        scripted = is_script or (element.tag in _WITH_SCRIPTS and place > 0)
        yield from _with_place(child, is_script=scripted)


def _set_signs(root: ET.Element) -> None:
    """Space operators as TeX does: a sign after another operator is a sign, and an index is set tight."""
    for parent in root.iter():
        for before, element in zip((None, *parent), parent, strict=False):
            is_sign = element.tag == "mo" and (element.text or "").strip() in _SIGNS
            if is_sign and before is not None and before.tag == "mo" and not _is(before, _CLOSING):
                element.set("form", "prefix")
    for element, is_script in _with_place(root, is_script=False):
        if is_script and element.tag == "mo":
            element.set("lspace", "0")
            element.set("rspace", "0")


def _role_of(element: ET.Element) -> str:
    if element.tag == "mi":
        return _ROLES.get((element.text or "").strip(), "")
    if element.tag in _SCRIPTED and (element[0].text or "").strip() in _PARAMETERS:
        return _ROLES.get("".join(element[1].itertext()).strip(), "")
    return ""
