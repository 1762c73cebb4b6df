"""Links: what each of them must lead to."""

from __future__ import annotations

import pytest

from grader.gate.links import check_links, places


def anchors(markdown: str) -> list[str]:
    return [f"s-{line[3:]}" for line in markdown.splitlines() if line.startswith("## ")]


PLACES = places({"one": ("# One\n\n## first\n", ["sum"]), "two": ("# Two\n\n## last\n", [])}, anchors)


def broken(markdown: str) -> list[str]:
    return [target for target, _ in PLACES.broken(markdown, "one")]


@pytest.mark.parametrize(
    "link",
    [
        "[a](#s-first)",
        "[a](#item-sum)",
        "[a](../two/)",
        "[a](../two/#s-last)",
        "[a](https://example.org/x?y#z)",
        '[a](https://example.org "title")',
        "`[a](nowhere)`",
        "```\n[a](nowhere)\n```",
        r"\[a](nowhere)",
        "[a] (nowhere)",
    ],
)
def test_a_link_that_leads_somewhere_is_in_order(link):
    assert broken(link) == []


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("#s-last", "lesson 'one' has no place #s-last"),
        ("../two/#s-first", "lesson 'two' has no place #s-first"),
        ("../three/", "there is no lesson 'three'; there are one, two"),
        ("two", "a link goes to https://…, to #anchor, or to ../lesson/#anchor of this course"),
        ("javascript:alert", "a link goes to https://…, to #anchor, or to ../lesson/#anchor of this course"),
        ("//example.org", "a link goes to https://…, to #anchor, or to ../lesson/#anchor of this course"),
        ("https://", "this address names no host"),
        ("", "this link is empty"),
    ],
)
def test_a_link_that_leads_nowhere_is_named_with_its_reason(target, reason):
    assert list(PLACES.broken(f"See [*this*]({target}).", "one")) == [(target, reason)]


def test_texts_of_an_item_are_looked_through_in_their_own_language():
    here = {"zh-hans": places({"one": ("## 甲\n", [])}, anchors), "en": places({"one": ("## a\n", [])}, anchors)}
    table = {"prompt": {"zh-hans": "[见](#s-甲)", "en": "[see](#s-甲)"}, "hints": [{"zh-hans": "无", "en": "[x](y)"}]}
    assert [fault.key for fault in check_links(table, "one", here)] == [("prompt", "en"), ("hints", 0, "en")]
