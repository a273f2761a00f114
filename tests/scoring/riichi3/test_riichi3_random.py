"""Random hands of three players, compared with the unchanged package and its three-player mode."""

from __future__ import annotations

import os
from random import Random

import pytest

from tests.scoring.riichi3.three_players import random_hand
from tilescore.scoring.context import Occasion
from tilescore.scoring.hand import Hand
from tilescore.scoring.riichi import engine
from tilescore.scoring.riichi3.ruleset import Riichi3
from tilescore.scoring.score import Score

RANDOM_HANDS = 20_000 if os.environ.get("TILESCORE_LONG") == "1" else 1_500


@pytest.mark.random
@pytest.mark.no_cover
def test_unchanged_package() -> None:
    """The package finds the same han, fu and price; lines add up; the order of tiles says nothing."""
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
    from mahjong.meld import Meld as PackageMeld

    dice, rules, compared = Random(7), Riichi3(), 0
    for _ in range(RANDOM_HANDS):
        made = random_hand(dice)
        if made is None:
            continue
        hand, context = made
        numbers = [engine._NUMBERS[tile] for tile in hand.tiles]
        melds = [
            PackageMeld(
                engine._MELD_TYPES[meld.kind], [engine._NUMBERS[tile] for tile in meld.tiles], not meld.concealed
            )
            for meld in hand.melds
        ]
        config = HandConfig(
            is_tsumo=context.self_drawn,
            is_riichi=Occasion.RIICHI in context.occasions,
            player_wind=26 + context.seat.number,
            round_wind=26 + context.round.number,
            num_nuki_dora=len(hand.bonus),
            options=OptionalRules(
                has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=False, is_three_player=True
            ),
        )
        won = numbers[hand.concealed.index(hand.winning_tile)]
        dora = [engine._NUMBERS[tile] for tile in context.dora_indicators]
        ura = [engine._NUMBERS[tile] for tile in context.ura_dora_indicators]
        answer = HandCalculator.estimate_hand_value(numbers, won, melds, dora, config, ura_dora_indicators=ura)
        result = rules.score(hand, context)
        assert (answer.error is None) == isinstance(result, Score)
        if not isinstance(result, Score):
            continue
        compared += 1
        assert answer.cost is not None
        assert (result.han, result.fu, result.total) == (answer.han, answer.fu, answer.cost["total"])
        assert sum(line.value * line.count for line in result.lines) == result.han
        assert [line.number for line in result.lines] == sorted(line.number or 0 for line in result.lines)
        fu = sum(line.value for line in result.fu_lines)
        assert result.fu == (fu if fu == 25 else -(-fu // 10) * 10)
        assert sum(result.payments.by_seat) == 1000 * context.riichi_deposits  # type: ignore[union-attr]
        tiles = dice.sample(hand.concealed, len(hand.concealed))
        again = rules.score(Hand(tuple(tiles), hand.melds, hand.winning_tile, hand.bonus), context)
        assert (again.total, [line.key for line in again.lines]) == (result.total, [line.key for line in result.lines])
    assert compared > RANDOM_HANDS // 3
