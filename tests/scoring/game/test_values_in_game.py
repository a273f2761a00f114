"""Wins of which only the value is known, as deals of a game: replayed by the rules, kept, exported, counted."""

from typing import Any

import pytest

from tilescore.errors import InputError
from tilescore.scoring.context import Context, Occasion, Seat, WinBy
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.statistics import player_statistics, tallies_of
from tilescore.scoring.game.whole import Whole
from tilescore.scoring.hand import Hand
from tilescore.scoring.traits import KnownValue

NAMES = ("Ann", "Ben", "Cleo", "Dan")
E, S, W, N = Seat
HANDS = {S: "234m345678p66m678s +8s", W: "234567m44567p678s +8s", N: "345456m22345p678s +8s"}
"""Closed hands, by the seat that holds it, which win on one tile."""


def by_value(*winners: Seat, discarder: Seat | None = E) -> Deal:
    return Deal(winner=winners[0], also_won=winners[1:], discarder=discarder, hands={})


def with_tiles(*winners: Seat, riichi: tuple[Seat, ...]) -> Deal:
    hands = {
        seat: (
            Hand.parse(HANDS[seat]),
            Context(
                win_by=WinBy.DISCARD, discarder=E, seat=seat,
                occasions=Occasion.RIICHI if seat in riichi else Occasion(0),
            ),
        )
        for seat in winners
    }  # fmt: skip
    return Deal(winner=winners[0], also_won=winners[1:], discarder=E, hands=hands)


SHARED: list[tuple[dict[str, Any], tuple[Seat, ...]]] = [
    ({}, (W, S)),
    ({"multiple_ron": "head_bump"}, (W, S)),
    ({"multiple_ron": "three_abort"}, (W, S)),
    ({"multiple_ron": "three_abort"}, (W, S, N)),
    ({"multiple_ron_honba": "each"}, (N, S)),
    ({"multiple_ron_honba": "each"}, (W, S, N)),
]


@pytest.mark.parametrize(("options", "winners"), SHARED, ids=str)
def test_several_winners_are_paid_as_with_their_tiles(options: dict[str, Any], winners: tuple[Seat, ...]) -> None:
    game = Game.new("riichi", NAMES, options=options).play(Deal(hands={}, draw="exhausted", ready=(E,)), riichi=(E,))
    riichi = (*winners[:2], E)
    tiles = game.play(with_tiles(*winners, riichi=riichi), riichi=riichi)
    worth = {}
    for seat in winners:
        score = game.rules.score(*with_tiles(*winners, riichi=riichi).hands[seat])
        worth[seat] = KnownValue(han=score.han, fu=score.fu)  # type: ignore[arg-type]
    value = game.play(by_value(*winners), riichi=riichi, values=worth)
    assert value.totals == tiles.totals
    assert value.entries[-1].values == tiles.entries[-1].values
    assert value.position == tiles.position


def test_a_correction_of_an_earlier_deal_moves_the_dealer_of_a_deal_by_value() -> None:
    draw = Deal(hands={}, draw="exhausted")
    game = Game.new("riichi", NAMES).play(draw).play(by_value(S, discarder=N), values={S: KnownValue(han=3, fu=40)})
    assert game.position.player(E) == "C", "Ben was the dealer and ... Cleo, who sat South, won"
    before = game.totals
    corrected = game.correct(1, Deal(hands={}, draw="exhausted", ready=(E,)))
    moved = corrected.entries[1]
    assert moved.position.player(E) == "A", "Ann was ready and stays"
    assert moved.known == {W: KnownValue(han=3, fu=40)}, "Cleo has West's seat now, and the same han and fu"
    assert sum(corrected.totals) == sum(before)
    dealer = game.correct(1, by_value(W, discarder=S), values={W: KnownValue(han=1, fu=30)})
    assert dealer.entries[1].values == game.entries[1].values


def test_the_value_of_a_dealer_after_a_correction_is_that_of_a_dealer() -> None:
    draw = Deal(hands={}, draw="exhausted")
    game = Game.new("riichi", NAMES).play(draw).play(by_value(N, discarder=S), values={N: KnownValue(han=3, fu=40)})
    assert game.entries[1].values == {N: 5200}, "Ann sits North in the second deal"
    stays = game.correct(1, Deal(hands={}, draw="exhausted", ready=(E,)))
    assert stays.entries[1].values == {E: 7700}


@pytest.mark.parametrize(
    ("name", "value"),
    [("riichi", KnownValue(han=3, fu=40)), ("mcr", KnownValue(points=24)), ("hongkong", KnownValue(points=5)),
     ("taiwan", KnownValue(points=7)), ("classical", KnownValue(points=64))],
)  # fmt: skip
def test_the_json_of_a_game_keeps_the_value(name: str, value: KnownValue) -> None:
    game = Game.new(name, NAMES).play(by_value(S), values={S: value})
    again = Game.parse(str(game))
    assert again == game
    assert again.records[0].values == {S: value}
    assert again.entries[0].values[S] == (5200 if name == "riichi" else value.points)
    ben = next(one for one in player_statistics([tallies_of(again)]) if one.name == "Ben")
    assert ben.best == (again.entries[0].values[S], "")
    assert ben.average == again.entries[0].values[S]


