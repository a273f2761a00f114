"""Games of three-player riichi: dealer, counters, sticks, end, saving, standings, and what they do not have."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.scoring.game.test_ledger import after, draw, foul, where
from tests.scoring.game.test_ledger import win as win_of
from tests.scoring.known_values import payments_of_values
from tilescore.errors import ContextError, InputError
from tilescore.scoring.context import Context, Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.statistics import player_statistics, tallies_of
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.traits import KnownValue

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = ("Ann", "Ben", "Cleo")
E, S, W, N = Seat


def new(**options: Any) -> Game:
    return Game.new("riichi3", NAMES, options=options)


def win(winner: Seat, steps: int = 0) -> Deal:
    return win_of("riichi3", winner, steps)


DEALS = (
    ("a child wins", (win(W, 1),), "E2 BCA 0 0"),
    ("the dealer wins", (win(E, 1),), "E1 ABC 1 0"),
    ("draw, dealer ready", (draw("E", "S"),), "E1 ABC 1 0"),
    ("draw, dealer not ready", (draw("S"),), "E2 BCA 1 0"),
    ("a round has three deals", (win(S), win(S), win(S)), "S1 ABC 0 0"),
    ("draws to the second round", (draw(), draw(), draw(), draw()), "S2 BCA 4 0"),
    ("abortive draw", (draw(kind="nine_terminals"),), "E1 ABC 1 0"),
    ("chombo keeps honba", (draw("E"), foul("S")), "E1 ABC 1 0"),
    ("two rons, the dealer among them", (Deal(
        winner=E, also_won=(W,), discarder=S,
        hands={seat: (Hand.parse(text), Context(seat=seat))
               for seat, text in ((E, "123p345678p99s567s +5s"), (W, "123678789p22345s +5s"))},
    ),), "E1 ABC 1 0"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "deals", "expected"), DEALS, ids=[row[0] for row in DEALS])
def test_the_deal_passes(name: str, deals: tuple[Deal, ...], expected: str) -> None:
    assert after(new(), *deals) == expected, name


def test_a_hanchan_has_six_deals() -> None:
    game, seen = new(), []
    while not game.over:
        seen.append(f"{game.position.round}{game.position.number}")
        game = game.play(win(S))
    assert seen == ["E1", "E2", "E3", "S1", "S2", "S3"]
    east = new(length="east")
    for _ in range(3):
        east = east.play(draw())
    assert east.over


def test_a_round_follows_the_last_one_for_the_target_points() -> None:
    game = new(target_points=40_000)
    for _ in range(6):
        game = game.play(draw())
    assert (where(game), game.over) == ("W1 ABC 6 0", False)


def test_bankruptcy() -> None:
    poor = Game.new("riichi3", NAMES, start=500)
    assert poor.play(draw("E")).over
    assert not Game.new("riichi3", NAMES, start=500, options={"bankruptcy_ends": False}).play(draw("E")).over


def test_points_of_a_game() -> None:
    """Start, two ready, sticks, a counter, a self-draw without North's part, a chombo, nagashi mangan."""
    game = new().play(draw("E", "S"), riichi=(E, S))
    assert (game.totals, where(game)) == ((35_000, 35_000, 33_000 + 2000 - 2000), "E1 ABC 1 2")
    game = game.play(win(W))  # 700 from the dealer, 400 from Ben, 100 each for the counter, two sticks
    assert (game.totals, where(game)) == ((34_200, 34_500, 33_000 + 1300 + 2000), "E2 BCA 0 0")
    fouled = game.play(foul("S"))  # Cleo sits South
    assert fouled.totals == (36_200, 38_500, 30_300)
    drained = game.play(Deal(hands={}, draw="exhausted", nagashi=(S,)))
    assert drained.totals == (32_200, 30_500, 42_300)
    assert [sum(one.totals) for one in (game, fouled, drained)] == [105_000] * 3


def test_a_game_starts_with_the_points_of_its_option() -> None:
    assert new(start=30_000).totals == (30_000,) * 3
    assert Game.new("riichi3", NAMES, start=40_000).totals == (40_000,) * 3


def test_standings() -> None:
    game = new(uma="15,0,-15").play(draw("S"), riichi=(S,))
    assert [(line.rank, line.name, line.points, line.uma) for line in game.standings] == [
        (1, "Ben", 36_000, 0), (2, "Ann", 34_000, 0), (3, "Cleo", 34_000, 0),
    ]  # fmt: skip
    closed = game.close()
    assert [(line.name, line.points, line.result) for line in closed.standings] == [
        ("Ben", 37_000, 52_000), ("Ann", 34_000, 34_000), ("Cleo", 34_000, 19_000),
    ]  # fmt: skip
    oka = new(start=35_000, return_points=40_000, ties="shared").play(draw("S")).close()
    assert [(line.rank, line.uma, line.result) for line in oka.standings] == [
        (1, 15_000, 12_000), (2, 0, -6000), (2, 0, -6000),
    ]  # fmt: skip
    assert sum(line.result for line in oka.standings) == 0


