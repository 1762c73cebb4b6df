"""Somebody with an account in the demo course, at a browser of their own."""

from __future__ import annotations

from dataclasses import dataclass

from exercises.management.smoke.page import Page, Surprise
from exercises.management.smoke.visitor import Visitor

COURSE = "demo"


@dataclass(frozen=True, slots=True)
class Guest:
    """Who walks, and in which language."""

    visitor: Visitor
    language: str
    username: str

    def signs_in(self, password: str) -> str:
        """Through the form, as everybody does."""
        door = self.get("")
        if not door.root.has("input", name="password"):
            raise Surprise(f"{door.url} should ask a stranger to sign in and does not")
        form = next(form for form in door.root.all("form") if form.has("input", name="password"))
        home = self.visitor.submit(door, form, {"login": self.username, "password": password})
        if home.root.has("input", name="password"):
            raise Surprise(f"{self.username} is not let in; is the password still the one in the file of log-ins?")
        return f"signed in as {self.username}"

    def get(self, path: str) -> Page:
        """Open a page in this guest's language."""
        return self.visitor.get(f"{self.language}/{path}")

    def course(self, path: str = "") -> Page:
        """Open a page of the demo course."""
        return self.get(f"courses/{COURSE}/{path}")
