"""Random riichi hands of four and of three players, compared with the package `mahjong`."""

import os
from typing import Any

import pytest

from tests.campaigns.riichi_oracle import KINDS, Tally, difference, random_given
from tilescore.scoring.riichi.situation import situation_of
from tilescore.scoring.riichi.view import View, views_of
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import Score

RANDOM_HANDS = 20_000 if os.environ.get("TILESCORE_LONG") == "1" else 1_500
pytestmark = [pytest.mark.random, pytest.mark.uncounted]


def test_the_package_counts_the_same() -> None:
    """Yaku, dora, han, fu and price are equal but for the known kinds of differences."""
    tally = Tally()
    for number in range(RANDOM_HANDS):
        tally.add(str(number), random_given(number))
    assert not tally.unexplained, tally.differences
    assert len(tally.lines) > 40
    assert sum(map(len, tally.differences.values())) < RANDOM_HANDS // 20


@pytest.mark.parametrize(
    "theirs",
    [
        {"yaku": {"riichi": 1}, "han": 1, "fu": 30, "total": 1000},
        {"yaku": {"riichi": 1, "dora": 1}, "han": 2, "fu": 40, "total": 2600},
        {"error": "hand_not_winning"},
        {},
    ],
)
def test_a_difference_has_a_kind(theirs: dict[str, Any]) -> None:
    """The comparison notices another line, another fu and a hand that only one side counts."""
    ours = {"yaku": {"riichi": 1, "dora": 1}, "han": 2, "fu": 30, "total": 2000}
    assert not difference(ours, ours, three_players=False)
    assert difference(ours, theirs, three_players=False) not in {"", *KINDS}


def test_sums() -> None:
    """Lines sum to han and fu, payments to the deposits, groups have all tiles; three players have numbered lines."""
    won = 0
    for number in range(RANDOM_HANDS):
        hand, context, options, three_players = random_given(number)
        result = ruleset("riichi3" if three_players else "riichi", options).score(hand, context)
        if not isinstance(result, Score):
            assert result.code == "no_yaku"
            continue
        won += 1
        fu = sum(line.value for line in result.fu_lines)
        assert result.fu in ((0,) if not result.fu_lines else (fu if fu == 25 else -(-fu // 10) * 10,))
        assert sum(line.value * line.count for line in result.lines) == result.han
        assert sum(result.payments.by_seat) == 1000 * context.riichi_deposits  # type: ignore[union-attr]
        assert sorted(tile for group in result.groups for tile in group) == sorted(hand.tiles)
        if three_players:
            assert [line.number for line in result.lines] == sorted(line.number or 0 for line in result.lines)
    assert won > RANDOM_HANDS // 2


def test_the_place_of_the_pair_changes_no_view() -> None:
    """The same splits are found, each once, whether the pair comes last or lies among the sets of its suit."""
    for number in range(RANDOM_HANDS // 3):
        hand, context, options, three_players = random_given(number)
        counting = ruleset("riichi3" if three_players else "riichi", options).counting  # type: ignore[attr-defined]
        situation = situation_of(hand, context, counting)
        among, last = (views_of(hand, situation, pair_last=pair_last) for pair_last in (False, True))
        assert len(among) == len(last)
        assert set(map(frozen, among)) == set(map(frozen, last))


def frozen(view: View) -> tuple[object, ...]:
    """A view as a value without the order of its groups."""
    ended = None if view.ended is None else view.groups[view.ended]
    return view.shape, ended, *sorted(view.groups)
