"""Hands one tile off a win, and hands of which nobody knows the winning tile: each tile with its score."""

import pytest

from tilescore.scoring.context import Context, Occasion, Seat, WinBy
from tilescore.scoring.game.waits import common_result, waits_of, wins_of
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import Score

DRAWN = Context(win_by=WinBy.SELF_DRAW)
# why, ruleset, hand, context, the tiles it waits for with their totals
WAITS = [
    ("two sides", "mcr", "123456789m23s55p", Context(), {"1s": 23, "4s": 22}),
    ("not won counts as drawn", "mcr", "123456789m23s55p", DRAWN, {"1s": 23, "4s": 22}),
    ("a fifth tile of a kind is none", "riichi", "1111m234567p123s", DRAWN, {}),
    ("a complete hand waits for nothing", "mcr", "123456789m234s55p +4s", DRAWN, {}),
    ("another number of tiles", "taiwan", "123456789m23s55p", DRAWN, {}),
    ("sixteen tiles", "taiwan", "123456789m123456p2s", DRAWN, {"2s": 5}),
]


@pytest.mark.parametrize("row", WAITS, ids=lambda row: row[0])
def test_waits(row: tuple[str, str, str, Context, dict[str, int]]) -> None:
    _, name, hand, context, wanted = row
    found = waits_of(ruleset(name), Hand.parse(hand), context)
    assert {str(tile): won.total for tile, won in found} == wanted


def test_each_tile_that_may_have_won() -> None:
    found = wins_of(ruleset("mcr"), Hand.parse("123456789m234s55p"), DRAWN)
    assert {str(tile): won.total for tile, won in found}["4s"] == 22
    assert len(found) == 13


def test_tiles_that_cannot_have_won_are_left_out() -> None:
    robbed = Context(win_by=WinBy.DISCARD, discarder=Seat.WEST, occasions=Occasion.ROBBING_KONG)
    found = wins_of(ruleset("mcr"), Hand.parse("123456789m234s55p"), robbed)
    assert "5p" not in {str(tile) for tile, _ in found}, "two of a robbed tile are in the hand"
    assert wins_of(ruleset("mcr"), Hand.parse("1379m1379p1379s12z"), DRAWN) == ()


COMMON = [
    # ruleset, hand, its total whichever tile won; None if that depends on the tile
    ("riichi", "123m456p789s11222z", 2100),
    ("riichi", "123m456p789s11z222m", None),
    ("mcr", "123m456p789s11222z", None),
    ("mcr", "123m345p789s22z111s", 6),
    ("mcr", "1379m1379p1379s12z", None),
]


@pytest.mark.parametrize(("name", "hand", "total"), COMMON)
def test_what_a_hand_is_worth_whichever_tile_won(name: str, hand: str, total: int | None) -> None:
    common = common_result(wins_of(ruleset(name), Hand.parse(hand), DRAWN))
    assert (None if common is None else common.total) == total
    assert common is None or not common.waits


def test_items_of_the_fu_are_left_out_if_they_depend_on_the_tile() -> None:
    wins = wins_of(ruleset("riichi"), Hand.parse("123m456p789s11222z"), DRAWN)
    common = common_result(wins)
    assert isinstance(common, Score)
    assert (common.fu, common.fu_lines) == (40, ())
    assert common_result(wins[:1]) == wins[0][1]
