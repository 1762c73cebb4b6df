"""What HTML, MathML and SVG may leave this package; all else is dropped."""

from __future__ import annotations

import re
from typing import Final

import nh3

_PROSE_TAGS: Final = {
    *("a", "aside", "blockquote", "br", "code", "del", "div", "em", "figcaption", "figure", "h2", "h3", "h4", "hr"),
    *("li", "ol", "p", "pre", "section", "span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}
_MATHML_TAGS: Final = {
    *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "ms", "msub", "msup", "msubsup", "mfrac", "msqrt", "mroot"),
    *("munder", "mover", "munderover", "mtable", "mtr", "mtd", "mpadded", "mphantom", "menclose", "mstyle"),
}
_ATTRIBUTES: Final = {
    "*": {"class"},
    "a": {"class", "href", "title", "aria-label", "aria-describedby"},
    "div": {"class", "role", "tabindex", "aria-label"},
    "aside": {"class", "aria-label"},
    "h2": {"class", "id"},
    "h3": {"class", "id"},
    "h4": {"class", "id"},
    "ol": {"class", "start"},
    "td": {"class", "colspan", "rowspan"},
    "th": {"class", "colspan", "rowspan", "scope"},
    "math": {"class", "display"},
    "mi": {"class", "mathvariant"},
    "mn": {"class", "mathvariant"},
    "mtext": {"class", "mathvariant"},
    "mo": {"class", "stretchy", "fence", "form", "separator", "largeop", "movablelimits", "minsize", "maxsize"}
    | {"accent", "lspace", "rspace", "symmetric"},
    "mover": {"class", "accent"},
    "munder": {"class", "accentunder"},
    "mspace": {"class", "width", "height", "depth"},
    "mfrac": {"class", "linethickness"},
    "mtable": {"class", "columnalign", "rowlines", "columnlines", "columnspacing", "rowspacing"},
    "mtd": {"class", "columnalign"},
    "mstyle": {"class", "displaystyle", "scriptlevel"},
    "mpadded": {"class", "width", "height", "depth", "lspace", "voffset"},
    "menclose": {"class", "notation"},
}

_SVG_TAGS: Final = {
    *("svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "title", "desc"),
    *("defs", "marker"),
}
_SVG_ATTRIBUTES: Final = {
    "*": {"class", "id", "transform", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "width", "height"}
    | {"d", "points", "dx", "dy", "text-anchor", "dominant-baseline", "stroke-dasharray", "stroke-width", "font-size"}
    | {"marker-start", "marker-mid", "marker-end", "aria-hidden", "lang"},
    "svg": {"viewBox", "role", "aria-labelledby", "aria-describedby", "aria-label", "class", "id", "xmlns"},
    "marker": {"id", "viewBox", "refX", "refY", "markerWidth", "markerHeight", "orient", "markerUnits", "class"},
}
_LOCAL_REFERENCE: Final = re.compile(r"url\(#[\w-]+\)")


def clean_html(html: str) -> str:
    """Keep the elements of prose and formulas; drop scripts, styles, handlers and foreign schemes."""
    return nh3.clean(
        html,
        tags=_PROSE_TAGS | _MATHML_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"https", "http", "mailto"},
        strip_comments=True,
    )


def clean_svg(svg: str) -> str:
    """Keep a drawing's shapes, words and classes; a reference may only point inside the drawing."""
    return nh3.clean(
        svg,
        tags=_SVG_TAGS,
        attributes=_SVG_ATTRIBUTES,
        attribute_filter=_keep_local_reference,
        strip_comments=True,
        link_rel=None,
    )


def _keep_local_reference(_tag: str, _name: str, value: str) -> str | None:
    """Drop any attribute that names a resource elsewhere."""
    if "url(" in value.lower() and not _LOCAL_REFERENCE.fullmatch(value.strip()):
        return None
    return value
