"""Keeping drafts: by the version they began from, within limits, and no longer than they are needed."""

from __future__ import annotations

import pytest

from exercises.models import Attempt, Draft, User
from exercises.services.draft_save import (
    MOST_BYTES,
    MOST_FIELDS,
    DraftConflict,
    DraftTooLong,
    NoDraft,
    draft_answered,
    draft_discard,
    draft_save,
)
from tests.exercises.conftest import AttemptBy

pytestmark = pytest.mark.django_db
MINE = [["q-0-0", "1"], ["q-0-1", ""]]
OTHER = [["q-0-0", "2"], ["q-0-1", ""]]


@pytest.fixture
def by_hand(ada: User, attempt: AttemptBy) -> Attempt:
    return attempt(ada, "by-hand")


def test_a_draft_is_kept_and_each_change_has_a_new_version(by_hand: Attempt) -> None:
    first = draft_save(attempt=by_hand, fields=MINE, base="")
    second = draft_save(attempt=by_hand, fields=OTHER, base=first.version)

    kept = Draft.objects.get()
    assert (kept.fields, kept.version, kept.saved_at) == (OTHER, second.version, second.saved_at)
    assert first.version != second.version


def test_a_change_that_began_from_an_older_version_is_refused_with_what_stands(by_hand: Attempt) -> None:
    first = draft_save(attempt=by_hand, fields=MINE, base="")
    second = draft_save(attempt=by_hand, fields=OTHER, base=first.version)

    for base in ("", first.version, "unknown"):
        with pytest.raises(DraftConflict) as conflict:
            draft_save(attempt=by_hand, fields=[["q-0-0", "3"]], base=base)
        assert conflict.value.draft.version == second.version
    assert Draft.objects.get().fields == OTHER


def test_the_same_text_from_elsewhere_is_no_conflict(by_hand: Attempt) -> None:
    first = draft_save(attempt=by_hand, fields=MINE, base="")

    assert draft_save(attempt=by_hand, fields=MINE, base="").version == first.version


def test_a_draft_that_was_sent_meanwhile_does_not_stand_in_the_way(by_hand: Attempt) -> None:
    first = draft_save(attempt=by_hand, fields=MINE, base="")
    assert draft_discard(attempt=by_hand, version=first.version)

    assert draft_save(attempt=by_hand, fields=OTHER, base=first.version).fields == [("q-0-0", "2"), ("q-0-1", "")]


def test_the_same_fields_in_another_order_are_no_conflict(by_hand: Attempt) -> None:
    first = draft_save(attempt=by_hand, fields=MINE, base="")

    assert draft_save(attempt=by_hand, fields=MINE[::-1], base="").version == first.version


def test_a_save_that_was_on_its_way_when_the_answer_was_sent_goes_with_it(by_hand: Attempt) -> None:
    draft_save(attempt=by_hand, fields=MINE, base="")

    draft_answered(attempt=by_hand, version="", sent=[("draft", ""), ("q-0-1", ""), ("q-0-0", "1")])

    assert not Draft.objects.exists()


def test_a_draft_that_says_more_than_was_sent_stays(by_hand: Attempt) -> None:
    draft_save(attempt=by_hand, fields=OTHER, base="")

    draft_answered(attempt=by_hand, version="", sent=[("q-0-0", "1"), ("q-0-1", "")])

    assert Draft.objects.get().fields == OTHER


def test_only_the_version_that_was_sent_is_let_go(by_hand: Attempt) -> None:
    first = draft_save(attempt=by_hand, fields=MINE, base="")
    second = draft_save(attempt=by_hand, fields=OTHER, base=first.version)

    assert not draft_discard(attempt=by_hand, version=first.version)
    assert Draft.objects.get().version == second.version


@pytest.mark.parametrize(
    "fields",
    [None, "text", {"a": "b"}, [1], ["ab"], [["a"]], [["a", 1]], [["a", "b", "c"]], [["a", "b"]] * (MOST_FIELDS + 1)],
)
def test_what_is_no_draft_is_refused(fields: object, by_hand: Attempt) -> None:
    with pytest.raises(NoDraft):
        draft_save(attempt=by_hand, fields=fields, base="")
    assert not Draft.objects.exists()


def test_size_is_counted_in_bytes(by_hand: Attempt) -> None:
    draft_save(attempt=by_hand, fields=[["code", "词" * (MOST_BYTES // 3 - 10)]], base="")

    with pytest.raises(DraftTooLong):
        draft_save(attempt=by_hand, fields=[["code", "词" * (MOST_BYTES // 3)]], base="")


def test_text_that_no_database_stores_is_shown_instead(by_hand: Attempt) -> None:
    kept = draft_save(attempt=by_hand, fields=[["code", "a\0b\ud800"]], base="")

    assert Draft.objects.get().fields == [["code", "a␀b�"]] == [list(pair) for pair in kept.fields]


def test_drafts_go_with_the_account(by_hand: Attempt) -> None:
    draft_save(attempt=by_hand, fields=MINE, base="")

    by_hand.enrollment.user.delete()

    assert not Draft.objects.exists()