def test_text_and_json_there_and_back() -> None:
    game = new(north="nuki_yakuhai").play(draw("E"), riichi=(E,)).play(win(S, 1))
    hand = Hand.parse("345p678p345s789s22p +9s &44z")
    game = game.play(Deal(winner=W, discarder=S, hands={W: (hand, Context(seat=W))}))
    again = Game.parse(str(game))
    assert (again, again.totals, again.position) == (game, game.totals, game.position)
    assert json.loads(str(game))["players"] == list(NAMES)
    assert again.records[-1].deal.hands[W][0].bonus == hand.bonus
    assert again.undo().redo() == game
    assert Game.restored(str(game)) == game


def test_a_correction_moves_the_seats_of_three() -> None:
    game = new().play(win(E, 1)).play(win(S, 1))
    corrected = game.correct(1, draw("S"))
    assert corrected.entries[1].deal.winner is E
    assert where(corrected) == "E2 BCA 2 0"
    assert corrected.undo() == game


def test_agreed_points() -> None:
    game = new().play(Deal(winner=S, discarder=W, hands={}), agreed={S: 8000, W: -8000})
    assert (game.totals, where(game)) == ((35_000, 43_000, 27_000), "E2 BCA 0 0")
    assert Game.parse(str(game)) == game
    assert new().play(draw(), agreed={N: 0}).totals == (35_000,) * 3
    moved = game.correct(1, draw()).play(Deal(winner=E, hands={}), agreed={E: 10, S: -10})
    assert moved.correct(1, draw("E")).totals == (37_000, 34_010, 34_000 - 10)


def test_statistics_of_three() -> None:
    found = player_statistics(map(tallies_of, [new().play(win(S, 1)).play(win(S, 1))]))
    assert [(one.name, one.wins, one.deal_ins) for one in found] == [("Ben", 1, 0), ("Cleo", 1, 1), ("Ann", 0, 1)]
    assert {one.places for one in found} == {(0, 0, 0)}, "there is no fourth place"


VALUES: tuple[Any, ...] = (
    ("a discard with a counter", {}, {S: KnownValue(han=1)}, E, 1, (-1200, 1200, 0, 0)),
    ("a self-draw", {}, {S: KnownValue(han=5)}, None, 0, (-4000, 6000, -2000, 0)),
    ("a self-draw, shared", {"tsumo": "bisect"}, {S: KnownValue(han=5)}, None, 1, (-5100, 8200, -3100, 0)),
)


@pytest.mark.parametrize(("name", "options", "winners", "by", "honba", "paid"), VALUES, ids=[row[0] for row in VALUES])
def test_payments_of_known_values(
    *, name: str, options: dict[str, Any], winners: dict[Seat, KnownValue], by: Seat, honba: int, paid: tuple[int, ...]
) -> None:
    found = payments_of_values(ruleset("riichi3", options), winners, by, honba=honba)
    assert found.by_seat == paid, name


FOUR = {"ruleset": "riichi3", "players": ["A", "B", "C", "D"]}


def seated(name: str, seating: str) -> Game:
    """A game with one deal of that seating."""
    players = ["A", "B", "C", "D"] if name == "riichi" else ["A", "B", "C"]
    deals = [{"deal": {"draw": {"kind": "exhausted"}}, "seating": seating}]
    return Game.parse(json.dumps({"ruleset": name, "players": players, "deals": deals}))


REFUSED: tuple[tuple[str, Callable[[], object]], ...] = (
    ("players_not_three", lambda: Game.new("riichi3", (*NAMES, "Dan"))),
    ("players_not_three", lambda: Game.parse(json.dumps(FOUR))),
    ("players_not_three", lambda: Game.parse(json.dumps({**FOUR, "players": "ABC"}))),
    ("players_not_four", lambda: Game.new("riichi", NAMES)),
    ("unknown_seating", lambda: seated("riichi3", "ABCD")),
    ("unknown_seating", lambda: seated("riichi3", "ABD")),
    ("unknown_seating", lambda: seated("riichi", "ABC")),
    ("seat_not_in_game", lambda: new().play(draw("N"))),
    ("seat_not_in_game", lambda: new().play(draw(), riichi=(N,))),
    ("seat_not_in_game", lambda: new().play(foul("N"))),
    ("seat_not_in_game", lambda: new().play(draw(), agreed={E: 100, N: -100})),
    ("seat_not_in_game", lambda: new().play(Deal(winner=E, discarder=N, hands={}), agreed={E: 1, S: -1})),
    ("riichi_not_ready", lambda: new().play(draw("S"), riichi=(E,))),
    ("unknown_draw", lambda: new().play(draw(kind="four_winds"))),
)  # fmt: skip


@pytest.mark.parametrize(("code", "act"), REFUSED, ids=[f"{place} {row[0]}" for place, row in enumerate(REFUSED)])
def test_refused(code: str, act: Callable[[], object]) -> None:
    with pytest.raises(InputError) as caught:
        act()
    assert caught.value.code == code


def test_the_seat_of_a_fourth_player_is_named() -> None:
    with pytest.raises(ContextError, match="N is no seat of a game of 3 players, who sit E S W"):
        new().play(draw("N"))
