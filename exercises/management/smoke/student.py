"""What a student does on the first day, each step checked by what the page then shows."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from exercises.management.smoke.guest import Guest
from exercises.management.smoke.numbers import Matrix, givens_of, in_cells, product
from exercises.management.smoke.page import Node, Page, Surprise

LESSON: Final = "qkv"
BY_HAND, IN_CODE, IN_WORDS = "pj-qkv", "cd-project", "qc-1"

RIGHT_CODE: Final = "def project(x, W, b=None):\n    return x @ W if b is None else x @ W + b\n"
WRONG_CODE: Final = "def project(x, W, b=None):\n    return x @ W\n"

GRADED_WITHIN_SECONDS: Final = 60.0
LOOK_EVERY_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True)
class Student(Guest):
    """`mark` tells the code and the text of this walk from those of every other: the same answer twice is no try."""

    mark: str

    @property
    def words(self) -> str:
        """The answer to the quick check."""
        return f"smoke {self.mark}"

    def reads(self) -> str:
        """The course leads to the lesson; the lesson has its formulas and its items."""
        course = self.course()
        if not any(f"/lessons/{LESSON}/" in link.attributes.get("href", "") for link in course.root.all("a")):
            raise Surprise(f"{course.url} should lead to the lesson {LESSON!r} and does not")
        lesson = self._lesson().root
        counts = f"{len(lesson.all('math'))} formulas, {len(lesson.all('section', css='item'))} items"
        return f"read “{lesson.one('h1').text()}”: {counts}"

    def titles(self) -> dict[str, str]:
        """The items of this walk as the lesson calls them."""
        lesson = self._lesson().root
        return {slug: _item(lesson, slug).one(id=f"title-{slug}").text() for slug in (BY_HAND, IN_CODE, IN_WORDS)}

    def errs_by_hand(self) -> str:
        """Take W_K for W_Q, on new numbers. Returns the name that the page gives to the mistake."""
        page = self._lesson()
        for form in _item(page.root, BY_HAND).all("form"):
            if form.attributes.get("action", "").endswith("/another/"):
                page = self.visitor.submit(page, form, {})
        given = givens_of(_item(page.root, BY_HAND))
        return _named_mistake(self._answer_by_hand(page, q=product(given["x"], given["W_K"])), "partially_correct")

    def is_right_by_hand(self) -> str:
        """The same numbers with the right matrices."""
        item = self._answer_by_hand(self._lesson())
        _expect_verdict(item, "correct")
        item.one("details", css="solution")
        return f"right numbers: {item.one(css='verdict').text()}; the worked solution is there"

    def errs_in_code(self) -> str:
        """Leave the bias out. Returns the name that the page gives to the mistake."""
        return _named_mistake(self._run(WRONG_CODE), "incorrect")

    def is_right_in_code(self) -> str:
        """The function that is asked for."""
        item = self._run(RIGHT_CODE)
        _expect_verdict(item, "correct")
        return f"right code: {item.one(css='verdict').text()}"

    def answers_in_words(self) -> str:
        """A quick check waits for a person."""
        item = self._answer(self._lesson(), IN_WORDS, {"text": self.words})
        if not item.has(id=f"state-{IN_WORDS}", css="state-waiting"):
            raise Surprise("a quick check that was sent should wait for the instructor and does not")
        return "quick check sent: it waits for the instructor"

    def _answer_by_hand(self, page: Page, **wrong: Matrix) -> Node:
        given = givens_of(_item(page.root, BY_HAND))
        right = {name: product(given["x"], given[f"W_{name.upper()}"]) for name in ("q", "k", "v")}
        return self._answer(page, BY_HAND, in_cells(right | wrong))

    def _run(self, code: str) -> Node:
        page = self._submit(self._lesson(), IN_CODE, {"code": f"{code}# {self.words}\n"})
        deadline = time.monotonic() + GRADED_WITHIN_SECONDS
        while (item := _item(page.root, IN_CODE)).has(css="waiting-busy"):
            if time.monotonic() > deadline:
                says = item.one(css="waiting").text()
                raise Surprise(f"code was not graded within {GRADED_WITHIN_SECONDS:.0f} s; its page says: {says}")
            time.sleep(LOOK_EVERY_SECONDS)
            page = self.visitor.get(page.url)
        return item

    def _answer(self, page: Page, slug: str, values: Mapping[str, str]) -> Node:
        return _item(self._submit(page, slug, values).root, slug)

    def _submit(self, page: Page, slug: str, values: Mapping[str, str]) -> Page:
        return self.visitor.submit(page, _item(page.root, slug).one("form", css="item-form"), values)

    def _lesson(self) -> Page:
        return self.course(f"lessons/{LESSON}/")


def _item(root: Node, slug: str) -> Node:
    return root.one("section", id=f"item-{slug}")


def _expect_verdict(item: Node, verdict: str) -> None:
    name = item.one(css="item-head").one(id=item.attributes["aria-labelledby"]).text()
    shown = item.all(css="verdict") or item.all(css="waiting")
    words = shown[0].text() if shown else "no result at all"
    if not item.has(css=f"verdict-{verdict}"):
        raise Surprise(f"“{name}” should be judged {verdict}, and its page shows: {words}")


def _named_mistake(item: Node, verdict: str) -> str:
    """The title of the misconception on the page. Raises Surprise where none is named."""
    _expect_verdict(item, verdict)
    named = [found for found in item.all(css="finding") if "finding-remark" not in found.classes]
    if not named:
        others = "; ".join(found.text() for found in item.all(css="finding")) or "nothing"
        raise Surprise(
            f"a well-known mistake in {item.attributes['id']} should be called by its name; said was: {others}"
        )
    return named[0].one(css="finding-name").text()
