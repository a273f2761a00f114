"""Hands of 16 and 17 tiles: a row of loose tiles, and declared sets and flowers in a second row."""

import pytest

from tests.vision.table import lay, tiles
from tilescore.scoring.shapes.winning import ALL_SHAPES, OF_FIVE_SETS
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.layout.layout import Role
from tilescore.vision.layout.scene import Scene
from tilescore.vision.layout.structures import structures

MELDS = "4m6m5m6p7p5p8m8m8m"
LOOSE = tiles("12334m99s")


def test_sets_that_touch_in_a_row_of_their_own_are_listed() -> None:
    laid = [*lay(LOOSE, y=460), *lay(MELDS, y=390)]
    sets = {frozenset(range(at, at + 3)) for at in (7, 10, 13)}
    found = structures(Scene.of(laid, (1200, 900)), frozenset(range(len(laid))))
    assert any({frozenset(one.members) for one in some.declared} == sets for some in found)


def test_a_single_row_is_not_parted_into_declared_sets() -> None:
    found = structures(Scene.of(lay(tiles("123m456m789m123p55p")), (1200, 900)), frozenset(range(14)))
    assert not any(len(some.declared) == 4 for some in found)


@pytest.mark.parametrize("flower", ["", "2f"])
def test_a_second_row_of_sets_is_declared(flower: str) -> None:
    laid = [*lay(LOOSE, y=460), *lay(f"{flower}{MELDS}", x=20, y=385, size=0.95)]
    found = Reading.of(laid, size_wh=(1200, 900))
    assert sorted(len(place.members) for place in found.layout.melds) == [3, 3, 3]
    assert len(found.concealed) == 7
    assert len(found.indices(Role.BONUS)) == bool(flower)


def codes(found: Reading) -> set[str]:
    return {doubt.code for doubt in found.doubts}


def test_nothing_is_missing_from_a_complete_hand_of_seventeen() -> None:
    row = lay(tiles("123m456m789m123p45699s"))
    found = Reading.of(row, size_wh=(1200, 900))
    assert found.size == 17
    assert found.is_complete
    assert "tile_count" not in codes(found)


def test_the_size_of_the_game_counts_where_it_is_known() -> None:
    row = lay(tiles("123m456m789m123p45699s"))
    assert not Reading.of(row, size_wh=(1200, 900), shapes=ALL_SHAPES).is_complete
    assert Reading.of(row, size_wh=(1200, 900), shapes=OF_FIVE_SETS).is_complete
    waiting = Reading.of(row[:-1], size_wh=(1200, 900))
    assert [doubt.message[:9] for doubt in waiting.doubts if doubt.code == "tile_count"] == ["16 tiles:"]
