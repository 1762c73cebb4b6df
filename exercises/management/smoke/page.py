"""A page as a tree that can be searched; what a page should hold and does not is a surprise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser

# Elements that have no end tag.
VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"})


class Surprise(Exception):  # noqa: N818 -- it is what it says; whether it is the site's error is for a person to find out
    """The site did something else than it should; one sentence says what."""


@dataclass(slots=True)
class Node:
    """An element with its attributes and all that it holds."""

    tag: str
    attributes: Mapping[str, str]
    children: list[Node | str] = field(default_factory=list)

    @property
    def classes(self) -> list[str]:
        """Its style classes."""
        return self.attributes.get("class", "").split()

    def text(self) -> str:
        """Its words with single blanks between them."""
        return " ".join(self.raw_text().split())

    def raw_text(self) -> str:
        """Its words as they stand, which matters in a box of code."""
        return "".join(child if isinstance(child, str) else child.raw_text() for child in self.children)

    def all(self, tag: str = "", *, css: str = "", **attributes: str) -> list[Node]:
        """The elements below this one of that tag, with that class and these attributes, in the order of the page."""
        return [node for node in self.below() if _fits(node, tag, css, attributes)]

    def has(self, tag: str = "", *, css: str = "", **attributes: str) -> bool:
        """Whether there is such an element."""
        return bool(self.all(tag, css=css, **attributes))

    def one(self, tag: str = "", *, css: str = "", **attributes: str) -> Node:
        """The first such element. Raises Surprise where there is none."""
        found = self.all(tag, css=css, **attributes)
        if not found:
            wanted = [tag, f".{css}" if css else "", *(f'[{name}="{value}"]' for name, value in attributes.items())]
            raise Surprise(f"the page should hold {''.join(wanted)} and does not")
        return found[0]

    def below(self) -> Iterator[Node]:
        """Every element inside, in the order of the page."""
        for child in self.children:
            if isinstance(child, Node):
                yield child
                yield from child.below()


@dataclass(frozen=True, slots=True)
class Page:
    """What came back for a request."""

    url: str
    root: Node


def parse(markup: str) -> Node:
    """The tree of a page."""
    parser = _TreeParser()
    parser.feed(markup)
    parser.close()
    return parser.root


def _fits(node: Node, tag: str, css: str, attributes: Mapping[str, str]) -> bool:
    return (
        tag in {"", node.tag}
        and (not css or css in node.classes)
        and all(node.attributes.get(name) == value for name, value in attributes.items())
    )


class _TreeParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Node("", {})
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(node)
        if tag not in VOID:
            self._open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].children.append(Node(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        places = [place for place, node in enumerate(self._open) if node.tag == tag]
        if places:  # an end tag closes what was left open inside as well
            del self._open[places[-1] :]

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)
