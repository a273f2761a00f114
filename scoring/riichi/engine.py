"""The `mahjong` package behind one function: a complete hand in, its yaku, han and fu out.

Only here are tiles numbers: 0-135 as that package has them, the red five the first copy of its kind. It gives the
dearest way to read the hand but not which one that was: `splitting` hands it the ways there are, and
`lines.split_of` finds the one again. So no hand is split twice.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache, lru_cache
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

from scoring.context import WinBy
from scoring.decompose import declared
from scoring.errors import ContextError
from scoring.hand import MeldKind
from scoring.riichi.splitting import package_splits, readings_of, splits_of
from scoring.tiles import PLAYING_TILES, RED_FIVES, Tile, check_copies

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scoring.context import Context
    from scoring.decompose import Decomposition, Group
    from scoring.hand import Hand, Meld
    from scoring.riichi.situation import Situation
    from scoring.riichi.splitting import Block

_NUMBERS: Final = {tile: 4 * place + 1 for place, tile in enumerate(PLAYING_TILES)} | {
    Tile(tile.suit, 0): 4 * place for place, tile in enumerate(PLAYING_TILES) if tile.is_suited and tile.rank == 5
}
_NO_NUMBER: Final = -1
_REDS: Final = frozenset(_NUMBERS[tile] for tile in RED_FIVES)
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


class _Package(threading.local):
    """What is the package's for one hand; one a thread.

    Attributes:
        configurations: by what is in them, because building one takes long and the package writes the number of dora
            into it.
        splits: of the hand at hand.
    """

    def __init__(self) -> None:
        self.configurations: dict[object, Any] = {}
        self.splits: list[list[Block]] = []


_PACKAGE: Final = _Package()


@dataclass(frozen=True, slots=True, eq=False)
class Switches:
    """The options that the engine needs to know; one object for each set of them, compared by identity."""

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
        splits: every way to read the hand that was looked at; none for kokushi musou.
    """

    yaku: tuple[tuple[str, int], ...]
    han: int
    fu: int
    raw_fu: int
    yakuman: bool
    splits: tuple[Decomposition, ...]


def estimate(
    hand: Hand, winning_tile: Tile, context: Context, situation: Situation, switches: Switches
) -> Estimate | None:
    """The dearest reading of a complete hand; None if it has no yaku."""
    numbers = _NUMBERS
    tiles = [numbers[tile] for tile in hand.tiles]
    dora = [numbers.get(tile, _NO_NUMBER) for tile in context.dora_indicators]
    ura = [numbers.get(tile, _NO_NUMBER) for tile in context.ura_dora_indicators]
    if _impossible(tiles, dora + ura):
        check_set(hand, context)
    win_tile = numbers[winning_tile]
    melds = [_meld(meld) for meld in hand.melds]
    engine_melds = [meld for meld, _ in melds]
    concealed = tiles[: len(hand.concealed)]
    splits = splits_of([number >> 2 for number in concealed], len(melds))
    _PACKAGE.splits = package_splits(splits, engine_melds)
    config = _configuration(situation, switches)
    response = _estimator()(tiles, win_tile, engine_melds, dora, config, ura_dora_indicators=ura)
    if response.error is not None:
        return None
    names, closed = _names(), situation.closed
    yaku = [
        (names[yaku.yaku_id], yaku.han_closed if closed or not yaku.han_open else yaku.han_open)
        for yaku in response.yaku
    ]
    reds = [number >> 2 for number in concealed if number in _REDS]
    won_red = win_tile in _REDS
    if won_red:
        reds.remove(win_tile >> 2)
    return Estimate(
        tuple(yaku),
        response.han,
        response.fu,
        sum([detail["fu"] for detail in response.fu_details or ()]),
        response.yaku[0].is_yakuman,
        readings_of(
            splits,
            win_tile >> 2,
            reds,
            tuple([group for _, group in melds]),
            won_red=won_red,
            opened=context.win_by is WinBy.DISCARD,
        ),
    )


def _impossible(tiles: list[int], indicators: list[int]) -> bool:
    """Whether an indicator is none, or hand and indicators hold five of a kind."""
    kinds = [number >> 2 for number in tiles]
    shown = [number >> 2 for number in indicators]
    kinds += shown
    return _NO_NUMBER in indicators or max(map(kinds.count, shown), default=0) > 4


# --- dora ---------------------------------------------------------------------------------------------------------


def dora_of(hand: Hand, indicators: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """The tiles of the hand that those indicators make dora, each as often as it counts.

    >>> from scoring.hand import Hand
    >>> from scoring.tiles import parse_tiles
    >>> [str(tile) for tile in dora_of(Hand.parse("1m50p4z"), parse_tiles("9m4p4p3z"))]
    ['1m', '5p', '0p', '5p', '0p', '4z']
    """
    tiles = hand.tiles
    found: list[Tile] = []
    for shown in indicators:
        next_tile = _FOLLOWING[shown.plain]
        rank, suit = next_tile.rank, next_tile.suit
        found += [tile for tile in tiles if tile.suit == suit and (tile.rank == rank or (rank == 5 and tile.is_red))]
    return tuple(found)


def check_set(hand: Hand, context: Context) -> None:
    """Raise InputError if an indicator is none, or if more copies of a tile are shown than a set holds."""
    indicators = (*context.dora_indicators, *context.ura_dora_indicators)
    wrong = next((tile for tile in indicators if tile not in _NUMBERS), None)
    if wrong is not None:
        raise ContextError("no_indicator", f"{wrong} is no dora indicator: it must be a suited tile or an honour.")
    check_copies((*hand.tiles, *indicators))


def _following() -> Mapping[Tile, Tile]:
    cycles = [[tile for tile in PLAYING_TILES if tile.suit == suit] for suit in "mps"]
    cycles += [[tile for tile in PLAYING_TILES if tile.is_wind], [tile for tile in PLAYING_TILES if tile.is_dragon]]
    return {tile: cycle[(place + 1) % len(cycle)] for cycle in cycles for place, tile in enumerate(cycle)}


_FOLLOWING: Final = _following()
"""Indicator to dora: 9 to 1, East South West North East, white green red white."""


# --- the package ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _meld(meld: Meld) -> tuple[Any, Group]:
    """The package's meld, and the group it is."""
    from mahjong.meld import Meld as EngineMeld  # noqa: PLC0415

    numbers = [_NUMBERS[tile] for tile in meld.tiles]
    return EngineMeld(_MELD_TYPES[meld.kind], numbers, not meld.concealed), declared(meld)


class _Divider:
    """Stands in for the package's HandDivider."""

    @staticmethod
    def divide_hand(*_: object) -> list[list[Block]]:
        """The splits that are ready."""
        return _PACKAGE.splits


@cache
def _estimator() -> Callable[..., Any]:
    """The package's own function, for which HandDivider is ours; the package itself stays as it is."""
    from mahjong.hand_calculating import hand as package  # noqa: PLC0415  # heavy, loaded by riichi alone

    whole = package.HandCalculator.estimate_hand_value
    names = {**vars(package), "HandDivider": _Divider}
    return FunctionType(whole.__code__, names, whole.__name__, whole.__defaults__)


@cache
def _names() -> Mapping[int, str]:
    from mahjong.hand_calculating.yaku_config import YakuConfig  # noqa: PLC0415

    return {yaku.yaku_id: _KEYS.get(name, name) for name, yaku in vars(YakuConfig()).items()}


def _configuration(situation: Situation, switches: Switches) -> Any:
    key = (situation, switches)
    known = _PACKAGE.configurations
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
