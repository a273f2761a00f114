"""The least win that overtakes the player before, as the settlement of the deal says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilescore.scoring.context import Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.statistics import chases
from tilescore.scoring.progression import Player
from tilescore.scoring.traits import KnownValue

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = ("Ann", "Ben", "Cleo", "Dan")
HAN_FU = [KnownValue(han=han, fu=fu) for han, fu in ((1, 30), (1, 40), (2, 30), (2, 40), (3, 30), (3, 40), (4, 30))]
VALUES = [*HAN_FU, *(KnownValue(han=han) for han in (5, 6, 8, 11, 13))]


def of(values: list[KnownValue]) -> Callable[[bool], list[KnownValue]]:
    return lambda _self_drawn: values


def test_the_least_win_overtakes_and_the_one_below_does_not() -> None:
    """Ben leads Ann and Cleo by 5200 after 5200 from Dan."""
    deal = Deal(winner=Seat.SOUTH, discarder=Seat.NORTH, hands={})
    game = Game.new("riichi", NAMES).play(deal, values={Seat.SOUTH: KnownValue(han=3, fu=40)})
    assert game.totals == (25000, 30200, 25000, 19800)
    no_hand = KnownValue(han=1, fu=20)
    second, third, fourth = chases(game, of([no_hand, *VALUES]))
    assert [one.player for one in (second, third, fourth)] == [Player.A, Player.C, Player.D]
    assert (second.ahead, second.points) == (Player.B, 5200)
    assert second.from_ahead == KnownValue(han=2, fu=40), "2600 from Ben makes the two equal, and Ann sat first"
    assert second.from_other == KnownValue(han=3, fu=40)
    assert (third.ahead, third.points) == (Player.A, 0)
    assert third.from_other == KnownValue(han=1, fu=30)
    assert fourth.points == 5200
    shared = Game.new("riichi", NAMES, options={"ties": "shared"}).play(
        deal, values={Seat.SOUTH: KnownValue(han=3, fu=40)}
    )
    assert chases(shared, of(VALUES))[0].from_ahead == KnownValue(han=3, fu=30), "equal players share the rank"


def test_every_answer_is_what_a_played_deal_gives() -> None:
    deal = Deal(winner=Seat.EAST, discarder=Seat.WEST, hands={})
    game = Game.new("riichi", NAMES).play(deal, values={Seat.EAST: KnownValue(han=4, fu=30)})
    for chase in chases(game, of(VALUES)):
        for value, discarder in ((chase.from_ahead, chase.ahead), (chase.self_drawn, None)):
            assert value is not None
            seats = [game.position.seat(one) for one in (chase.player, discarder) if one is not None]
            won = Deal(winner=seats[0], discarder=seats[1] if len(seats) > 1 else None, hands={})
            at = (list(Player).index(chase.player), list(Player).index(chase.ahead))

            def ahead(known: KnownValue, won: Deal = won, at: tuple[int, int] = at) -> bool:
                after = game.play(won, values={won.winners[0]: known}).totals
                return (after[at[0]], at[1]) > (after[at[1]], at[0])  # of equal ones the first seat

            assert ahead(value)
            below = VALUES[: VALUES.index(value)]
            assert not any(ahead(known) for known in below)


def test_nobody_chases_after_the_end_or_where_losers_are_paid() -> None:
    assert chases(Game.new("riichi", NAMES).close(closed=True), of(VALUES)) == ()
    assert chases(Game.new("classical", NAMES), of([KnownValue(points=100)])) == ()


def test_a_gap_that_no_win_closes_says_so() -> None:
    deal = Deal(winner=Seat.SOUTH, discarder=Seat.NORTH, hands={})
    game = Game.new("mcr", NAMES).play(deal, values={Seat.SOUTH: KnownValue(points=88)})
    last = chases(game, of([KnownValue(points=8)]))[-1]
    assert last.self_drawn is None


def test_a_gap_of_no_points_in_a_game_of_quarters_is_zero() -> None:
    game = Game.new("hongkong", NAMES, options={"unit": 0.25, "minimum": 0, "responsibility": "half"})
    game = game.play(Deal(winner=Seat.SOUTH, discarder=Seat.WEST, hands={}), values={Seat.SOUTH: KnownValue()})
    assert [str(one.points) for one in chases(game, of([KnownValue()]))] == ["1.25", "0", "0.25"]
