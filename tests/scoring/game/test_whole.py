"""Whole games from lines: what is carried from deal to deal, penalties, and the end."""

from dataclasses import replace
from typing import Any

import pytest

from tilescore.errors import InputError
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.whole import Whole

NAMES = ("Ann", "Ben", "Cleo", "Dan")
HAND = {"concealed": "234m345678p66s678s", "winning_tile": "8s"}
DRAWN = {"draw": {"kind": "exhausted"}}


def played(ruleset: str, *lines: dict[str, Any], options: dict[str, Any] | None = None) -> tuple[Whole, list[Any]]:
    count = 3 if ruleset == "riichi3" else 4
    whole, answers = Whole.new(ruleset, NAMES[:count], options=options), []
    for line in lines:
        whole, answer = whole.after(line)
        answers.append(answer)
    return whole, answers


def test_counters_sticks_and_winds_are_carried() -> None:
    whole, answers = played(
        "riichi",
        {"draw": {"kind": "exhausted", "ready": ["E"]}, "riichi": ["E"]},
        {"winner": "S", "discarder": "W", "hands": {"S": HAND}},
        DRAWN,
    )
    assert [answer["position"] for answer in answers] == [
        {"round": "E", "number": 1, "dealer": 0, "honba": 0, "sticks": 0},
        {"round": "E", "number": 1, "dealer": 0, "honba": 1, "sticks": 1},
        {"round": "E", "number": 2, "dealer": 1, "honba": 0, "sticks": 0},
    ]
    assert answers[1]["payments"] == {"E": 0, "S": 3300, "W": -2300, "N": 0}
    assert answers[1]["standing"] == [27000, 27300, 21700, 24000]
    assert whole.final() == {
        "final": {
            "points": [27000, 27300, 21700, 24000],
            "places": [2, 1, 4, 3],
            "result": [27000, 27300, 21700, 24000],
        }
    }


def test_the_dealer_of_taiwan_repeats_and_hands_of_seventeen_are_whole() -> None:
    hand = {"concealed": "123777m234678p34599s", "winning_tile": "5s"}
    _, answers = played("taiwan", {"winner": "E", "hands": {"E": hand}}, DRAWN)
    assert [answer["position"]["repeats"] for answer in answers] == [0, 1]


def test_return_uma_and_oka_stand_at_the_end() -> None:
    options = {"return_points": 30000, "uma": "15,5,-5,-15"}
    whole, _ = played("riichi", {"draw": {"kind": "exhausted", "ready": ["S"]}}, options=options)
    assert whole.final()["final"] == {
        "points": [24000, 28000, 24000, 24000],
        "places": [2, 1, 3, 4],
        "result": [-1000, 33000, -11000, -21000],
    }


def test_a_false_mahjong_counts_after_the_uma_where_the_rules_say_so() -> None:
    foul = {"foul": {"by": "W", "kind": "false_mahjong"}}
    whole, _ = played("riichi", foul, foul, options={"chombo": "after_uma"})
    assert whole.final()["final"]["result"] == [25000, 25000, -15000, 25000]


@pytest.mark.parametrize("names", [("Ann", "Ben", "Ann", "Dan"), ("Ann", "Ben", "", "Dan")])
def test_names_tell_the_players_apart(names: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="four names, all different"):
        Whole.new("mcr", names)


def test_a_value_is_in_what_the_game_counts() -> None:
    won = {"winner": "E", "values": {"E": {"han": 2}}}
    assert played("riichi", won)[1][0]["payments"]["E"] == 3000
    with pytest.raises(InputError, match="unknown key 'han' in a value: known are points"):
        played("taiwan", won)


def test_players_with_equal_points_share_table_points() -> None:
    whole, _ = played("mcr", DRAWN)
    assert whole.final()["final"]["table_points"] == [1.75] * 4
    whole, _ = played("mcr", {"agreed": {"E": 24, "S": -8, "W": -8, "N": -8}, "winner": "E", "hands": {}})
    assert whole.final()["final"]["table_points"] == [4, 1, 1, 1]


PENALTIES: list[tuple[str, dict[str, Any], list[int]]] = [
    ("to nobody", {"player": 1, "points": 500}, [0, -500, 0, 0]),
    ("to nobody by name", {"player": 1, "points": 500, "to": "nobody"}, [0, -500, 0, 0]),
    ("shared", {"player": 0, "points": 100, "to": "others", "reason": "late"}, [-100, 34, 33, 33]),
    ("to one", {"player": 3, "points": 10, "to": [1]}, [0, 10, 0, -10]),
]