def test_a_whole_game_of_lines_takes_values() -> None:
    line = {"winner": "S", "discarder": "E", "hands": {}, "values": {"S": {"han": 3, "fu": 40}}}
    _, answer = Whole.new("riichi", NAMES).after(line)
    assert answer["payments"]["S"] == 5200


DRAGONS = {"melds": [{"kind": "pung", "tiles": tiles} for tiles in ("555z", "666z", "777z")], "winning_tile": "7s"}
# Ruleset, options, the hand of South, who discards, what it is worth.
FED: list[tuple[str, dict[str, Any], dict[str, Any], str | None, dict[str, int]]] = [
    *(("riichi", options, {**DRAGONS, "concealed": "11p789s"}, by, {"han": 13}) for options in ({}, {"profile": "ema"})
      for by in (None, "E", "W")),
    ("riichi3", {}, {**DRAGONS, "concealed": "11p789s"}, None, {"han": 13}),
    ("hongkong", {}, {**DRAGONS, "concealed": "11p789s"}, None, {"points": 10}),
    ("hongkong", {}, {**DRAGONS, "concealed": "11p789s"}, "E", {"points": 9}),
    ("taiwan", {}, {**DRAGONS, "concealed": "11p234m789s", "bonus": "1q"}, None, {"points": 10}),
]  # fmt: skip


@pytest.mark.parametrize("row", FED, ids=str)
def test_the_liable_player_pays_as_with_tiles(row: Any) -> None:
    name, options, hand, discarder, value = row
    deal = {"winner": "S", "discarder": discarder, "liable": {"S": "W"}}
    paid = [
        Whole.new(name, NAMES[: 3 if name == "riichi3" else 4], options=options).after({**deal, **more})[1]["payments"]
        for more in ({"hands": {"S": hand}}, {"values": {"S": value}})
    ]
    assert paid[0] == paid[1]
    assert paid[0]["W"] < 0


NOBODY_LIABLE: list[tuple[str, dict[str, int], str]] = [
    ("riichi", {"han": 5}, "W"),
    ("riichi", {"han": 26}, "W"),
    ("riichi", {"han": 13}, "S"),
    ("hongkong", {"points": 8}, "S"),
]


@pytest.mark.parametrize("row", NOBODY_LIABLE, ids=str)
def test_who_cannot_be_liable_for_a_value(row: tuple[str, dict[str, int], str]) -> None:
    name, value, liable = row
    with pytest.raises(InputError) as raised:
        Whole.new(name, NAMES).after({"winner": "S", "liable": {"S": liable}, "values": {"S": value}})
    assert raised.value.code == "nobody_liable"


@pytest.mark.parametrize("name", ["mcr", "classical", "simplified"])
def test_two_winners_by_value_where_one_wins(name: str) -> None:
    line = {"winners": ["S", "N"], "discarder": "E", "values": {"S": {"points": 80}, "N": {"points": 88}}}
    with pytest.raises(InputError) as raised:
        Whole.new(name, NAMES).after(line)
    assert raised.value.code == "one_winner"


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("no winner", {"deal": {"draw": {"kind": "exhausted"}}, "values": {"S": {"points": 8}}}, "values_do_not_fit"),
    ("not every winner", {"deal": {"winner": "S", "hands": {}}, "values": {"W": {"points": 8}}}, "values_do_not_fit"),
    ("agreed as well",
     {"deal": {"winner": "S", "hands": {}}, "values": {"S": {"points": 8}}, "agreed": {"S": 8, "E": -8}},
     "values_do_not_fit"),
    ("no number", {"deal": {"winner": "S", "hands": {}}, "values": {"S": {"points": "8"}}}, "not_points"),
    ("no object", {"deal": {"winner": "S", "hands": {}}, "values": {"S": 8}}, "not_object"),
    ("no key", {"deal": {"winner": "S", "hands": {}}, "values": {"S": {"fan": 8}}}, "unknown_key"),
    ("no seat", {"deal": {"winner": "S", "hands": {}}, "values": {"X": {"points": 8}}}, "unknown_seat"),
    ("below the minimum", {"deal": {"winner": "S", "hands": {}}, "values": {"S": {"points": 7}}}, "below_minimum"),
]  # fmt: skip


@pytest.mark.parametrize("row", BAD, ids=lambda row: row[0])
def test_values_that_fit_no_deal(row: tuple[str, dict[str, Any], str]) -> None:
    _, deal, code = row
    with pytest.raises(InputError) as raised:
        Game.from_json({"ruleset": "mcr", "players": list(NAMES), "deals": [{**deal, "seating": "ABCD"}]})
    assert raised.value.code == code
