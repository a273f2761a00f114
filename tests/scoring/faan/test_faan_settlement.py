"""Payments of Hong Kong and Taiwan: wins, liability, draws and fouls, and what a deal must say."""

import json
from typing import Any

import pytest

from tests.scoring.faan.faan_deal import circumstances
from tilescore.errors import InputError, OptionError
from tilescore.scoring.context import Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.faan.hongkong import Hongkong
from tilescore.scoring.faan.rules import SummedRules
from tilescore.scoring.game.stream import settle_lines
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import ruleset

CHOWS = {"concealed": "123m456m789p234s55p", "winning_tile": "5p", "bonus": "1f"}
THREE = {
    "concealed": "222m77p",
    "melds": [{"kind": "pung", "tiles": tiles} for tiles in ("555s", "888m", "333p")],
    "winning_tile": "2m",
    "bonus": "1f",
}
"""3 faan on a discard, 4 by a draw."""
FOUR = {
    "concealed": "22m",
    "melds": [{"kind": "pung", "tiles": tiles} for tiles in ("666s", "888p", "444p", "777m")],
    "winning_tile": "2m",
    "bonus": "4f",
}
"""4 faan on a discard for North."""
PLAIN = {
    "concealed": "234p678p345s99s",
    "melds": [{"kind": "chow", "tiles": "123m"}, {"kind": "pung", "tiles": "777s"}],
    "winning_tile": "5s",
    "bonus": "1f",
}
"""0 tai on a discard, 1 by a draw."""
ONE = {**PLAIN, "melds": [{"kind": "chow", "tiles": "123m"}, {"kind": "pung", "tiles": "888m"}], "bonus": "4f"}
"""1 tai on a discard for North."""


