from __future__ import annotations

import json

import pytest
from django.core import serializers

from exercises.models import Curriculum, Item, ItemVersion

DEFINITION = {
    "given": {"W_Q": {"draw": [1, 0.5]}, "W_K": {"like": "W_Q"}, "b": None},
    "title": {"zh-hans": "键", "en": ""},
}


@pytest.fixture
def stored(curriculum: Curriculum) -> ItemVersion:
    return ItemVersion.objects.create(item=Item.objects.all()[0], number=99, digest="d", definition=DEFINITION)


def test_the_order_of_keys_is_kept(stored):
    found = ItemVersion.objects.get(pk=stored.pk).definition
    assert json.dumps(found) == json.dumps(DEFINITION)


def test_a_number_that_is_none_is_not_stored(stored):
    stored.definition = {"given": float("nan")}
    with pytest.raises(ValueError, match="not JSON compliant"):
        stored.save()


def test_a_fixture_brings_it_back(stored):
    (loaded,) = serializers.deserialize("json", serializers.serialize("json", [stored]))
    loaded.save()
    assert json.dumps(ItemVersion.objects.get(pk=stored.pk).definition) == json.dumps(DEFINITION)
