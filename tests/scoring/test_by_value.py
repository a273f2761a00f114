"""Payments of wins of which only the value is known: the same as with the tiles."""

import random
from typing import Any

import pytest

from tests.harness.riichi_hands import random_win
from tests.scoring.known_values import payments_of_values
from tilescore.errors import ContextError
from tilescore.scoring.context import SEATS, Context, Occasion, Seat, WinBy
from tilescore.scoring.han.han_fu import fu_of
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import Score
from tilescore.scoring.traits import KnownValue

E, S, W, N = SEATS

Row = tuple[str, str, dict[str, Any], dict[Seat, KnownValue], Seat | None, dict[str, Any], tuple[int, ...]]

CASES: list[Row] = [
    # why, ruleset, options, winners, discarder, more, payments
    ("self-draw", "mcr", {}, {S: KnownValue(points=20)}, None, {}, (-28, 84, -28, -28)),
    ("discard", "mcr", {}, {S: KnownValue(points=20)}, W, {}, (-8, 44, -28, -8)),
    ("dealer", "riichi", {}, {E: KnownValue(han=4, fu=40)}, None, {}, (12000, -4000, -4000, -4000)),
    ("two yakuman", "riichi", {}, {E: KnownValue(han=26)}, None, {}, (96000, -32000, -32000, -32000)),
    ("two yakuman, where one is the most", "riichi", {"profile": "ema"}, {S: KnownValue(han=26)}, W, {},
     (0, 32000, -32000, 0)),
    ("more yakuman than a hand has", "riichi", {}, {S: KnownValue(han=13 * 70)}, W, {}, (0, 32000, -32000, 0)),
    ("a yakuman, where counted ones are none", "riichi", {"kazoe": "sanbaiman"}, {S: KnownValue(han=13)}, W, {},
     (0, 32000, -32000, 0)),
    ("a house whose mah-jong is worth 10", "classical", {"house": "mah_jong,10"}, {S: KnownValue(points=14)}, W, {},
     (-28, 56, -14, -14)),
    ("honba", "riichi", {}, {S: KnownValue(han=1, fu=30)}, E, {"honba": 2}, (-1600, 1600, 0, 0)),
    ("two rons, one honba", "riichi", {}, {E: KnownValue(han=1), S: KnownValue(han=1)}, N, {"honba": 1},
     (1800, 1000, 0, -2800)),
    ("kiriage", "riichi", {"kiriage": True}, {S: KnownValue(han=4, fu=30)}, W, {}, (0, 8000, -8000, 0)),
    ("losers settle", "classical", {}, {S: KnownValue(points=20)}, W, {"losers": {E: 4, N: 10}},
     (-44, 80, -38, 2)),
    ("one pays for all", "classical", {}, {S: KnownValue(points=20)}, W, {"pays_for_all": True}, (0, 80, -80, 0)),
    ("losers do not settle", "simplified", {"losers_settle": False}, {S: KnownValue(points=20)}, W, {},
     (-40, 80, -20, -20)),
    ("faan", "hongkong", {}, {S: KnownValue(points=3)}, W, {}, (0, 32, -32, 0)),
    ("faan above the limit", "hongkong", {}, {S: KnownValue(points=13)}, None, {}, (-256, 768, -256, -256)),
    ("faan of two winners", "hongkong", {}, {S: KnownValue(points=3), N: KnownValue(points=8)}, W, {},
     (0, 32, -288, 256)),
    ("tai", "taiwan", {}, {S: KnownValue(points=1)}, None, {"repeats": 1}, (-70, 150, -40, -40)),
    ("no tai", "taiwan", {}, {S: KnownValue()}, W, {}, (0, 30, -30, 0)),
]  # fmt: skip


@pytest.mark.parametrize("row", CASES, ids=lambda row: row[0])
def test_payments(row: Row) -> None:
    why, name, options, winners, discarder, more, points = row
    payments = payments_of_values(ruleset(name, options), winners, discarder, **more)
    assert sum(payments.by_seat) == 0, why
    assert payments.by_seat == points, why


