"""Corrections that a later deal does not allow."""

from dataclasses import replace
from functools import partial

import pytest

from tilescore.errors import ContextError
from tilescore.scoring.context import Context, Seat, WinBy
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.hand import Hand

NAMES = ("Ann", "Ben", "Cleo", "Dan")
DRAW = Deal(hands={}, draw="exhausted")
ABORTED = replace(DRAW, draw="four_winds")
EAST_READY = replace(DRAW, ready=(Seat.EAST,))


def test_a_correction_that_a_later_deal_refuses_names_that_deal() -> None:
    """Cleo, South, wins with her wind alone; West, she would have no yaku."""
    hand = Hand.parse("234m456p99789s (222z) +9s")
    won = Context(win_by=WinBy.DISCARD, discarder=Seat.WEST, seat=Seat.SOUTH)
    game = Game.new("riichi", NAMES).play(DRAW).play(ABORTED)
    game = game.play(Deal(winner=Seat.SOUTH, discarder=Seat.WEST, hands={Seat.SOUTH: (hand, won)})).play(DRAW)
    for change in (partial(game.correct, 1, EAST_READY), partial(game.without, 1)):
        with pytest.raises(ContextError, match=r"deal 3: the hand of W does not win") as caught:
            change()
        assert (caught.value.code, caught.value.params["number"]) == ("later_deal", 3)
        assert caught.value.params["reason"].code == "no_yaku"  # type: ignore[attr-defined]
    moved = {Seat.WEST: (hand, replace(won, seat=Seat.WEST, discarder=Seat.EAST))}
    with pytest.raises(ContextError) as own:
        game.correct(3, Deal(winner=Seat.WEST, discarder=Seat.EAST, hands=moved))
    assert own.value.code == "no_yaku", "the corrected deal needs no name"


def test_a_correction_leaves_the_player_harmed_by_a_foul() -> None:
    """Bob shows a tile to the harm of Dan; the seats change when an earlier deal goes."""
    shown = Deal(hands={}, foul_by=Seat.EAST, foul_kind="tile_exposed_of_W_20")
    game = Game.new("mcr", NAMES).play(DRAW).play(shown)
    assert game.totals == (0, -20, 0, 20)
    assert game.without(1).totals == (0, -20, 0, 20)


def test_a_foul_whose_name_has_the_word_of_is_booked() -> None:
    changed = Deal(hands={}, foul_by=Seat.EAST, foul_kind="change_of_mind")
    assert Game.new("mcr", NAMES).play(changed).totals == (0, 0, 0, 0)
