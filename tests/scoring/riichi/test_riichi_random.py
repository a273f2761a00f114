"""Random riichi hands, compared with the splits of `decompose` and with the unchanged package."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from tilescore.scoring.context import SEATS, Context, Occasion, WinBy
from tilescore.scoring.hand import Hand, Meld
from tilescore.scoring.riichi import engine
from tilescore.scoring.riichi.engine import estimate
from tilescore.scoring.riichi.not_won import SHAPES
from tilescore.scoring.riichi.ruleset import Riichi
from tilescore.scoring.riichi.situation import situation_of
from tilescore.scoring.score import Score
from tilescore.scoring.shapes.decompose import decompositions
from tilescore.scoring.tiles import PLAYING_TILES, RED_FIVES, Tile

RANDOM_HANDS = 20_000 if os.environ.get("TILESCORE_LONG") == "1" else 1_500


def test_configurations_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache of configurations stays bounded in a stream of new circumstances."""
    monkeypatch.setattr(engine, "_MOST_CONFIGURATIONS", 2)
    engine._PACKAGE.configurations.clear()
    hand = Hand.parse("123m345678p99s567s +5s")
    for seat in SEATS:
        assert isinstance(Riichi().score(hand, Context(win_by=WinBy.SELF_DRAW, seat=seat)), Score)
        assert len(engine._PACKAGE.configurations) <= 2


def random_set(dice: random.Random) -> tuple[Tile, ...]:
    """Three alike or, more often, three in sequence; of few suits, so that hands have several splits."""
    tile = dice.choice(PLAYING_TILES)
    if tile.is_suited and tile.rank <= 7 and dice.random() < 0.65:
        suit = dice.choice("mm" + tile.suit)
        return tuple(Tile(suit, tile.rank + step) for step in range(3))
    return (tile,) * 3


def random_hand(dice: random.Random) -> tuple[Hand, Context] | None:
    """A complete hand with its circumstances; None if it needs more copies than a set has."""
    concealed, melds = [dice.choice(PLAYING_TILES)] * 2, []
    for _ in range(4):
        tiles = random_set(dice)
        draw = dice.random()
        if draw < 0.6:
            concealed += tiles
        elif draw < 0.75 and len(set(tiles)) == 1:
            melds.append(Meld.of((*tiles, tiles[0]), concealed=dice.random() < 0.6))
        else:
            melds.append(Meld.of(tiles))
    fives = [place for place, tile in enumerate(concealed) if tile.rank == 5 and tile.is_suited]
    for place in dice.sample(fives, k=min(len(fives), dice.randrange(3))):
        red = next(tile for tile in RED_FIVES if tile.suit == concealed[place].suit)
        concealed[place] = red
    everything = [tile.plain for tile in (*concealed, *(tile for meld in melds for tile in meld.tiles))]
    if max(map(everything.count, everything)) > 4:
        return None
    seat, drawn = dice.choice(SEATS), dice.random() < 0.5
    closed = all(meld.concealed for meld in melds)
    context = Context(
        win_by=WinBy.SELF_DRAW if drawn else WinBy.DISCARD,
        discarder=None if drawn else seat.after(dice.randint(1, 3)),
        seat=seat,
        round=dice.choice(SEATS),
        occasions=Occasion.RIICHI if closed and dice.random() < 0.5 else Occasion.of(()),
        honba=dice.randrange(4),
        riichi_deposits=dice.randrange(4),
    )
    return Hand(tuple(concealed), tuple(melds), dice.choice(concealed)), context


@pytest.mark.random
@pytest.mark.no_cover
def test_random_hands() -> None:
    """The splits of the engine are those of `decompose`; lines sum to fu and han; a permutation changes nothing."""
    dice, rules = random.Random(4), Riichi()
    counted = 0
    for _ in range(RANDOM_HANDS):
        made = random_hand(dice)
        if made is None:
            continue
        hand, context = made
        result = rules.score(hand, context)
        if not isinstance(result, Score):
            assert result.code == "no_yaku"
            continue
        counted += 1
        assert hand.winning_tile is not None
        found = estimate(hand, hand.winning_tile, context, situation_of(hand, context, rules.counting))
        splits = decompositions(hand, by_discard=context.win_by is WinBy.DISCARD, shapes=SHAPES)
        assert found is not None
        assert {frozen(split) for split in found.splits} == {frozen(split) for split in splits}
        assert len(found.splits) == len(splits)
        fu = sum(line.value for line in result.fu_lines)
        assert result.fu == (fu if fu == 25 else -(-fu // 10) * 10)
        assert sum(line.value for line in result.lines) == result.han
        assert sum(result.payments.by_seat) == 1000 * context.riichi_deposits  # type: ignore[union-attr]
        tiles = list(hand.concealed)
        dice.shuffle(tiles)
        again = rules.score(Hand(tuple(tiles), hand.melds, hand.winning_tile), context)
        assert again.total == result.total
        assert [line.key for line in again.lines] == [line.key for line in result.lines]
    assert counted > RANDOM_HANDS // 3


@pytest.mark.random
@pytest.mark.no_cover
def test_unchanged_package() -> None:
    """The package with its own divider finds the same han, fu and price."""
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
    from mahjong.meld import Meld as PackageMeld

    dice, rules, compared = random.Random(5), Riichi(), 0
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
            options=OptionalRules(has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=False),
        )
        won = numbers[hand.concealed.index(hand.winning_tile)]
        answer = HandCalculator.estimate_hand_value(numbers, won, melds, [], config)
        result = rules.score(hand, context)
        assert (answer.error is None) == isinstance(result, Score)
        if isinstance(result, Score):
            compared += 1
            assert answer.cost is not None
            assert (result.han, result.fu, result.total) == (answer.han, answer.fu, answer.cost["total"])
    assert compared > RANDOM_HANDS // 3


def frozen(split: Any) -> tuple[object, ...]:
    """A split as a value without the order of its groups and the places of red fives."""
    groups = [(str(group.kind), *(str(tile.plain) for tile in group.tiles), group.concealed) for group in split.groups]
    return (split.shape, groups[split.winning_group], *sorted(groups))