@pytest.mark.parametrize("row", PENALTIES, ids=lambda row: row[0])
def test_penalties(row: tuple[str, dict[str, Any], list[int]]) -> None:
    _, penalty, changes = row
    whole, answers = played("mcr", {"penalty": penalty}, DRAWN)
    assert answers[0]["standing"] == changes
    assert answers[1]["standing"] == changes
    final = whole.final()["final"]
    assert final["points"] == final["result"] == changes
    assert final["penalties"][0]["player"] == penalty["player"]
    assert final["penalties"][0].get("reason") == penalty.get("reason")


def test_a_penalty_after_the_uma_changes_no_place() -> None:
    whole, answers = played("mcr", {"penalty": {"player": 0, "points": 9, "after_uma": True}})
    assert answers[0]["standing"] == [0, 0, 0, 0]
    final = whole.final()["final"]
    assert final["places"] == [1, 1, 1, 1]
    assert final["result"] == [-9, 0, 0, 0]
    assert final["penalties"] == [{"player": 0, "points": 9, "to": "nobody", "after_uma": True}]


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("no such player", {"penalty": {"player": 4, "points": 1}}, "no_such_player"),
    ("no player", {"penalty": {"points": 1}}, "no_such_player"),
    ("yes is no player", {"penalty": {"player": True, "points": 1}}, "no_such_player"),
    ("to no such player", {"penalty": {"player": 0, "points": 1, "to": [7]}}, "no_such_player"),
    ("no points", {"penalty": {"player": 0, "points": 0}}, "not_points"),
    ("text for points", {"penalty": {"player": 0, "points": "5"}}, "not_points"),
    ("to themselves", {"penalty": {"player": 0, "points": 1, "to": [0]}}, "bad_penalty"),
    ("to one twice", {"penalty": {"player": 0, "points": 1, "to": [1, 1]}}, "bad_penalty"),
    ("to a word", {"penalty": {"player": 0, "points": 1, "to": "them"}}, "bad_penalty"),
    ("a reason that is no text", {"penalty": {"player": 0, "points": 1, "reason": 5}}, "bad_penalty"),
    ("an unknown key", {"penalty": {"player": 0, "points": 1, "why": "x"}}, "unknown_key"),
    ("a penalty and a deal", {"penalty": {"player": 0, "points": 1}, "draw": {"kind": "exhausted"}}, "unknown_key"),
    ("other options", {**DRAWN, "options": {"limit": 5}}, "options_of_game"),
    ("han in a game of points", {"winner": "E", "values": {"E": {"han": 9}}}, "unknown_key"),
    ("no such draw", {"draw": {"kind": "rain"}}, "unknown_draw"),
    ("no such draw, with points agreed", {"draw": {"kind": "rain"}, "agreed": {"S": 8, "E": -8}}, "unknown_draw"),
    ("no such foul, with points agreed", {"foul": {"by": "S", "kind": "rain"}, "agreed": {}}, "unknown_foul"),
]


@pytest.mark.parametrize("row", WRONG, ids=lambda row: row[0])
def test_what_cannot_be_is_refused(row: tuple[str, dict[str, Any], str]) -> None:
    _, line, code = row
    with pytest.raises(InputError) as raised:
        played("mcr", line)
    assert raised.value.code == code


@pytest.mark.parametrize("agreed", [{}, {"agreed": {"S": 1000, "E": -1000}}], ids=str)
def test_three_players_have_no_draw_of_four_riichi(agreed: dict[str, Any]) -> None:
    with pytest.raises(InputError) as raised:
        played("riichi3", {"draw": {"kind": "four_riichi"}, **agreed})
    assert raised.value.code == "unknown_draw"


def test_who_pays_for_all_without_a_discarder_is_warned_of() -> None:
    _, answers = played("classical", {"winner": "S", "pays_for_all": True, "values": {"S": {"points": 100}}})
    assert answers[0]["warnings"] == ["pays_for_all"]


def test_a_full_game_takes_no_further_deal_and_stays_readable() -> None:
    whole, _ = played("simplified", DRAWN)
    full = replace(whole.game, records=whole.game.records * 1000)
    with pytest.raises(InputError) as caught:
        replace(whole, game=full).after(DRAWN)
    assert caught.value.code == "game_full"
    assert Game.parse(str(full)) == full
