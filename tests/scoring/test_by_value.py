"""Payments of wins of which only the value is known: the same as with the tiles."""

from __future__ import annotations

from typing import Any

import pytest

from tilescore.base.errors import ContextError
from tilescore.scoring.context import SEATS, Seat
from tilescore.scoring.game.by_value import KnownValue, payments_of_values
from tilescore.scoring.ruleset import ruleset

E, S, W, N = SEATS

Row = tuple[str, str, dict[str, Any], dict[Seat, KnownValue], Seat | None, dict[str, Any], tuple[int, ...]]

CASES: list[Row] = [
    # why, ruleset, options, winners, discarder, more, payments
    ("self-draw", "mcr", {}, {S: KnownValue(points=20)}, None, {}, (-28, 84, -28, -28)),
    ("discard", "mcr", {}, {S: KnownValue(points=20)}, W, {}, (-8, 44, -28, -8)),
    ("dealer", "riichi", {}, {E: KnownValue(han=4, fu=40)}, None, {}, (12000, -4000, -4000, -4000)),
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


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mcr", KnownValue(points=7)),
        ("riichi", KnownValue()),
        ("riichi", KnownValue(han=2, fu=33)),
        ("hongkong", KnownValue(points=2)),
        ("taiwan", KnownValue(points=-1)),
    ],
)
def test_a_value_that_no_winning_hand_has(name: str, value: KnownValue) -> None:
    with pytest.raises(ContextError):
        payments_of_values(ruleset(name), {Seat.SOUTH: value}, None)
