"""Games of Hong Kong and Taiwan: who deals, and how often the dealer has kept the deal."""

from dataclasses import replace

import pytest

from tests.scoring.game.test_ledger import NAMES, after, draw, foul, where, win
from tilescore.errors import ContextError
from tilescore.scoring.context import SEATS, Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.hand import Hand

S = Seat.SOUTH


@pytest.mark.parametrize(("options", "drawn"), [({}, "E1 ABCD 0 0"), ({"draw_passes_deal": True}, "E2 BCDA 0 0")])
def test_deals_of_hong_kong(options: dict[str, bool], drawn: str) -> None:
    game = Game.new("hongkong", NAMES, options=options)
    assert after(game, win("hongkong", Seat.EAST)) == "E1 ABCD 0 0"
    assert after(game, win("hongkong", Seat.WEST, 1)) == "E2 BCDA 0 0"
    assert after(game, foul("N")) == "E1 ABCD 0 0"
    assert after(game, draw()) == drawn


# Purpose, deals, position, how often the dealer has kept the deal.
TAIWAN = (
    ("the dealer wins twice", (win("taiwan", Seat.EAST), win("taiwan", Seat.EAST, 2)), "E1 ABCD 0 0", 2),
    ("a draw", (draw("S"),), "E1 ABCD 0 0", 1),
    ("another wins", (draw(), win("taiwan", Seat.NORTH, 1)), "E2 BCDA 0 0", 0),
    ("a false win", (draw(), foul("E"), foul("S")), "E1 ABCD 0 0", 1),
    ("four times another", (win("taiwan", Seat.SOUTH),) * 4, "S1 ABCD 0 0", 0),
)


@pytest.mark.parametrize(("why", "deals", "position", "repeats"), TAIWAN, ids=[row[0] for row in TAIWAN])
def test_deals_of_taiwan(why: str, deals: tuple[Deal, ...], position: str, repeats: int) -> None:
    game = Game.new("taiwan", NAMES)
    for deal in deals:
        game = game.play(deal)
    assert (where(game), game.position.repeats) == (position, repeats), why


def test_the_ledger_of_taiwan_writes_the_repeats_into_the_hands() -> None:
    """The dealer pays more each time that the deal was kept; the ledger knows the dealer, whatever a hand says."""
    hand, context = win("taiwan", Seat.SOUTH).hands[Seat.SOUTH]
    told = replace(context, dealer=Seat.NORTH, dealer_repeats=7)
    game = Game.new("taiwan", NAMES).play(draw()).play(draw()).play(Deal(winner=S, hands={S: (hand, told)}))
    assert game.entries[-1].payments.by_seat == (-90, 170, -40, -40)
    assert Game.parse(str(game)).entries[-1].payments.by_seat == (-90, 170, -40, -40)
    assert game.without(1).entries[-1].payments.by_seat == (-70, 150, -40, -40)


def test_two_winners_keep_the_deal_for_east() -> None:
    hands = {seat: win("taiwan", seat, steps).hands[seat] for seat, steps in ((Seat.EAST, 2), (Seat.SOUTH, 1))}
    first, second = "234p678p345s99p (123m) (777s) +5s", "234m678m345s22p (123p) (888s) +5s"
    hands[Seat.EAST] = Hand.parse(first), hands[Seat.EAST][1]
    hands[Seat.SOUTH] = Hand.parse(second), hands[Seat.SOUTH][1]
    deal = Deal(winner=Seat.EAST, also_won=(Seat.SOUTH,), discarder=Seat.WEST, hands=hands)
    game = Game.new("taiwan", NAMES).play(deal)
    assert (where(game), game.position.repeats) == ("E1 ABCD 0 0", 1)
    assert sum(game.totals) == 0


@pytest.mark.parametrize("ruleset", ["hongkong", "taiwan"])
def test_sixteen_deals_with_east_as_the_dealer(ruleset: str) -> None:
    game = Game.new(ruleset, NAMES)
    for number in range(16):
        assert game.position.round is SEATS[number // 4]
        game = game.play(win(ruleset, Seat.EAST)).play(win(ruleset, Seat.WEST, 2))
    assert game.over


@pytest.mark.parametrize("name", ["hongkong", "taiwan"])
def test_a_table_with_stakes_in_quarters_agrees_on_quarters(name: str) -> None:
    agreed = {Seat.EAST: 2.25, Seat.SOUTH: -2.25}
    played = Game.new(name, NAMES, options={"unit": 0.25}).play(draw(), agreed=agreed)
    assert played.totals == (2.25, -2.25, 0, 0)
    assert Game.parse(str(played)) == played
    with pytest.raises(ContextError, match="whole numbers"):
        Game.new(name, NAMES, options={"unit": 2}).play(draw(), agreed=agreed)
    with pytest.raises(ContextError, match="quarters"):
        played.play(draw(), agreed={Seat.EAST: 0.1, Seat.SOUTH: -0.1})
