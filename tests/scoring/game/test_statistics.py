"""Players over several games: wins, deals in, values, the best hand."""

from tilescore.scoring.context import Context, Seat, WinBy
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.statistics import player_statistics, tallies_of
from tilescore.scoring.hand import Hand
from tilescore.scoring.progression import Player
from tilescore.scoring.traits import KnownValue

NAMES = ("Ann", "Ben", "Cleo", "Dan")
HAND = Hand.parse("123456789m234s55p +4s")


def win(winner: Seat, discarder: Seat | None) -> Deal:
    context = Context(
        win_by=WinBy.DISCARD if discarder else WinBy.SELF_DRAW, discarder=discarder, seat=winner, round=Seat.EAST
    )
    return Deal(winner=winner, discarder=discarder, hands={winner: (HAND, context)})


def test_wins_and_deals_in_follow_the_player_through_the_seats() -> None:
    game = Game.new("mcr", NAMES).play(win(Seat.SOUTH, Seat.WEST)).play(win(Seat.EAST, Seat.NORTH))
    other = Game.new("mcr", ("Ben", "Ann", "Eve", "Fay")).play(
        Deal(winner=Seat.EAST, discarder=Seat.SOUTH, hands={}), agreed={Seat.EAST: 10, Seat.SOUTH: -10}
    )
    found = {one.name: one for one in player_statistics(map(tallies_of, [game, other]))}
    assert player_statistics(map(tallies_of, [game, other]))[0].name == "Ben"
    ben = found["Ben"]
    assert (ben.games, ben.deals, ben.wins) == (2, 3, 3)
    assert ben.win_rate == 1.0
    assert ben.best is not None
    assert ben.best[1] == str(HAND)
    assert ben.average == (game.entries[0].values[Seat.SOUTH] + game.entries[1].values[Seat.EAST]) / 2
    assert found["Cleo"].deal_ins == 1
    assert found["Ann"].deal_ins == 2
    assert found["Ann"].deal_in_rate == 2 / 3
    assert found["Ann"].average is None
    assert sum(one.points for one in found.values()) == 0


def test_nobody_has_played_yet() -> None:
    (first, *_) = player_statistics(map(tallies_of, [Game.new("mcr", NAMES)]))
    assert (first.win_rate, first.deal_in_rate, first.best) == (0.0, 0.0, None)


def test_a_draw_is_no_deal_in() -> None:
    game = Game.new("mcr", NAMES).play(Deal(hands={}, draw="exhausted"))
    assert all(one.deals == 1 and not one.wins + one.deal_ins for one in player_statistics(map(tallies_of, [game])))


def test_a_finished_game_has_places_and_results_and_an_open_one_none() -> None:
    deal = Deal(winner=Seat.SOUTH, discarder=Seat.NORTH, hands={})
    value = {Seat.SOUTH: KnownValue(han=3, fu=40)}
    going = Game.new("riichi", NAMES, options={"uma": "10,5,-5,-10"}).play(deal, riichi=(Seat.SOUTH,), values=value)
    players = {one.name: one for one in player_statistics(map(tallies_of, [going, going.close(closed=True)]))}
    ben, dan = players["Ben"], players["Dan"]
    assert (ben.places, ben.average_place, ben.result) == ((1, 0, 0, 0), 1, 5200 + 10_000)
    assert (dan.places, dan.average_place, dan.result) == ((0, 0, 0, 1), 4, -5200 - 10_000)
    assert (ben.riichi_rate, dan.riichi_rate) == (1, 0)
    assert sum(one.result for one in players.values()) == 0
    assert [*players] == ["Ben", "Ann", "Cleo", "Dan"], "the best result first"


def test_without_a_finished_game_nobody_has_a_place() -> None:
    (first, *_) = player_statistics(map(tallies_of, [Game.new("mcr", NAMES)]))
    assert (first.average_place, first.riichi_rate, first.result) == (None, 0, 0)


def test_hands_follow_their_player_through_the_correction_of_an_earlier_deal() -> None:
    one, three = KnownValue(han=1, fu=30), KnownValue(han=3, fu=30)
    first, second = (Deal(winner=seat, discarder=Seat.WEST, hands={}) for seat in (Seat.EAST, Seat.SOUTH))
    game = Game.new("riichi", NAMES).play(first, values={Seat.EAST: one})
    game = game.play(second, riichi=(Seat.SOUTH,), values={Seat.SOUTH: three})
    moved = game.correct(1, second, values={Seat.SOUTH: one})
    ben = next(one for one in player_statistics([tallies_of(moved)]) if one.name == "Ben")
    assert (ben.wins, ben.riichi, ben.average, ben.best) == (2, 1, (1000 + 5800) / 2, (5800, ""))


def test_three_rons_that_abort_a_deal_are_no_wins_and_a_stick_of_a_foul_goes_back() -> None:
    three = Deal(winner=Seat.EAST, also_won=(Seat.SOUTH, Seat.WEST), discarder=Seat.NORTH, hands={})
    values = dict.fromkeys((Seat.EAST, Seat.SOUTH, Seat.WEST), KnownValue(han=1, fu=30))
    game = Game.new("riichi", NAMES, options={"multiple_ron": "three_abort"}).play(three, values=values)
    foul = game.play(Deal(hands={}, foul_by=Seat.EAST, foul_kind="false_mahjong"), riichi=(Seat.EAST,))
    found = player_statistics([tallies_of(foul)])
    assert all((one.wins, one.deal_ins, one.riichi, one.average) == (0, 0, 0, None) for one in found)


def test_quarters_of_a_point_stay_and_whole_sums_are_whole() -> None:
    game = Game.new("hongkong", NAMES, options={"unit": 0.25, "minimum": 0, "responsibility": "half"})
    for _ in range(2):
        win = Deal(winner=game.position.seat(Player.B), discarder=game.position.seat(Player.C), hands={})
        game = game.play(win, values={game.position.seat(Player.B): KnownValue(points=0)})
    found = {one.name: one for one in player_statistics([tallies_of(game.close())])}
    assert (found["Ben"].result, found["Cleo"].result, found["Ann"].result) == (2, -1, -0.5)
    assert isinstance(found["Cleo"].points, int)
