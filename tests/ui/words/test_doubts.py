"""What a hand lacks before it can be scored, in words."""

from __future__ import annotations

import pytest

from tests.vision.table import lay, tiles
from tilescore.ui.words.doubts import hint
from tilescore.vision.decoding.reading import Reading

SEVENTEEN = tiles("123m456m789m123p45699s")


@pytest.mark.parametrize(
    ("count", "words"),
    [(13, "one is missing"), (14, None), (16, "sixteen-tile game"), (17, "sixteen-tile game")],
)
def test_what_the_number_of_tiles_means(count: int, words: str | None) -> None:
    found = Reading.of(lay(SEVENTEEN[: 2 * count]), size_wh=(1200, 900))
    said = hint(found, found.size)
    assert said is None if words is None else said is not None and words in said


def test_the_rules_say_how_many_tiles_a_hand_has() -> None:
    found = Reading.of(lay(SEVENTEEN), size_wh=(1200, 900))
    assert hint(found, found.size, 17) is None
    fourteen = Reading.of(lay(SEVENTEEN[:28]), size_wh=(1200, 900))
    assert "14 tiles" in (hint(fourteen, fourteen.size, 17) or "")


@pytest.mark.parametrize(("size", "words"), [(0, "type it"), (5, "5 tiles"), (13, "13 tiles"), (14, None)])
def test_a_typed_hand_may_still_grow(size: int, words: str | None) -> None:
    said = hint(None, size)
    assert said is None if words is None else said is not None and words in said