def settle(name: str, deal: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(next(settle_lines(name, [json.dumps(deal)])))
    return answer


S = {"winner": "S", "hands": {"S": THREE}}
T = {"winner": "S", "hands": {"S": PLAIN}}
TWO = {"winners": ["S", "N"], "discarder": "W"}
HALF = {"responsibility": "half"}

# Purpose, ruleset, deal, payments of E S W N, reasons of the steps.
CASES: tuple[tuple[str, str, dict[str, Any], list[int], set[str]], ...] = (
    ("a discard", "hongkong", {**S, "discarder": "W"}, [0, 32, -32, 0], {"discard"}),
    ("a discard that all pay", "hongkong", {**S, "discarder": "W", "options": HALF}, [-8, 32, -16, -8],
     {"discard", "bystander"}),
    ("a draw", "hongkong", S, [-32, 96, -32, -32], {"self_draw"}),
    ("a draw, half responsibility", "hongkong", {**S, "options": HALF}, [-32, 96, -32, -32], {"self_draw"}),
    ("a unit of 3", "hongkong", {**S, "discarder": "W", "options": {"unit": 3}}, [0, 96, -96, 0], {"discard"}),
    ("liable for a draw", "hongkong", {**S, "liable": {"S": "N"}}, [0, 96, 0, -96], {"liable"}),
    ("liable for another's discard", "hongkong", {**S, "discarder": "W", "liable": {"S": "N"}}, [0, 32, 0, -32],
     {"liable"}),
    ("liable for the own discard, half responsibility", "hongkong",
     {**S, "discarder": "W", "liable": {"S": "W"}, "options": HALF}, [0, 32, -32, 0], {"liable"}),
    ("liable for another hand", "hongkong", {**S, "discarder": "W", "liable": {"N": "E"}}, [0, 32, -32, 0],
     {"discard"}),
    ("two winners", "hongkong", {**TWO, "hands": {"S": THREE, "N": FOUR}}, [0, 32, -96, 64],
     {"discard"}),
    ("a draw of nobody", "hongkong", {"draw": {"kind": "exhausted", "ready": ["E"]}}, [0, 0, 0, 0], set()),
    ("a false mah-jong", "hongkong", {"foul": {"by": "W", "kind": "false_mahjong"}}, [256, 256, -768, 256],
     {"false_mahjong"}),
    ("a false mah-jong, full spicy", "hongkong",
     {"foul": {"by": "W", "kind": "false_mahjong"}, "options": {"spicy": "full", "limit": 8, "unit": 2}},
     [1024, 1024, -3072, 1024], {"false_mahjong"}),
    ("a discard", "taiwan", {**T, "discarder": "W"}, [0, 30, -30, 0], {"discard"}),
    ("a discard of the dealer", "taiwan", {**T, "discarder": "E"}, [-40, 40, 0, 0], {"discard"}),
    ("a draw", "taiwan", T, [-50, 130, -40, -40], {"self_draw", "dealer"}),
    ("repeats told by the hand", "taiwan", {"winner": "S", "hands": {"S": {**PLAIN, "dealer_repeats": 2}}},
     [-90, 170, -40, -40], {"self_draw", "dealer"}),
    ("the dealer told by another hand", "taiwan",
     {"winner": "S", "hands": {"S": PLAIN, "W": {"concealed": "147m258p369s1234567z", "dealer": "N"}}},
     [-40, 130, -40, -50], {"self_draw", "dealer"}),
    ("two winners", "taiwan", {**TWO, "hands": {"S": PLAIN, "N": ONE}}, [0, 30, -70, 40], {"discard"}),
    ("liable for a draw", "taiwan", {**T, "liable": {"S": "W"}}, [0, 130, -130, 0], {"liable"}),
    ("liable for the dealer's discard", "taiwan", {**T, "discarder": "E", "liable": {"S": "W"}}, [0, 40, -40, 0],
     {"liable"}),
    ("a draw of nobody", "taiwan", {"draw": {"kind": "exhausted"}}, [0, 0, 0, 0], set()),
    ("a false win", "taiwan", {"foul": {"by": "W", "kind": "false_mahjong"}}, [80, 80, -240, 80], {"false_mahjong"}),
    ("a false win, other stakes", "taiwan",
     {"foul": {"by": "E", "kind": "false_mahjong"}, "options": {"base": 100, "unit": 20}}, [-600, 200, 200, 200],
     {"false_mahjong"}),
)  # fmt: skip


@pytest.mark.parametrize(
    ("why", "name", "deal", "paid", "reasons"), CASES, ids=[f"{name}: {why}" for why, name, *_ in CASES]
)
def test_payments(*, why: str, name: str, deal: dict[str, Any], paid: list[int], reasons: set[str]) -> None:
    answer = settle(name, deal)
    assert list(answer["payments"].values()) == paid, why
    assert {step["why"] for step in answer["steps"]} == reasons
    assert sum(paid) == 0


# Purpose, ruleset, deal, code.
REFUSED: tuple[tuple[str, str, dict[str, Any], str], ...] = (
    ("below the minimum", "hongkong", {**S, "discarder": "W", "hands": {"S": CHOWS}}, "below_minimum"),
    ("no win", "taiwan", {**T, "hands": {"S": THREE}}, "not_a_win"),
    ("another foul", "hongkong", {"foul": {"by": "W", "kind": "wrong_meld"}}, "unknown_foul"),
    ("another foul", "taiwan", {"foul": {"by": "W", "kind": "wrong_meld"}}, "unknown_foul"),
    ("another draw", "taiwan", {"draw": {"kind": "four_winds"}}, "unknown_draw"),
    ("liable for the own hand", "hongkong", {**S, "liable": {"S": "S"}}, "nobody_liable"),
    ("two dealers", "taiwan", {**TWO, "hands": {"S": {**PLAIN, "dealer": "W"}, "N": {**PLAIN, "dealer": "N"}}},
     "hands_disagree"),
    ("two counts of repeats", "taiwan",
     {**TWO, "hands": {"S": {**PLAIN, "dealer_repeats": 1}, "N": {**PLAIN, "dealer_repeats": 2}}}, "hands_disagree"),
    ("no such repeats", "taiwan", {**T, "hands": {"S": {**PLAIN, "dealer_repeats": -1}}}, "counter_out_of_range"),
    ("a loser of 17 tiles", "taiwan", {**T, "hands": {"S": PLAIN, "W": PLAIN}}, "losing_hand_complete"),
    ("no such dealer", "taiwan", {**T, "hands": {"S": {**PLAIN, "dealer": "X"}}}, "unknown_seat"),
)  # fmt: skip


@pytest.mark.parametrize(("why", "name", "deal", "code"), REFUSED, ids=[f"{name}: {why}" for why, name, *_ in REFUSED])
def test_what_a_deal_may_not_say(why: str, name: str, deal: dict[str, Any], code: str) -> None:
    assert settle(name, deal)["error"]["code"] == code, why


@pytest.mark.parametrize("name", ["hongkong", "taiwan"])
def test_a_deal_names_the_hand_and_the_discarder_of_its_winner(name: str) -> None:
    with pytest.raises(InputError) as raised:
        ruleset(name).settle(Deal(winner=Seat.SOUTH, hands={}))
    assert raised.value.code == "winner_hand_missing"
    text = "222m77p (555s) (888m) (333p) +2m" if name == "hongkong" else "234p678p345s99s (123m) (777s) +5s"
    thrown = Hand.parse(text), circumstances("by=-")
    with pytest.raises(InputError) as raised:
        ruleset(name).settle(Deal(winner=Seat.SOUTH, hands={Seat.SOUTH: thrown}))
    assert raised.value.code == "discarder_needed"


def test_all_hands_of_a_deal_come_from_one_set() -> None:
    hands = {"S": THREE, "N": {**THREE, "bonus": "4f"}}
    for name in ("hongkong", "taiwan", "riichi"):
        assert settle(name, {**TWO, "hands": hands})["error"]["code"] == "too_many_copies"
    one = {"winner": "S", "discarder": "W"}
    beside, five = ({"concealed": text} for text in ("147m258p5s123456z", "147m258p555s1234z"))
    assert "payments" in settle("hongkong", {**one, "hands": {"S": THREE, "E": beside}})
    assert settle("hongkong", {**one, "hands": {"S": THREE, "E": five}})["error"]["code"] == "too_many_copies"


def test_the_common_part_alone_is_no_game() -> None:
    with pytest.raises(TypeError, match="abstract"):
        SummedRules()  # type: ignore[abstract]


HALF_SPICY = [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384]


def test_what_each_faan_pays() -> None:
    rules = Hongkong(limit=13), Hongkong(limit=13, spicy="full")
    half, full = ([one.multiplier(faan) for faan in range(14)] for one in rules)
    assert half == HALF_SPICY
    assert full == [2**faan for faan in range(14)]


# Ruleset, options, the option at fault (none where all are possible).
OPTIONS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("hongkong", {"minimum": 11}, "minimum"),
    ("hongkong", {"limit": 5}, "limit"),
    ("hongkong", {"spicy": "mild"}, "spicy"),
    ("hongkong", {"responsibility": "none"}, "responsibility"),
    ("hongkong", {"unit": 0}, "unit"),
    ("hongkong", {"unit": 10**9 + 1}, "unit"),
    ("hongkong", {"seven_pairs": -1}, "seven_pairs"),
    ("hongkong", {"flowers": 1}, "flowers"),
    ("hongkong", {"minimum": 0, "limit": 8, "seven_pairs": 0, "unit": 10**9}, ""),
    ("taiwan", {"base": -1}, "base"),
    ("taiwan", {"unit": 0}, "unit"),
    ("taiwan", {"heavenly": 8}, "heavenly"),
    ("taiwan", {"limit": -1}, "limit"),
    ("taiwan", {"heavenly": 32, "base": 0, "limit": 0}, ""),
)


@pytest.mark.parametrize(("name", "options", "culprit"), OPTIONS)
def test_values_of_options(name: str, options: dict[str, Any], culprit: str) -> None:
    if not culprit:
        assert ruleset(name, options).name == name
        return
    with pytest.raises(OptionError, match=f"'{culprit}' of {name} must (be|lie) ") as raised:
        ruleset(name, options)
    assert raised.value.code == "bad_option_value"
