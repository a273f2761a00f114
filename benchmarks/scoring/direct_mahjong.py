"""Call the `mahjong` package directly, as its user would: the baselines of the riichi figures.

`arguments` builds the arguments from a hand; `call` is the bare call. One figure times both, the other only `call`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld

from tilescore.scoring.context import Context, Occasion
from tilescore.scoring.hand import Hand, MeldKind
from tilescore.scoring.tiles import PLAYING_TILES, RED_FIVES, Tile

if TYPE_CHECKING:
    from collections.abc import Sequence

_KINDS = {MeldKind.CHOW: Meld.CHI, MeldKind.PUNG: Meld.PON, MeldKind.KONG: Meld.KAN}
_FIRST = {tile: 4 * place for place, tile in enumerate(PLAYING_TILES)} | {
    tile: 4 * PLAYING_TILES.index(tile.plain) for tile in RED_FIVES
}

Arguments = tuple[list[int], int, list[Meld], list[int], HandConfig, list[int]]


def numbers(tiles: Sequence[Tile]) -> list[int]:
    """Numbers 0-135 of the `mahjong` package: a different one for each copy, the first of a kind for the red five."""
    used: dict[Tile, int] = {}
    found = []
    for tile in tiles:
        first = _FIRST[tile]
        if tile.is_red:
            found.append(first)
        else:
            copy = used.get(tile, 1)
            used[tile] = copy + 1
            found.append(first + copy % 4)
    return found


def arguments(hand: Hand, context: Context) -> Arguments:
    """The arguments of the package for that hand."""
    tiles = numbers(hand.tiles)
    place, melds = len(hand.concealed), []
    for meld in hand.melds:
        size = len(meld.tiles)
        melds.append(Meld(_KINDS[meld.kind], tiles[place : place + size], not meld.concealed))
        place += size
    config = HandConfig(
        is_tsumo=context.self_drawn,
        is_riichi=Occasion.RIICHI in context.occasions,
        is_ippatsu=Occasion.IPPATSU in context.occasions,
        player_wind=26 + context.seat.number,
        round_wind=26 + context.round.number,
        kyoutaku_number=context.riichi_deposits,
        tsumi_number=context.honba,
        options=OptionalRules(has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=False),
    )
    won = tiles[hand.concealed.index(hand.winning_tile)] if hand.winning_tile else -1
    return tiles, won, melds, numbers(context.dora_indicators), config, numbers(context.ura_dora_indicators)


def call(ready: Arguments) -> Any:
    """The result of the package."""
    tiles, won, melds, dora, config, ura = ready
    return HandCalculator.estimate_hand_value(tiles, won, melds, dora, config, ura_dora_indicators=ura)
