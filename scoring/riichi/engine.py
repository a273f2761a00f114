"""The `mahjong` package behind one function: a complete hand in, its yaku, han and fu out.

Only here are tiles numbers: 0-135 as that package has them, the red five the first copy of its kind. It gives the
dearest way to read the hand but not which one that was; `lines.split_of` finds it again.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from scoring.hand import MeldKind
from scoring.tiles import PLAYING_TILES, Tile, check_copies

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.context import Context
    from scoring.hand import Hand, Meld
    from scoring.riichi.situation import Situation

_NUMBERS: Final = {tile: 4 * place + 1 for place, tile in enumerate(PLAYING_TILES)} | {
    Tile(tile.suit, 0): 4 * place for place, tile in enumerate(PLAYING_TILES) if tile.is_suited and tile.rank == 5
}
_MELD_TYPES: Final = {MeldKind.CHOW: "chi", MeldKind.PUNG: "pon", MeldKind.KONG: "kan"}
_EAST: Final = 27
_KEYS: Final = {
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
"""Names of the package's yaku that differ from ours."""
_FLAGS: Final = {
    "riichi": "is_riichi",
    "double_riichi": "is_daburu_riichi",
    "ippatsu": "is_ippatsu",
    "haitei": "is_haitei",
    "houtei": "is_houtei",
    "rinshan_kaihou": "is_rinshan",
    "chankan": "is_chankan",
    "tenhou": "is_tenhou",
    "chiihou": "is_chiihou",
    "renhou": "is_renhou",
}
_MOST_CONFIGURATIONS: Final = 4096


class _Configurations(threading.local):
    """Configurations by what is in them: building one takes as long as half a hand.

    One set a thread, because the package writes the number of dora into them.
    """

    def __init__(self) -> None:
        self.known: dict[object, Any] = {}


_CONFIGURATIONS: Final = _Configurations()


@dataclass(frozen=True, slots=True)
class Switches:
    """The options that the engine needs to know."""

    open_tanyao: bool
    red_fives: bool
    double_yakuman: bool
    kiriage: bool
    kazoe: str
    renhou: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a complete hand with a yaku has.

    Attributes:
        yaku: keys without prefix, with their han, in no particular order; dora last.
        han: their sum.
        fu: rounded.
        raw_fu: before rounding.
        yakuman: whether the yaku are yakuman.
    """

    yaku: tuple[tuple[str, int], ...]
    han: int
    fu: int
    raw_fu: int
    yakuman: bool


def estimate(hand: Hand, context: Context, situation: Situation, switches: Switches) -> Estimate | None:
    """The dearest reading of a complete hand; None if it has no yaku."""
    from mahjong.hand_calculating.hand import HandCalculator  # noqa: PLC0415  # heavy, loaded by riichi alone

    numbers = _NUMBERS
    dora = [numbers[tile] for tile in context.dora_indicators]
    ura = [numbers[tile] for tile in context.ura_dora_indicators]
    response: Any = HandCalculator.estimate_hand_value(
        [numbers[tile] for tile in hand.tiles],
        numbers[hand.winning_tile],  # type: ignore[index]  # the ruleset has asked for it
        melds=[_meld(meld) for meld in hand.melds],
        dora_indicators=dora,
        config=_configuration(situation, switches),
        ura_dora_indicators=ura,
    )
    if response.error is not None:
        return None
    names = _names()
    closed = situation.closed
    yaku = tuple(
        [
            (names[yaku.yaku_id], yaku.han_closed if closed or not yaku.han_open else yaku.han_open)
            for yaku in response.yaku
        ]
    )
    return Estimate(
        yaku,
        response.han,
        response.fu,
        sum([detail["fu"] for detail in response.fu_details or ()]),
        response.yaku[0].is_yakuman,
    )


def dora_of(hand: Hand, indicators: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """The tiles of the hand that those indicators make dora, each as often as it counts.

    >>> from scoring.hand import Hand
    >>> from scoring.tiles import parse_tiles
    >>> [str(tile) for tile in dora_of(Hand.parse("1m50p4z"), parse_tiles("9m4p4p3z"))]
    ['1m', '5p', '0p', '5p', '0p', '4z']
    """
    return tuple(tile for shown in indicators for tile in hand.tiles if tile.plain == _FOLLOWING[shown.plain])


def check_set(hand: Hand, context: Context) -> None:
    """Raise HandError if hand and indicators together hold more copies of a tile than a set does."""
    if context.dora_indicators:
        check_copies((*hand.tiles, *context.dora_indicators, *context.ura_dora_indicators))


def _following() -> Mapping[Tile, Tile]:
    cycles = [[tile for tile in PLAYING_TILES if tile.suit == suit] for suit in "mps"]
    cycles += [[tile for tile in PLAYING_TILES if tile.is_wind], [tile for tile in PLAYING_TILES if tile.is_dragon]]
    return {tile: cycle[(place + 1) % len(cycle)] for cycle in cycles for place, tile in enumerate(cycle)}


_FOLLOWING: Final = _following()
"""Indicator to dora: 9 to 1, East South West North East, white green red white."""


@lru_cache(maxsize=1024)
def _meld(meld: Meld) -> Any:
    from mahjong.meld import Meld as EngineMeld  # noqa: PLC0415

    return EngineMeld(_MELD_TYPES[meld.kind], [_NUMBERS[tile] for tile in meld.tiles], not meld.concealed)


@lru_cache(maxsize=1)
def _names() -> Mapping[int, str]:
    from mahjong.hand_calculating.yaku_config import YakuConfig  # noqa: PLC0415

    return {yaku.yaku_id: _KEYS.get(name, name) for name, yaku in vars(YakuConfig()).items()}


def _configuration(situation: Situation, switches: Switches) -> Any:
    key = (situation.yaku, situation.self_drawn, situation.seat, situation.round, switches)
    known = _CONFIGURATIONS.known
    found = known.get(key)
    if found is None:
        if len(known) >= _MOST_CONFIGURATIONS:
            known.clear()
        found = known[key] = _new_configuration(situation, switches)
    return found


def _new_configuration(situation: Situation, switches: Switches) -> Any:
    from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules  # noqa: PLC0415

    options = OptionalRules(
        has_open_tanyao=switches.open_tanyao,
        has_aka_dora=switches.red_fives,
        has_double_yakuman=switches.double_yakuman,
        kiriage=switches.kiriage,
        kazoe_limit=HandConfig.KAZOE_SANBAIMAN if switches.kazoe == "sanbaiman" else HandConfig.KAZOE_LIMITED,
        renhou_as_yakuman=switches.renhou == "yakuman",
        limit_to_sextuple_yakuman=False,
    )
    return HandConfig(
        is_tsumo=situation.self_drawn,
        player_wind=_EAST + situation.seat.number - 1,
        round_wind=_EAST + situation.round.number - 1,
        options=options,
        **{_FLAGS[key]: True for key in situation.yaku},
    )
