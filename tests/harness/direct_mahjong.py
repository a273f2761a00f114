"""Call the `mahjong` package directly, as its user would: the oracle of riichi, and the baseline of its speed.

`arguments` builds the arguments from a hand; `call` is the bare call. One figure times both, the other only `call`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.hand_calculating.yaku_config import YakuConfig
from mahjong.meld import Meld

from tilescore.scoring.context import Context, Occasion, Seat
from tilescore.scoring.hand import Hand, MeldKind
from tilescore.scoring.tiles import PLAYING_TILES, RED_FIVES, Tile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_KINDS = {MeldKind.CHOW: Meld.CHI, MeldKind.PUNG: Meld.PON, MeldKind.KONG: Meld.KAN}
_FIRST = {tile: 4 * place for place, tile in enumerate(PLAYING_TILES)} | {
    tile: 4 * PLAYING_TILES.index(tile.plain) for tile in RED_FIVES
}
_OUR_KEYS = {
    "tsumo": "menzen_tsumo",
    "rinshan": "rinshan_kaihou",
    "daburu_riichi": "double_riichi",
    "iipeiko": "iipeikou",
    "sanshoku": "sanshoku_doujun",
    "sanshoku_douko": "sanshoku_doukou",
    "chantai": "chanta",
    "honroto": "honroutou",
    "shosangen": "shousangen",
    "ryanpeiko": "ryanpeikou",
    "kokushi": "kokushi_musou",
    "daburu_kokushi": "kokushi_musou",
    "suuankou_tanki": "suuankou",
    "daburu_chuuren_poutou": "chuuren_poutou",
    "shosuushi": "shousuushii",
    "daisuushi": "daisuushii",
    "ryuisou": "ryuuiisou",
    "tsuisou": "tsuuiisou",
    "chinroto": "chinroutou",
    "renhou_yakuman": "renhou",
    "aka_dora": "akadora",
    "ura_dora": "uradora",
    **{
        f"{kind}_wind_{wind}": f"{kind}_wind"
        for kind in ("seat", "round")
        for wind in ("east", "south", "west", "north")
    },
}
"""Yaku that have another name in the package, with the key that they have here."""

Arguments = tuple[list[int], int, list[Meld], list[int], HandConfig, list[int]]


def numbers(tiles: Sequence[Tile]) -> list[int]:
    """Numbers 0-135 of the `mahjong` package, in which the first of a kind is the red five."""
    used: dict[Tile, int] = {}
    found = []
    for tile in tiles:
        first = _FIRST[tile]
        if tile.is_red:
            found.append(first)
        else:
            copy = used.get(tile, 1)
            used[tile] = copy + 1
            found.append(first + min(copy, 3))  # four plain fives: no number is left for the fourth
    return found


def arguments(hand: Hand, context: Context, config: HandConfig | None = None) -> Arguments:
    """The arguments of the package for that hand; without a configuration that of the hand under the usual options."""
    tiles = numbers(hand.tiles)
    place, melds = len(hand.concealed), []
    for meld in hand.melds:
        size = len(meld.tiles)
        melds.append(Meld(_KINDS[meld.kind], tiles[place : place + size], not meld.concealed))
        place += size
    if config is None:
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


def whole_config(hand: Hand, context: Context, options: Mapping[str, Any], *, three_players: bool) -> HandConfig:
    """The configuration of all circumstances and options that the package knows; honba and sticks are left out."""
    drawn, given = context.self_drawn, context.occasions
    first, dealer = Occasion.FIRST_TURN in given and not hand.melds and not hand.bonus, context.seat is Seat.EAST
    rinshan, last = bool(given & (Occasion.KONG_REPLACEMENT | Occasion.KITA_REPLACEMENT)), Occasion.LAST_TILE in given
    chosen = {"open_tanyao": True, "red_fives": True, "renhou": "none" if three_players else "five_han", **options}
    return HandConfig(
        is_tsumo=drawn,
        is_riichi=Occasion.RIICHI in given,
        is_daburu_riichi=Occasion.DOUBLE_RIICHI in given,
        is_ippatsu=Occasion.IPPATSU in given and not rinshan,
        is_rinshan=rinshan,
        is_chankan=Occasion.ROBBING_KONG in given,
        is_haitei=last and drawn and not rinshan,
        is_houtei=last and not drawn,
        is_tenhou=first and drawn and dealer,
        is_chiihou=first and drawn and not dealer,
        is_renhou=first and not drawn and not dealer and chosen["renhou"] != "none",
        player_wind=26 + context.seat.number,
        round_wind=26 + context.round.number,
        num_nuki_dora=len(hand.bonus),
        options=OptionalRules(
            has_open_tanyao=chosen["open_tanyao"],
            has_aka_dora=chosen["red_fives"],
            has_double_yakuman=chosen.get("double_yakuman", False),
            kiriage=chosen.get("kiriage", False),
            kazoe_limit=HandConfig.KAZOE_SANBAIMAN if chosen.get("kazoe") == "sanbaiman" else HandConfig.KAZOE_LIMITED,
            renhou_as_yakuman=chosen["renhou"] == "yakuman",
            limit_to_sextuple_yakuman=False,
            is_three_player=three_players,
        ),
    )


def call(ready: Arguments) -> Any:
    """The result of the package."""
    tiles, won, melds, dora, config, ura = ready
    return HandCalculator.estimate_hand_value(tiles, won, melds, dora, config, ura_dora_indicators=ura)


def yaku_of(answer: Any) -> dict[str, int]:
    """The han of each yaku and dora of a result, by our keys."""
    keys = _keys()
    return {
        keys[yaku.yaku_id]: yaku.han_open if answer.is_open_hand and yaku.han_open else yaku.han_closed
        for yaku in answer.yaku
    }


@cache
def _keys() -> Mapping[int, str]:
    return {yaku.yaku_id: _OUR_KEYS.get(name, name) for name, yaku in vars(YakuConfig()).items()}
