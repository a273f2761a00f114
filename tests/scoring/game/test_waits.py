"""Hands one tile off a win, and hands of which nobody knows the winning tile: each tile with its score."""

from __future__ import annotations

import pytest

from tilescore.scoring.context import Context, Occasion, Seat, WinBy
from tilescore.scoring.game.waits import waits_of, wins_of
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import ruleset

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