OF_NO_HAND: list[tuple[str, str, dict[str, Any], KnownValue, Seat | None, str]] = [
    # why, ruleset, options, value, discarder, code
    ("too few points", "mcr", {}, KnownValue(points=7), None, "below_minimum"),
    ("no han", "riichi", {}, KnownValue(), None, "no_such_value"),
    ("fu that are never counted", "riichi", {}, KnownValue(han=2, fu=33), None, "no_such_fu"),
    ("pinfu and self-draw are two", "riichi", {}, KnownValue(han=1, fu=20), None, "no_such_fu"),
    ("every discard brings fu", "riichi", {}, KnownValue(han=3, fu=20), W, "no_such_fu"),
    ("seven pairs are two", "riichi", {}, KnownValue(han=1, fu=25), W, "no_such_fu"),
    ("seven pairs and self-draw are three", "riichi3", {}, KnownValue(han=2, fu=25), None, "no_such_fu"),
    ("sets so dear bring yaku", "riichi", {}, KnownValue(han=1, fu=110), None, "no_such_fu"),
    ("the pair alone makes 110", "riichi", {"double_wind_fu": 2}, KnownValue(han=1, fu=110), W, "no_such_fu"),
    ("dearer sets bring more", "riichi", {}, KnownValue(han=3, fu=120), W, "no_such_fu"),
    ("too few faan", "hongkong", {}, KnownValue(points=2), W, "below_minimum"),
    ("less than nothing", "taiwan", {}, KnownValue(points=-1), W, "below_minimum"),
    ("less than mah-jong", "classical", {}, KnownValue(points=18), W, "no_such_points"),
    ("more than the limit", "simplified", {}, KnownValue(points=502), W, "no_such_points"),
]


@pytest.mark.parametrize("row", OF_NO_HAND, ids=lambda row: row[0])
def test_a_value_that_no_winning_hand_has(row: Any) -> None:
    _, name, options, value, discarder, code = row
    with pytest.raises(ContextError) as raised:
        payments_of_values(ruleset(name, options), {Seat.SOUTH: value}, discarder)
    assert raised.value.code == code


@pytest.mark.parametrize("points", [-4, 2002])
def test_a_value_that_no_other_hand_has(points: int) -> None:
    with pytest.raises(ContextError, match=f"{points} points: a hand has 0 to 2000"):
        payments_of_values(ruleset("classical"), {S: KnownValue(points=20)}, W, losers={E: points})


def test_points_above_the_limit_where_it_cuts_limit_hands_alone() -> None:
    rules = ruleset("simplified", {"cap_ordinary": False})
    assert payments_of_values(rules, {E: KnownValue(points=640)}, W).by_seat == (3840, -1280, -1280, -1280)


# Hand, circumstances, han and fu: the dearest sets with as few han as they can have, and the cheapest hands.
EXTREMES: list[tuple[str, str, int, int]] = [
    ("345678p345s678s99p +8s", "tsumo", 2, 20),
    ("1122m5577p2299s33z +3z", "", 2, 25),
    ("1122m5577p2299s33z +3z", "tsumo", 3, 25),
    ("345678p345s99p (678s) +5s", "last_tile", 1, 30),
    ("345567m11z [1111m] [9999p] +4m", "riichi", 1, 100),
    ("345m999s11z [1111m] [9999p] +9s", "riichi", 1, 110),
    ("345m11z [1111m] [9999p] (9999s) +4m", "tsumo", 2, 110),
    ("345m11z [1111m] [9999p] [1111s] +4m", "riichi", 5, 140),
]


@pytest.mark.parametrize(("text", "how", "han", "fu"), EXTREMES)
def test_hands_at_the_edge_of_what_can_be(text: str, how: str, han: int, fu: int) -> None:
    drawn, names = "tsumo" in how, tuple(name for name in how.split() if name != "tsumo")
    by = WinBy.SELF_DRAW if drawn else WinBy.DISCARD
    score = ruleset("riichi").score(Hand.parse(text), Context(win_by=by, occasions=Occasion.of(names)))
    assert isinstance(score, Score)
    assert (score.han, score.fu) == (han, fu)
    assert han >= 5 or fu in fu_of(han, self_drawn=drawn)


@pytest.mark.random
@pytest.mark.parametrize("name", ["riichi", "riichi3"])
def test_every_hand_has_a_value_that_can_be(name: str) -> None:
    dice, rules, met = random.Random(57), ruleset(name), 0
    while met < 400:
        hand, context = random_win(dice, three_players=name == "riichi3")
        score = rules.score(hand, context)
        if isinstance(score, Score) and score.fu and (score.han or 13) < 5:
            assert score.fu in fu_of(score.han or 0, self_drawn=context.self_drawn), (str(hand), score)
            met += 1
