"""Games of all rulesets: dealer, counters and sticks, undo, corrections, saving, standings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilescore.errors import ContextError, InputError
from tilescore.scoring.context import SEATS, Context, Seat, WinBy
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.record import Agreed
from tilescore.scoring.hand import Hand
from tilescore.scoring.progression import PLAYERS, Player
from tilescore.scoring.ruleset import RULESETS
from tilescore.scoring.ruleset import ruleset as rules_of

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = ("Ann", "Ben", "Cleo", "Dan")
HANDS = {
    "riichi": "123m345678p99s567s +5s",
    "mcr": "123456789m234s55p +4s",
    "classical": "66s678p (333p) (123m) (456s) +8p",
    "simplified": "66s678p (333p) (123m) (456s) +8p",
    "hongkong": "12355m (456m) (789m) (222m) +3m",
    "taiwan": "234p678p345s99s (123m) (777s) +5s",
    "riichi3": "123p345678p99s567s +5s",
}
LOSERS = {
    "classical": ("2358m258p258s147z", "369m3689p368s111z", "147m1479p1479s27z"),
    "simplified": ("2358m258p258s147z", "369m3689p368s111z", "147m1479p1479s27z"),
}
CHOMBO = "false_mahjong"
SEATS_OF = {name: rules_of(name).traits.seats for name in RULESETS}


def win(ruleset: str, winner: Seat, steps: int = 0) -> Deal:
    """A win on the discard of the player that many turns later, or by self-draw."""
    seats = SEATS_OF[ruleset]
    steps %= len(seats)
    discarder = seats[(seats.index(winner) + steps) % len(seats)] if steps else None
    by = WinBy.DISCARD if steps else WinBy.SELF_DRAW
    hands = {winner: (Hand.parse(HANDS[ruleset]), Context(win_by=by, discarder=discarder, seat=winner))}
    others = [seat for seat in SEATS if seat is not winner]
    for seat, text in zip(others, LOSERS.get(ruleset, ()), strict=False):
        hands[seat] = (Hand.parse(text), Context(seat=seat))
    return Deal(winner=winner, discarder=discarder, hands=hands)


def draw(*ready: str, kind: str = "exhausted") -> Deal:
    return Deal(hands={}, draw=kind, ready=tuple(map(Seat, ready)))


def saved_with(**fields: object) -> Game:
    """A saved game with these fields."""
    return Game.from_json({**Game.new("mcr", NAMES).to_json(), **fields})


def foul(seat: str) -> Deal:
    return Deal(hands={}, foul_by=Seat(seat), foul_kind=CHOMBO)


def where(game: Game) -> str:
    """Round, number, seating, honba and sticks: `E1 ABCD 0 0`."""
    at = game.position
    return f"{at.round}{at.number} {''.join(at.seating)} {at.honba} {at.deposits}"


def after(game: Game, *deals: Deal) -> str:
    for deal in deals:
        game = game.play(deal)
    return where(game)


# --- progression --------------------------------------------------------------------------------------------------


def test_mcr_seats() -> None:
    """The seats at the start of each round; the first South is East at the start of South's round, and so on."""
    game, starts, played = Game.new("mcr", NAMES), [], 0
    while not game.over:
        if game.position.number == 1:
            starts.append("".join(game.position.seating))
        game = game.play(draw() if played % 3 else win("mcr", Seat.EAST, 1))
        played += 1
    assert played == 16
    assert starts == ["ABCD", "BADC", "CDBA", "DCAB"]
    assert [seats[0] for seats in starts] == ["A", "B", "C", "D"]


def test_mcr_winds_pass_every_deal() -> None:
    assert after(Game.new("mcr", NAMES), win("mcr", Seat.EAST, 1)) == "E2 BCDA 0 0"
    assert after(Game.new("mcr", NAMES), draw()) == "E2 BCDA 0 0"
    assert after(Game.new("mcr", NAMES), foul("W")) == "E1 ABCD 0 0"


