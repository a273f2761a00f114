"""The game that a table plays again."""

from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game

NAMES = ("Ann", "Ben", "Cleo", "Dan")


def test_an_emptied_game_begins_anew() -> None:
    game = Game.new("riichi", NAMES, options={"kiriage": True}).play(Deal(hands={}, draw="exhausted")).close()
    assert game.emptied() == Game.new("riichi", NAMES, options={"kiriage": True})
    assert not game.emptied().past
