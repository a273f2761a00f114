"""What rulesets state beside scores: who may be liable, whose readiness matters, sticks, fouls, values offered."""

from contextlib import nullcontext
from typing import Any

import pytest

from tilescore.errors import InputError
from tilescore.scoring.context import Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import RULESETS, ruleset
from tilescore.scoring.traits import KnownValue, KnownWin

DRAGONS = "11m22p1z (555z) (666z) (777z) +1z"
KONGS = "9m (1111p) (2222p) (3333p) [4444p] +9m"
NINE = "77z (123m) (456m) (789m) 55m +5m"
FED = [
    # why, ruleset, options, hand, whether another player may have to pay for it
    ("three sets of dragons", "riichi", {}, DRAGONS, True),
    ("four kongs where nobody fed them", "riichi", {}, KONGS, False),
    ("four kongs where the table says so", "riichi", {"liability_four_kongs": True}, KONGS, True),
    ("sets without dragons", "riichi3", {}, "99s (111p) (222p) 345p1z +1z", False),
    ("three claimed sets", "hongkong", {}, NINE, True),
    ("two claimed sets", "taiwan", {}, "77z (123m) (456m) 789m 55m +5m", False),
    ("nobody pays for another", "mcr", {}, DRAGONS, False),
]


@pytest.mark.parametrize("row", FED, ids=lambda row: row[0])
def test_who_may_be_liable(row: tuple[str, str, dict[str, Any], str, bool]) -> None:
    _, name, options, hand, fed = row
    assert ruleset(name, options).may_be_fed(Hand.parse(hand)) is fed


def test_a_declared_ready_hand_matters_where_it_excuses_a_penalty() -> None:
    assert ruleset("classical").asks_ready(Hand.parse(NINE))
    assert not ruleset("classical").asks_ready(Hand.parse(DRAGONS))
    assert not ruleset("simplified").asks_ready(Hand.parse(NINE))
    assert not ruleset("mcr").asks_ready(Hand.parse(NINE))


def test_a_flower_is_replaced_like_a_kong_where_the_line_says_so() -> None:
    """S-HKG-14, S-TWN-14: the games in which a win after a flower counts."""
    assert [name for name in RULESETS if ruleset(name).traits.bonus_replaced] == ["classical", "simplified", "taiwan"]
    assert not ruleset("taiwan", {"flowers": False}).traits.bonus_replaced


def test_no_hand_of_other_games_says_anything_of_sticks() -> None:
    deal = Deal(hands={}, draw="exhausted")
    assert ruleset("mcr").sticks_of(deal, (Seat.EAST,)) == (Seat.EAST,)


def test_a_foul_of_a_deal_is_of_one_kind() -> None:
    fouls = ruleset("mcr").traits.fouls
    names = ("false_mahjong", "late_claim_3", "tile_exposed_of_S_20", "false_mahjong_below_minimum")
    assert [[foul.kind for foul in fouls if foul.is_of(name)] for name in names] == [
        ["false_mahjong"], ["late_claim"], ["tile_exposed"], ["false_mahjong_below_minimum"],
    ]  # fmt: skip


@pytest.mark.parametrize("name", RULESETS)
def test_every_offered_value_can_be_booked(name: str) -> None:
    """A table of values holds none that the ruleset refuses."""
    traits = ruleset(name).traits
    assert traits.common
    if not traits.with_fu:
        assert traits.common[0] == traits.least
        assert traits.most is None or traits.common[-1] <= traits.most


@pytest.mark.parametrize("limit", [10, 300, 500, 3000])
@pytest.mark.parametrize("name", ["classical", "simplified"])
def test_the_highest_value_of_a_grid_is_the_limit(name: str, limit: int) -> None:
    rules = ruleset(name, {"limit": limit})
    assert rules.traits.common[-1] == limit
    for points in rules.traits.common:
        assert rules.payments_of(KnownWin(winner=Seat.EAST, value=KnownValue(points=points)))


BY_FLOWERS: list[tuple[str, dict[str, Any], int, dict[str, Any], bool]] = [
    # ruleset, options, faan or tai below the minimum, how they are won, whether flowers win with them
    ("hongkong", {"minimum": 4}, 3, {}, True),
    ("hongkong", {"minimum": 4}, 2, {}, False),
    ("hongkong", {"minimum": 4}, 3, {"discarder": Seat.WEST}, False),
    ("hongkong", {"minimum": 5, "flower_win_drawn": True}, 4, {}, True),
    ("hongkong", {"minimum": 4, "flowers": False}, 3, {}, False),
    ("taiwan", {"minimum": 10}, 8, {}, True),
    ("taiwan", {"minimum": 10}, 8, {"discarder": Seat.WEST}, True),
    ("taiwan", {"minimum": 10}, 9, {}, False),
    ("taiwan", {"minimum": 10}, 9, {"winner": Seat.EAST}, True),
]


@pytest.mark.parametrize("row", BY_FLOWERS, ids=str)
def test_a_win_by_flowers_needs_no_minimum(row: tuple[str, dict[str, Any], int, dict[str, Any], bool]) -> None:
    """S-HKG-2, S-TWN-1: known by its value alone, it is one of those that the table plays."""
    name, options, points, won, wins = row
    rules = ruleset(name, options)
    win = KnownWin(**{"winner": Seat.SOUTH, "value": KnownValue(points=points), **won})
    with nullcontext() if wins else pytest.raises(InputError):
        assert rules.payments_of(win)
    if wins and not won:
        assert points in rules.traits.common