@pytest.mark.parametrize("ruleset", ["classical", "simplified"])
def test_classical_deals(ruleset: str) -> None:
    game = Game.new(ruleset, NAMES)
    assert after(game, win(ruleset, Seat.EAST)) == "E1 ABCD 0 0"
    assert after(game, draw()) == "E1 ABCD 0 0"
    assert after(game, foul("N")) == "E1 ABCD 0 0"
    assert after(game, win(ruleset, Seat.NORTH, 1)) == "E2 BCDA 0 0"
    passing = Game.new(ruleset, NAMES, options={"draw_passes_deal": True})
    assert after(passing, draw()) == "E2 BCDA 0 0"
    assert after(game, *[win(ruleset, Seat.SOUTH)] * 4) == "S1 ABCD 0 0"


@pytest.mark.parametrize("ruleset", ["classical", "simplified"])
def test_classical_match_has_sixteen_deals(ruleset: str) -> None:
    game = Game.new(ruleset, NAMES)
    for number in range(16):
        assert game.position.round is SEATS[number // 4]
        game = game.play(win(ruleset, Seat.EAST)).play(win(ruleset, Seat.WEST, 2))
    assert game.over
    assert len(game.entries) == 32


RIICHI = (
    ("a child wins", (win("riichi", Seat.WEST, 1),), "E2 BCDA 0 0"),
    ("the dealer wins", (win("riichi", Seat.EAST, 1),), "E1 ABCD 1 0"),
    ("the dealer wins, then a child", (win("riichi", Seat.EAST, 1), win("riichi", Seat.WEST)), "E2 BCDA 0 0"),
    ("draw, dealer ready", (draw("E", "S"),), "E1 ABCD 1 0"),
    ("draw, dealer not ready", (draw("S"),), "E2 BCDA 1 0"),
    ("draw, nobody ready, twice", (draw(), draw()), "E3 CDAB 2 0"),
    ("abortive draw", (draw(kind="four_winds"),), "E1 ABCD 1 0"),
    ("chombo keeps honba", (draw("E"), foul("S")), "E1 ABCD 1 0"),
)


@pytest.mark.parametrize(("name", "deals", "expected"), RIICHI, ids=[row[0] for row in RIICHI])
def test_riichi_deals(name: str, deals: tuple[Deal, ...], expected: str) -> None:
    assert after(Game.new("riichi", NAMES), *deals) == expected, name


THREE = ("123m345678p99s567s +5s", "456m123789p11345s +5s", "789m234567p22567s +5s")


def several(*winners: Seat) -> Deal:
    discarder = next(seat for seat in SEATS if seat not in winners)
    hands = {
        seat: (Hand.parse(text), Context(win_by=WinBy.DISCARD, discarder=discarder, seat=seat))
        for seat, text in zip(winners, THREE, strict=False)
    }
    return Deal(winner=winners[0], also_won=winners[1:], discarder=discarder, hands=hands)


def test_riichi_several_rons() -> None:
    """A dealer among the winners stays; three rons may abort the deal; head bump may leave the dealer unpaid."""
    assert after(Game.new("riichi", NAMES), several(Seat.EAST, Seat.WEST)) == "E1 ABCD 1 0"
    three = several(Seat.SOUTH, Seat.WEST, Seat.NORTH)
    assert after(Game.new("riichi", NAMES), three) == "E2 BCDA 0 0"
    assert after(Game.new("riichi", NAMES, options={"multiple_ron": "three_abort"}), three) == "E1 ABCD 1 0"
    bump = Game.new("riichi", NAMES, options={"multiple_ron": "head_bump"})
    assert after(bump, several(Seat.EAST, Seat.WEST)) == "E2 BCDA 0 0"  # South discards: West is nearer


def test_riichi_ends() -> None:
    east = Game.new("riichi", NAMES, options={"length": "east"})
    hanchan = Game.new("riichi", NAMES)
    for _ in range(4):
        east, hanchan = east.play(draw()), hanchan.play(draw())
    assert east.over
    assert not hanchan.over
    assert where(hanchan) == "S1 ABCD 4 0"
    for _ in range(4):
        hanchan = hanchan.play(draw())
    assert hanchan.over


def test_riichi_bankruptcy() -> None:
    poor = Game.new("riichi", NAMES, start=500)
    assert poor.play(draw("E")).over
    assert not Game.new("riichi", NAMES, start=500, options={"bankruptcy_ends": False}).play(draw("E")).over


def test_riichi_sticks_and_honba() -> None:
    """The winner takes two sticks of a draw, one of the deal, and 300 points for the honba."""
    game = Game.new("riichi", NAMES).play(draw("E", "S"), riichi=(Seat.EAST, Seat.SOUTH))
    assert where(game) == "E1 ABCD 1 2"
    assert game.totals == (25500, 25500, 23500, 23500)
    game = game.play(win("riichi", Seat.WEST, 1), riichi=(Seat.NORTH,))
    assert where(game) == "E2 BCDA 0 0"
    assert game.totals == (25500, 25500, 23500 + 1000 + 300 + 3000, 23500 - 1000 - 1300)
    assert game.entries[-1].changes == (0, 0, 4300, -2300)
    assert game.entries[-1].payments[Seat.WEST] == 4300


def test_riichi_chombo_returns_the_sticks() -> None:
    game = Game.new("riichi", NAMES).play(foul("W"), riichi=(Seat.NORTH,))
    assert game.totals == (29000, 27000, 17000, 27000)
    assert where(game) == "E1 ABCD 0 0"


# --- operations ---------------------------------------------------------------------------------------------------


def test_correction_moves_everything_after_it() -> None:
    """A correction keeps the players of later deals and moves their seats."""
    game = Game.new("riichi", NAMES).play(win("riichi", Seat.EAST, 1)).play(win("riichi", Seat.SOUTH, 2))
    assert where(game) == "E2 BCDA 0 0"
    assert game.totals == (26500, 25000 - 1500 + 1300, 25000, 23700)
    corrected = game.correct(1, draw("S"))
    assert corrected.entries[1].position.seating[0] is Player.B
    assert corrected.entries[1].deal.winner is Seat.EAST
    assert where(corrected) == "E2 BCDA 2 0"
    assert corrected.totals == (24000, 28000 + 1500 + 300, 24000, 24000 - 1800)
    assert corrected.undo() == game
    assert corrected.undo().redo() == corrected


def test_removal() -> None:
    game = Game.new("riichi", NAMES).play(draw("S")).play(draw("E"))
    assert game.without(1) == Game.new("riichi", NAMES).play(draw("S")).play(draw("E")).without(1)
    assert game.without(1).totals == (24000, 28000, 24000, 24000)  # Ben, East in the second deal, was South at first
    assert game.without(2) == Game.new("riichi", NAMES).play(draw("S"))


def test_correction_that_would_end_the_game_is_refused() -> None:
    game = Game.new("riichi", NAMES, options={"length": "east"}).play(draw("E"))
    for _ in range(4):
        game = game.play(draw())
    assert game.over
    with pytest.raises(ContextError) as caught:
        game.correct(1, draw())
    assert caught.value.code == "game_over"


def test_agreed_points() -> None:
    game = Game.new("riichi", NAMES).play(draw("E"), riichi=(Seat.EAST,))
    deal = Deal(winner=Seat.SOUTH, discarder=Seat.WEST, hands={})
    game = game.play(deal, agreed={Seat.SOUTH: 8000, Seat.WEST: -8000})
    assert game.totals == (27000, 33000, 16000, 24000)
    assert where(game) == "E2 BCDA 0 0"
    assert Game.parse(str(game)) == game
    drawn = game.play(draw(), agreed={})
    assert drawn.totals == game.totals
    moved = game.correct(1, draw("S"))
    assert moved.entries[1].deal.winner is Seat.EAST
    assert moved.totals == (24000, 28000 + 8000, 16000, 24000)


def test_who_sits_where() -> None:
    at = Game.new("mcr", NAMES).play(draw()).position
    assert at.player(Seat.EAST) is Player.B
    assert all(at.seat(at.player(seat)) is seat for seat in SEATS)


def test_close_and_standings() -> None:
    options = {"uma": "15,5,-5,-15"}
    game = Game.new("riichi", NAMES, options=options).play(draw("S", "W"), riichi=(Seat.WEST,))
    first = game.standings[0]
    assert (first.name, first.points, first.uma) == ("Ben", 26500, 0)
    closed = game.close()
    assert closed.over
    assert [(line.rank, line.name, line.points, line.result) for line in closed.standings] == [
        (1, "Ben", 27500, 42500),
        (2, "Cleo", 25500, 30500),
        (3, "Ann", 23500, 18500),
        (4, "Dan", 23500, 8500),
    ]
    assert not closed.close(closed=False).over
    assert Game.new("mcr", NAMES).standings[0].result == 0


REFUSED: tuple[tuple[str, Callable[[], object]], ...] = (
    ("nothing_to_undo", lambda: Game.new("mcr", NAMES).undo()),
    ("nothing_to_redo", lambda: Game.new("mcr", NAMES).redo()),
    ("no_such_deal", lambda: Game.new("mcr", NAMES).correct(1, draw())),
    ("no_such_deal", lambda: Game.new("mcr", NAMES).without(0)),
    ("game_over", lambda: Game.new("mcr", NAMES).close().play(draw())),
    ("riichi_elsewhere", lambda: Game.new("mcr", NAMES).play(draw(), riichi=(Seat.EAST,))),
    ("agreed_not_zero", lambda: Game.new("mcr", NAMES).play(draw(), agreed={Seat.EAST: 1})),
    ("unknown_ruleset", lambda: Game.new("chess", NAMES)),
    ("unknown_option", lambda: Game.new("mcr", NAMES, options={"colour": "red"})),
    ("unreadable_game", lambda: Game.parse("{")),
    ("unreadable_game", lambda: Game.parse("[]")),
    ("players_not_four", lambda: Game.parse('{"ruleset": "mcr", "players": ["Ann"]}')),
    ("not_points", lambda: saved_with(start=True)),
    ("not_points", lambda: saved_with(start=10**30)),
    ("not_points", lambda: Game.new("mcr", NAMES, start=10**30)),
    ("unreadable_game", lambda: saved_with(deals={})),
    ("unreadable_game", lambda: saved_with(deals=[None] * 1001)),
    ("players_not_four", lambda: saved_with(players=["A", "B", "C", 4])),
    ("players_not_four", lambda: saved_with(players=["A", "B", "C", "\ud800"])),
    ("players_not_four", lambda: saved_with(players=["A", "B", "C", "D" * 201])),
    ("not_boolean", lambda: saved_with(closed="yes")),
    ("unreadable_game", lambda: saved_with(tag="x" * 201)),
    ("not_points", lambda: Agreed(points=(10**30, -(10**30), 0, 0))),
    ("not_points", lambda: Agreed(points=(0.3, -0.3, 0, 0))),
    ("unknown_key", lambda: Game.parse('{"ruleset": "mcr", "colour": 1}')),
    ("not_object", lambda: Game.parse('{"ruleset": "mcr", "players": ["A", "B", "C", "D"], "deals": [1]}')),
    ("unknown_key", lambda: Game.parse('{"ruleset": "mcr", "players": ["A", "B", "C", "D"], "deals": [{"x": 1}]}')),
    (
        "not_points",
        lambda: Game.parse('{"ruleset": "mcr", "players": ["A", "B", "C", "D"], "deals": [{"agreed": {"E": "x"}}]}'),
    ),
    (
        "unknown_seating",
        lambda: Game.parse(
            '{"ruleset": "mcr", "players": ["A", "B", "C", "D"], "deals": [{"deal": {"draw": {"kind": "exhausted"}}}]}'
        ),
    ),
)


@pytest.mark.parametrize(("code", "act"), REFUSED, ids=[f"{place} {row[0]}" for place, row in enumerate(REFUSED)])
def test_refused(code: str, act: Callable[[], object]) -> None:
    with pytest.raises(InputError) as caught:
        act()
    assert caught.value.code == code


# --- properties ---------------------------------------------------------------------------------------------------


IMPOSSIBLE = {"game_over", "dead_hand", "riichi_not_ready", "riichi_untold", "riichi_without_points"}


def attempt(game: Game, change: Callable[[], Game]) -> Game:
    """The game after the change; the same game if the change draws what a table cannot have."""
    try:
        return change()
    except ContextError as error:
        if error.params.get("reason", error).code not in IMPOSSIBLE:  # type: ignore[attr-defined]
            raise
        return game


@st.composite
def games(draw_from: st.DrawFn) -> Game:
    """Games of up to eight deals of every kind, some corrected."""
    ruleset = draw_from(st.sampled_from(list(RULESETS)))
    game = Game.new(ruleset, NAMES[: len(SEATS_OF[ruleset])])
    for _ in range(draw_from(st.integers(0, 8))):
        if game.over:
            break
        deal, riichi = draw_from(deals(ruleset)), draw_from(sticks(ruleset))
        game = attempt(game, lambda game=game, deal=deal, riichi=riichi: game.play(deal, riichi=riichi))  # type: ignore[misc]
    corrected = draw_from(st.booleans())
    if game.records and corrected:
        number = draw_from(st.integers(1, len(game.records)))
        deal, riichi = draw_from(deals(ruleset)), draw_from(sticks(ruleset))
        game = attempt(game, lambda: game.correct(number, deal, riichi=riichi))
    return game


def deals(ruleset: str) -> st.SearchStrategy[Deal]:
    seat = st.sampled_from(SEATS_OF[ruleset])
    ready = st.lists(seat, unique=True) if rules_of(ruleset).traits.stick else st.just([])
    return st.one_of(
        st.builds(win, st.just(ruleset), seat, st.integers(0, 3)),
        ready.map(lambda seats: draw(*seats)),
        seat.map(foul),
    )


def sticks(ruleset: str) -> st.SearchStrategy[tuple[Seat, ...]]:
    if not rules_of(ruleset).traits.stick:
        return st.just(())
    return st.lists(st.sampled_from(SEATS_OF[ruleset]), unique=True, max_size=2).map(tuple)


@settings(deadline=None, max_examples=50)
@given(games())
def test_totals_and_what_lies_on_the_table_never_change(game: Game) -> None:
    players = len(game.players)
    assert sum(game.totals) + 1000 * game.position.deposits == players * game.start
    assert sorted(game.position.seating) == list(PLAYERS[:players])
    assert sum(line.points for line in game.close().standings) == players * game.start


@settings(deadline=None, max_examples=50)
@given(games())
def test_parse_inverts_str(game: Game) -> None:
    again = Game.parse(str(game))
    assert again == game
    assert again.totals == game.totals
    assert again.position == game.position
    assert str(again) == str(game)


@settings(deadline=None, max_examples=50)
@given(games(), st.data())
def test_undo_inverts_play(game: Game, data: st.DataObject) -> None:
    if game.over:
        return
    deal = data.draw(deals(game.ruleset_name))
    played = attempt(game, lambda: game.play(deal))
    if played is game:
        return
    assert played.undo() == game
    assert played.undo().redo() == played
    again = Game.parse(str(played))
    assert again.undo() == game
