"""What a hand lacks before it can be scored, in words."""

import pytest

from tests.vision.table import lay, tiles
from tilescore.scoring.hand import Hand
from tilescore.scoring.tiles import Tile
from tilescore.ui.state.hand.work import Work
from tilescore.ui.words.doubts import about_tile, hint
from tilescore.vision.decoding.doubts import Doubt
from tilescore.vision.decoding.reading import Reading

CLOSED = "1m2m3m4p5p6p7s8s9s1z1z3s4s5s"
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


@pytest.mark.parametrize(
    ("hand", "words"),
    [("", "type it"), ("&1f", "type it"), ("11222m", "5 tiles"), (CLOSED[:-2], "13 tiles"), (CLOSED, None)],
)
def test_a_typed_hand_may_still_grow(hand: str, words: str | None) -> None:
    work = Work.of(Hand.parse(hand))
    said = hint(work.reading, work.size)
    assert said is None if words is None else said is not None and words in said


def test_a_question_that_begins_with_a_tile_begins_with_a_capital() -> None:
    east, north = Tile.parse("1z"), Tile.parse("4z")
    doubt = Doubt("completes_hand", "", detection=0, alternatives=(north,))
    assert about_tile(doubt, east) == "East wind or north wind? With east wind the hand fits together."
