"""How games end, what the standings add, which sticks can lie on the table, and what a dead hand cannot do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.scoring.game.test_ledger import NAMES, draw, foul, where, win
from tilescore.errors import ContextError, InputError
from tilescore.scoring.context import Context, Occasion, Seat, WinBy
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.hand import Hand
from tilescore.scoring.progression import Player

if TYPE_CHECKING:
    from collections.abc import Callable

E, S, W, N = Seat
FLAT = dict.fromkeys(Seat, 0)


def last_deal(options: dict[str, Any], points: tuple[int, int, int, int], *, rounds: int = 1) -> Game:
    """A game of the East round before its last deal, with these points of A, B, C, D; D is the dealer there."""
    game = Game.new("riichi", NAMES, options={"length": "east", **options})
    game = game.play(Deal(winner=S, hands={}), agreed=dict(zip(Seat, [at - game.start for at in points], strict=True)))
    for _ in range(4 * rounds - 2):
        game = game.play(Deal(winner=S, hands={}), agreed=FLAT)
    assert game.totals == points
    return game


def passes(game: Game) -> Game:
    """The deal passes without points."""
    return game.play(Deal(winner=S, hands={}), agreed=FLAT)


def stays(game: Game, points: int = 0) -> Game:
    """The dealer wins these points from South."""
    return game.play(Deal(winner=E, hands={}), agreed={E: points, S: -points})


TARGET = {"target_points": 30_000}
YAME = {"agari_yame": True}
EVEN = (25_000, 25_000, 25_000, 25_000)
FIRST_LEADS = (31_000, 23_000, 23_000, 23_000)
DEALER_LEADS = (22_000, 22_000, 22_000, 34_000)
# Purpose, options, points of A to D before the last deal (D deals), what happens, where the game is (over: !).
ENDS: tuple[tuple[str, dict[str, Any], tuple[int, int, int, int], Callable[[Game], Game], str], ...] = (
    ("no target: the last deal ends it", {}, EVEN, passes, "!"),
    ("nobody has the target: an extra round", TARGET, EVEN, passes, "S1 ABCD 0 0"),
    ("somebody has the target", TARGET, FIRST_LEADS, passes, "!"),
    ("the dealer stays, behind", YAME, FIRST_LEADS, stays, "E4 DABC 1 0"),
    ("the dealer stays and leads, without agari-yame", {}, DEALER_LEADS, stays, "E4 DABC 1 0"),
    ("the dealer stays and leads", YAME, DEALER_LEADS, stays, "!"),
    ("the dealer is ready and leads", YAME, DEALER_LEADS, lambda game: game.play(draw("E")), "!"),
    ("an abortive draw is no agari-yame", YAME, DEALER_LEADS, lambda game: game.play(draw(kind="four_winds")),
     "E4 DABC 1 0"),
    ("the dealer leads without the target", {**YAME, **TARGET}, (24_000, 24_000, 24_000, 28_000), stays, "E4 DABC 1 0"),
    ("equal points: the first seat leads", YAME, EVEN, stays, "E4 DABC 1 0"),
    ("a chombo in the last deal: it is played again", {**YAME, **TARGET}, DEALER_LEADS,
     lambda game: game.play(foul("W")), "E4 DABC 0 0"),
    ("a chombo below 0 ends it", {}, (25_000, 65_000, 3_000, 7_000), lambda game: game.play(foul("E")), "!"),
    ("a chombo after the uma does not", {"chombo": "after_uma"}, (25_000, 65_000, 3_000, 7_000),
     lambda game: game.play(foul("E")), "E4 DABC 0 0"),
    ("below 0", {}, EVEN, lambda game: stays(game, 25_100), "!"),
    ("exactly 0 goes on", {}, EVEN, lambda game: stays(game, 25_000), "E4 DABC 1 0"),
    ("below 0 without bankruptcy", {"bankruptcy_ends": False}, EVEN, lambda game: stays(game, 25_100), "E4 DABC 1 0"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "options", "points", "act", "at"), ENDS, ids=[row[0] for row in ENDS])
def test_ends(
    name: str, options: dict[str, Any], points: tuple[int, int, int, int], act: Callable[[Game], Game], at: str
) -> None:
    game = act(last_deal(options, points))
    assert ("!" if game.over else where(game)) == at, name
    assert Game.parse(str(game)) == game


def test_the_extra_round() -> None:
    """South after an East game: the target ends it, a dealer who stays goes on, its last deal ends it in any case."""
    extra = passes(last_deal(TARGET, EVEN))
    assert where(extra) == "S1 ABCD 0 0"
    assert not passes(extra).over
    assert where(stays(extra, 6_000)) == "S1 ABCD 1 0", "a dealer who stays goes on, with the target too"
    assert last_deal(TARGET | YAME, EVEN).play(Deal(winner=S, hands={}), agreed=FLAT).position.round is S
    yame = passes(last_deal(TARGET | YAME, EVEN))
    assert stays(yame, 6_000).over, "agari-yame holds for every deal of the extra round"
    assert not stays(yame, 4_000).over
    reached = extra.play(Deal(winner=S, discarder=W, hands={}), agreed={S: 6_000, W: -6_000})
    assert reached.over
    for _ in range(4):
        extra = passes(extra)
    assert extra.over


def test_the_west_round_of_a_hanchan() -> None:
    game = Game.new("riichi", NAMES, options={"profile": "tenhou"})
    for _ in range(8):
        game = passes(game)
    assert where(game) == "W1 ABCD 0 0"
    for _ in range(4):
        game = passes(game)
    assert game.over


def test_a_correction_can_end_a_game_no_earlier_than_its_deals() -> None:
    game = stays(last_deal({}, EVEN), 1_000)
    with pytest.raises(ContextError) as caught:
        game.correct(1, Deal(winner=S, hands={}), agreed={S: 26_000, E: -26_000})
    assert caught.value.code == "game_over"


# --- standings ------------------------------------------------------------------------------------------------------

UMA = {"uma": "15,5,-5,-15"}
# Purpose, options, points of A to D, rank and result of A to D at the end.
RESULTS: tuple[tuple[str, dict[str, Any], tuple[int, ...], tuple[int, ...], tuple[int, ...]], ...] = (
    ("points alone", {}, (31_000, 23_000, 24_000, 22_000), (1, 3, 2, 4), (31_000, 23_000, 24_000, 22_000)),
    ("uma", UMA, (31_000, 23_000, 24_000, 22_000), (1, 3, 2, 4), (46_000, 18_000, 29_000, 7_000)),
    ("oka", {"return_points": 30_000}, (31_000, 23_000, 24_000, 22_000), (1, 3, 2, 4),
     (21_000, -7_000, -6_000, -8_000)),
    ("return without oka", {"return_points": 25_000}, (31_000, 23_000, 24_000, 22_000), (1, 3, 2, 4),
     (6_000, -2_000, -1_000, -3_000)),
    ("return below the start", {"return_points": 20_000}, (31_000, 23_000, 24_000, 22_000), (1, 3, 2, 4),
     (11_000, 3_000, 4_000, 2_000)),
    ("equal points by first seat", UMA, EVEN, (1, 2, 3, 4), (40_000, 30_000, 20_000, 10_000)),
    ("equal points share", {**UMA, "ties": "shared"}, EVEN, (1, 1, 1, 1), EVEN),
    ("two share the first", {**UMA, "ties": "shared"}, (30_000, 15_000, 30_000, 25_000), (1, 4, 1, 3),
     (40_000, 0, 40_000, 20_000)),
    ("three share the second", {**UMA, "ties": "shared"}, (40_000, 20_000, 20_000, 20_000), (1, 2, 2, 2),
     (55_000, 15_000, 15_000, 15_000)),
    ("oka is shared", {"profile": "mleague"}, (35_000, 35_000, 10_000, 20_000), (1, 1, 4, 3),
     (35_000, 35_000, -50_000, -20_000)),
    ("ema", {"profile": "ema"}, (40_000, 40_000, 20_000, 20_000), (1, 1, 3, 3), (20_000, 20_000, -20_000, -20_000)),
    ("tenhou", {"profile": "tenhou"}, (40_000, 25_000, 25_000, 10_000), (1, 2, 3, 4),
     (50_000, 5_000, -15_000, -40_000)),
    ("mahjong soul", {"profile": "mahjong_soul"}, (40_000, 25_000, 25_000, 10_000), (1, 2, 3, 4),
     (30_000, 5_000, -5_000, -30_000)),
)  # fmt: skip


@pytest.mark.parametrize(("name", "options", "points", "ranks", "results"), RESULTS, ids=[row[0] for row in RESULTS])
def test_results(
    name: str, options: dict[str, Any], points: tuple[int, ...], ranks: tuple[int, ...], results: tuple[int, ...]
) -> None:
    game = Game.new("riichi", NAMES, options=options)
    changes = {seat: at - game.start for seat, at in zip(Seat, points, strict=True)}
    lines = game.play(Deal(draw="exhausted", hands={}), agreed=changes).close().standings
    by_player = {line.player: line for line in lines}
    assert tuple(by_player[player].rank for player in Player) == ranks, name
    assert tuple(by_player[player].result for player in Player) == results
    assert [line.rank for line in lines] == sorted(ranks)


@pytest.mark.parametrize("ruleset_name", ["mcr", "classical", "hongkong", "taiwan"])
def test_equal_points_share_the_rank_where_no_rule_says_otherwise(ruleset_name: str) -> None:
    game = Game.new(ruleset_name, NAMES)
    changes = dict(zip(Seat, (-30, 20, 20, -10), strict=True))
    lines = game.play(Deal(draw="exhausted", hands={}), agreed=changes).close().standings
    assert [(line.name, line.rank) for line in lines] == [(NAMES[1], 1), (NAMES[2], 1), (NAMES[3], 3), (NAMES[0], 4)]


def test_before_the_end_nothing_is_added() -> None:
    game = Game.new("riichi", NAMES, options={"profile": "mleague"}).play(foul("W"))
    assert {(line.points, line.result) for line in game.standings} == {(25_000, 25_000)}
    assert [line.rank for line in game.standings] == [1, 2, 3, 4]
    assert Game.new("mcr", NAMES).close().standings[0].result == 0


@pytest.mark.parametrize(
    ("options", "points"),
    [
        ({}, (26_000, 25_000, 25_000, 24_000)),
        ({"leftover_sticks": "lost"}, (25_000, 25_000, 25_000, 24_000)),
        ({"ties": "shared"}, (25_334, 25_333, 25_333, 24_000)),
        ({"leftover_sticks": "shared"}, (25_334, 25_333, 25_333, 24_000)),
        ({"ties": "shared", "leftover_sticks": "lost"}, (25_000, 25_000, 25_000, 24_000)),
    ],
)
def test_left_sticks(options: dict[str, Any], points: tuple[int, ...]) -> None:
    """D lays a stick, all are ready, the game is closed: one stick is left, and A, B, C have equal points."""
    game = Game.new("riichi", NAMES, options=options).play(draw("E", "S", "W", "N"), riichi=(N,)).close()
    held = {line.player: line.points for line in game.standings}
    assert tuple(held[player] for player in Player) == points


ODD = {E: 18_600, S: -10_500, W: -9_600, N: 1_500}
# What the rounding is, results of 43,600, 14,500, 15,400 and 26,500 points; `half_up` is a published example.
ROUNDED = [
    ("none", [33_600, -15_500, -14_600, -3_500]),
    ("half_up", [33_000, -15_000, -15_000, -3_000]),
    ("half_down", [35_000, -16_000, -15_000, -4_000]),
    ("up", [32_000, -15_000, -14_000, -3_000]),
]


@pytest.mark.parametrize("ties", ["shared", "first_seat"])
def test_players_who_share_the_first_rank_share_the_rest_of_the_rounding(ties: str) -> None:
    options = {"return_points": 30_000, "rounding": "half_up", "uma": "30,10,-10,-30", "ties": ties}
    agreed = {E: 5_300, S: 5_300, W: -5_000, N: -5_600}
    closed = Game.new("riichi", NAMES, options=options).play(Deal(winner=E, hands={}), agreed=agreed).close()
    results = [line.result for line in closed.standings]
    assert results == ([30_500, 30_500, -20_000, -41_000] if ties == "shared" else [51_000, 10_000, -20_000, -41_000])


@pytest.mark.parametrize(("rounding", "results"), ROUNDED, ids=[row[0] for row in ROUNDED])
def test_points_are_rounded_to_thousands_and_the_first_gets_the_rest(rounding: str, results: list[int]) -> None:
    options = {"return_points": 30_000, "rounding": rounding}
    closed = Game.new("riichi", NAMES, options=options).play(Deal(winner=E, hands={}), agreed=ODD).close()
    by_player = {line.player: line.result for line in closed.standings}
    assert [by_player[player] for player in Player] == results


def test_a_false_mahjong_ends_the_game_where_the_table_says_so() -> None:
    assert not Game.new("riichi", NAMES).play(foul("W")).over
    ended = Game.new("riichi", NAMES, options={"foul_ends": True}).play(foul("W"))
    assert ended.over
    assert ended.totals == (29_000, 27_000, 17_000, 27_000)
    with pytest.raises(ContextError, match="the game is over"):
        passes(ended)


def test_chombo_before_and_after_the_uma() -> None:
    at_once = Game.new("riichi", NAMES, options=UMA).play(foul("W")).close()
    assert {line.name: line.result for line in at_once.standings}["Cleo"] == 17_000 - 15_000
    later = Game.new("riichi", NAMES, options={**UMA, "chombo": "after_uma"}).play(foul("W")).play(foul("W")).close()
    cleo = next(line for line in later.standings if line.name == "Cleo")
    assert (cleo.points, cleo.penalty, cleo.rank, cleo.uma) == (25_000, 40_000, 3, -5_000)
    assert cleo.result == 25_000 - 5_000 - 40_000
    none = Game.new("riichi", NAMES, options={"chombo": "none"}).play(foul("W")).close()
    assert {line.result for line in none.standings} == {25_000}


def test_the_start_is_that_of_the_rules() -> None:
    assert Game.new("riichi", NAMES, options={"profile": "ema"}).start == 30_000
    assert Game.new("riichi", NAMES, options={"start_points": 20_000}).totals == (20_000,) * 4
    assert Game.new("riichi", NAMES, options={"profile": "ema"}, start=1_000).start == 1_000
    assert Game.new("classical", NAMES).start == 0


# --- sticks ---------------------------------------------------------------------------------------------------------

OPEN = "123m456p99s (789m) (222z) +9s"


def won(text: str, *occasions: str, by: Seat | None = None, **losers: str) -> Deal:
    how = WinBy.SELF_DRAW if by is None else WinBy.DISCARD
    hands = {S: (Hand.parse(text), Context(win_by=how, discarder=by, seat=S, occasions=Occasion.of(occasions)))}
    hands |= {Seat(seat): (Hand.parse(hand), Context(seat=Seat(seat))) for seat, hand in losers.items()}
    return Deal(winner=S, discarder=by, hands=hands)


PINFU = "123m345678p99s567s +5s"
WAITING, NOTHING, CLAIMED = "456m123789p11s34s", "147m258p147s1234z", "456m123p11s34s (789p)"
STICKS: tuple[tuple[str, str, Deal, tuple[Seat, ...]], ...] = (
    ("a seat twice", "seat_twice", draw("E", "S"), (S, S)),
    ("not ready at the draw", "riichi_not_ready", draw("E"), (S,)),
    ("ready at the draw", "", draw("E", "S"), (S,)),
    ("an abortive draw does not ask", "", draw(kind="four_riichi"), (E, S, W, N)),
    ("a winner with riichi", "", won(PINFU, "riichi"), (S,)),
    ("a winner with double riichi", "", won(PINFU, "double_riichi"), (S,)),
    ("a winner without riichi", "riichi_untold", won(PINFU), (S,)),
    ("an open winner", "riichi_open_hand", won(OPEN), (S,)),
    ("a loser who waits", "", won(PINFU, by=W, N=WAITING), (N,)),
    ("a loser who waits for nothing", "riichi_not_ready", won(PINFU, by=W, N=NOTHING), (N,)),
    ("a loser who claimed", "riichi_open_hand", won(PINFU, by=W, N=CLAIMED), (N,)),
    ("a loser whose hand is unknown", "", won(PINFU, by=W), (N, E)),
    ("a foul gives the sticks back", "", foul("W"), (N,)),
    ("a foul names nobody twice", "seat_twice", foul("W"), (N, N)),
)


@pytest.mark.parametrize(("name", "code", "deal", "riichi"), STICKS, ids=[row[0] for row in STICKS])
def test_who_can_lay_a_stick(name: str, code: str, deal: Deal, riichi: tuple[Seat, ...]) -> None:
    game = Game.new("riichi", NAMES)
    if code:
        with pytest.raises(InputError) as caught:
            game.play(deal, riichi=riichi)
        assert caught.value.code == code, name
        played = game.play(draw("E", "S", "W", "N"))
        with pytest.raises(InputError):
            played.correct(1, deal, riichi=riichi)
    else:
        played = game.play(deal, riichi=riichi)
        assert Game.parse(str(played)) == played
        assert sum(played.totals) + 1000 * played.position.deposits == 4 * game.start


def test_a_winner_who_declared_riichi_laid_a_stick() -> None:
    game = Game.new("riichi", NAMES).play(won(PINFU, "riichi"))
    assert game.records[0].riichi == (S,)
    assert game.entries[0].changes[1] == game.entries[0].payments[S] - 1000
    assert game.totals == Game.new("riichi", NAMES).play(won(PINFU, "riichi"), riichi=(S,)).totals


def test_a_stick_needs_a_thousand_points() -> None:
    ready = draw("E", "S", "W", "N")
    with pytest.raises(InputError) as caught:
        Game.new("riichi", NAMES, start=900).play(ready, riichi=(S,))
    assert caught.value.code == "riichi_without_points"
    assert "900 points" in str(caught.value)
    assert Game.new("riichi", NAMES, start=1_000).play(ready, riichi=(S,)).totals[1] == 0
    allowed = Game.new("riichi", NAMES, options={"riichi_below_1000": True, "bankruptcy_ends": False}, start=900)
    assert allowed.play(ready, riichi=(S,)).totals[1] == -100
    agreed = Game.new("riichi", NAMES).play(Deal(draw="exhausted", hands={}), riichi=(S,), agreed={})
    assert agreed.totals[1] == 24_000, "the table has judged the hands"
    with pytest.raises(InputError):
        Game.new("riichi", NAMES, start=900).play(Deal(draw="exhausted", hands={}), riichi=(S,), agreed={})


# --- dead hands -----------------------------------------------------------------------------------------------------


def mcr_foul(seat: str, kind: str) -> Deal:
    return Deal(hands={}, foul_by=Seat(seat), foul_kind=kind)


@pytest.mark.parametrize(
    ("kind", "dead"),
    [
        ("false_mahjong", True),
        ("false_mahjong_below_minimum", True),
        ("wrong_meld", True),
        ("wrong_count", True),
        ("wall_tile_seen", True),
        ("tiles_shown", False),
        ("late_claim_3", False),
        ("tile_exposed_of_E_20", False),
    ],
)
def test_a_dead_hand_cannot_win_its_deal(kind: str, *, dead: bool) -> None:
    game = Game.new("mcr", NAMES).play(mcr_foul("S", kind)).play(mcr_foul("S", kind))
    assert game.position.dead == ((Player.B,) if dead else ())
    if dead:
        with pytest.raises(ContextError, match="dead") as caught:
            game.play(win("mcr", S, 1))
        assert caught.value.code == "dead_hand"
        assert game.play(Deal(winner=S, hands={}), agreed=FLAT).entries[-1].values == {}, "the table may say otherwise"
    else:
        game.play(win("mcr", S, 1))
    other = game.play(win("mcr", W, 1))
    assert other.position.dead == ()
    assert where(other) == "E2 BCDA 0 0"
    assert other.play(win("mcr", E, 1)).totals, "the next deal is free again: Ben sits East"


def test_a_declared_ready_hand_stays_with_its_player() -> None:
    """The excuse of the classical penalty is kept in the game, and moves with the seats."""
    won_ = win("classical", S, 1).hands
    deal = Deal(winner=S, discarder=W, hands=won_, ready=(W,))
    game = Game.new("classical", NAMES).play(win("classical", E)).play(deal)
    assert game.entries[1].deal.ready == (W,)
    assert Game.parse(str(game)) == game
    assert game.correct(1, win("classical", S)).entries[1].deal.ready == (S,)


def test_a_foul_elsewhere_makes_no_hand_dead() -> None:
    for name in ("riichi", "classical"):
        assert Game.new(name, NAMES).play(foul("S")).position.dead == ()


def test_several_players_can_have_dead_hands() -> None:
    game = Game.new("mcr", NAMES).play(mcr_foul("S", "wrong_count")).play(mcr_foul("E", "wrong_meld"))
    assert game.position.dead == (Player.B, Player.A)
    assert Game.parse(str(game)).position == game.position
    corrected = game.correct(1, mcr_foul("W", "wrong_count"))
    assert corrected.position.dead == (Player.C, Player.A)
    assert replace(game.position, dead=()) == Game.new("mcr", NAMES).position


@pytest.mark.parametrize("riichi", [(), (E,), (E, S, W, N)])
def test_four_riichi_are_four_sticks(riichi: tuple[Seat, ...]) -> None:
    game = Game.new("riichi", NAMES).play(draw(kind="four_riichi"), riichi=riichi)
    assert game.totals == (24000,) * 4
    assert game.position.deposits == 4


def test_a_game_before_one_of_its_deals() -> None:
    game = Game.new("riichi", NAMES)
    first = game.play(draw("E"))
    assert first.play(draw("S")).close().before(2) == first
    assert first.before(1) == game
    with pytest.raises(ContextError):
        game.before(1)
