"""A learner who sends code, one program after the other, and waits for each verdict."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, field

from exercises.management.smoke.guest import Guest
from exercises.management.smoke.page import Node, Page
from exercises.management.smoke.student import IN_CODE, LESSON, RIGHT_CODE
from exercises.management.smoke.visitor import Visitor

# What the page's own script sends along: the answer is then the item alone, not the whole lesson.
PART_OF_A_PAGE = {"HX-Request": "true"}
VERDICT, WAITING = "verdict-correct", "waiting-busy"
LOOK_EVERY_SECONDS = 0.05
PATIENCE_SECONDS = 60.0


@dataclass(slots=True)
class Learner:
    """Signed in, with the code item's form open. `name` makes each program differ from everybody else's."""

    name: str
    visitor: Visitor
    lesson: Page
    form: Node
    numbers: itertools.count[int] = field(default_factory=itertools.count)

    def send(self) -> None:
        """Submit right code once more, and return with its verdict. Raises RuntimeError for any other end."""
        code = f"{RIGHT_CODE}# {self.name} {next(self.numbers)}\n"
        result = self.visitor.submit(self.lesson, self.form, {"code": code}, headers=PART_OF_A_PAGE).root
        deadline = time.monotonic() + PATIENCE_SECONDS
        while result.has(css=WAITING) and time.monotonic() < deadline:  # the POST itself waits two seconds for it
            time.sleep(LOOK_EVERY_SECONDS)
            result = self.visitor.get(result.one(id=f"result-{IN_CODE}").attributes["hx-get"]).root
        if not result.has(css=VERDICT):
            raise RuntimeError(f"right code was not judged right; the page says: {result.text()}")


def sign_in(origin: str, username: str, password: str, name: str) -> Learner:
    """A learner at a browser of their own."""
    guest = Guest(Visitor(origin), "en", username)
    guest.signs_in(password)
    lesson = guest.course(f"lessons/{LESSON}/")
    form = lesson.root.one("section", id=f"item-{IN_CODE}").one("form", css="item-form")
    return Learner(name, guest.visitor, lesson, form)
