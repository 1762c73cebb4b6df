"""Everything that the pages say is said in Chinese as well, and the compiled catalogue is the current one."""

from __future__ import annotations

import re

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from scripts import message_sources, messages

SOURCE = message_sources.LOCALES / "zh_Hans" / "LC_MESSAGES" / "django.po"
NAMES = re.compile(r"%\((\w+)\)|\{(\w+)\}")


@pytest.fixture(scope="module")
def catalogue() -> Catalog:
    with SOURCE.open("rb") as file:
        return read_po(file)


@pytest.fixture(scope="module")
def said() -> set[message_sources.Message]:
    return {message for message, _place in message_sources.found()}


def key(message: message_sources.Message) -> str:
    return message if isinstance(message, str) else message[0]


def test_sources_are_found(said: set[message_sources.Message]) -> None:
    assert {"Check", "Sign in", "Not started"} <= said


def test_every_message_has_its_translation(catalogue: Catalog, said: set[message_sources.Message]) -> None:
    translated = {key(message.id) for message in catalogue if message.id and message.string and all(message.string)}

    assert sorted({key(message) for message in said} - translated) == []


def test_no_translation_is_fuzzy_or_left_over(catalogue: Catalog, said: set[message_sources.Message]) -> None:
    known = {key(message) for message in said}

    assert [key(message.id) for message in catalogue if message.id and message.fuzzy] == []
    assert [key(message.id) for message in catalogue if message.id and key(message.id) not in known] == []


def test_translations_fill_in_the_same_names(catalogue: Catalog) -> None:
    differing = [
        message.id
        for message in catalogue
        if message.id and {*NAMES.findall(key(message.id))} != {*NAMES.findall("".join(message.string))}
    ]

    assert differing == []


def test_compiled_catalogue_is_current() -> None:
    assert messages.is_current(SOURCE)
