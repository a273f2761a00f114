"""The `mahjong` package behind one function: a complete hand in, its yaku, han and fu out.

Tiles are numbers in this module alone: 0-135 as in that package, with the red five as the first copy of its kind. The
package finds the dearest split of a hand (S-ALL-1, scoring/sources.md) but does not name it. So `splitting` passes the
splits to the package, and `lines.split_of` finds the chosen one again; no hand is split twice.
"""

from __future__ import annotations

import threading
from functools import cache, lru_cache
from operator import itemgetter
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tilescore.base.errors import ContextError
from tilescore.scoring.hand import MeldKind
from tilescore.scoring.riichi.splitting import package_splits, splits_of, ways_of
from tilescore.scoring.riichi.table import yaku_table
from tilescore.scoring.shapes.decompose import readings
from tilescore.scoring.tiles import NORTH, PLAYING_TILES, RED_FIVES, Tile, check_copies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tilescore.scoring.context import Context
    from tilescore.scoring.hand import Hand, Meld
    from tilescore.scoring.riichi.options import Counting
    from tilescore.scoring.riichi.situation import Situation
    from tilescore.scoring.riichi.splitting import Block
    from tilescore.scoring.shapes.decompose import Decomposition

_NUMBERS: Final = {tile: 4 * place + 1 for place, tile in enumerate(PLAYING_TILES)} | {
    Tile(tile.suit, 0): 4 * place for place, tile in enumerate(PLAYING_TILES) if tile.is_suited and tile.rank == 5
}
_NO_NUMBER: Final = -1
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
"""Yaku that have another name in the package, with the key that they have here."""
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
_PACKAGE_WIND_FU: Final = 4
"""Fu of a pair of the wind that is both own and round, in the package."""
_NORTH: Final = PLAYING_TILES.index(NORTH)


_Configuration = tuple[Any, "Callable[..., Any]", "Mapping[int, tuple[int, str]]"]


class _Package(threading.local):
    """State of the package, apart for each thread.

    Attributes:
        configurations: configurations by situation, each with the function of the package and the rows of its yaku.
            Building one takes long, and the package writes the number of dora into it.
        splits: splits of the present hand.
    """

    def __init__(self) -> None:
        self.configurations: dict[Situation, _Configuration] = {}
        self.splits: list[list[Block]] = []


_PACKAGE: Final = _Package()


class Estimate(NamedTuple):
    """The count of a complete hand with a yaku.

    Attributes:
        yaku: place in `yaku.csv`, key without prefix and han of each yaku; dora too.
        han: their sum.
        fu: rounded.
        fu_details: items of the package, before rounding.
        yakuman: whether the yaku are yakuman.
        splits: all splits of the hand; none for kokushi musou.
        winning_tile: the tile that completed the hand.
    """

    yaku: list[tuple[int, str, int]]
    han: int
    fu: int
    fu_details: list[Any]
    yakuman: bool
    splits: list[Decomposition]
    winning_tile: Tile

    @property
    def raw_fu(self) -> int:
        """Fu before rounding."""
        return sum(detail["fu"] for detail in self.fu_details)

    def single(self) -> Estimate:
        """The count where several yakuman are worth the dearest of them (option `yakuman_add_up`)."""
        if not self.yakuman:
            return self
        dearest = max(self.yaku, key=itemgetter(2))
        return self._replace(yaku=[dearest], han=dearest[2])


def estimate(hand: Hand, winning_tile: Tile, context: Context, situation: Situation) -> Estimate | None:
    """The count of the dearest split of a complete hand; None if it has no yaku."""
    numbers = _NUMBERS
    tiles, win_tile = [numbers[tile] for tile in hand.tiles], numbers[winning_tile]
    dora = [numbers.get(tile, _NO_NUMBER) for tile in context.dora_indicators]
    ura = [numbers.get(tile, _NO_NUMBER) for tile in context.ura_dora_indicators]
    if _impossible(tiles, dora + ura, situation.norths):
        check_set(hand, context)
    melds = [_meld(meld) for meld in hand.melds]
    splits = splits_of(hand.concealed, len(melds))
    _PACKAGE.splits = package_splits(splits, melds)
    config, calculate, rows = _configuration(situation)
    response = calculate(tiles, win_tile, melds, dora, config, ura_dora_indicators=ura)
    if response.error is not None:
        return None
    closed = situation.closed
    yaku = [
        (*rows[found.yaku_id], found.han_closed if closed or not found.han_open else found.han_open)
        for found in response.yaku
    ]
    yaku.sort()
    if situation.norths and not response.yaku[0].is_yakuman:
        yaku = [row for found in yaku for row in _without_norths(found, situation.norths)]
    return Estimate(
        yaku,
        response.han,
        response.fu,
        response.fu_details,
        response.yaku[0].is_yakuman,
        readings(ways_of(splits, win_tile >> 2), hand, by_discard=not situation.self_drawn),
        winning_tile,
    )


def _without_norths(found: tuple[int, str, int], norths: int) -> Iterator[tuple[int, str, int]]:
    """A yaku of the package; its dora contain the norths set aside, which are a line of their own here."""
    place, key, han = found
    if key != "dora":
        yield found
        return
    if han > norths:
        yield place, key, han - norths
    yield place, "nuki_dora", norths


def _impossible(tiles: list[int], indicators: list[int], norths: int) -> bool:
    """Whether a tile cannot be an indicator, or hand, norths set aside and indicators hold five of a kind."""
    shown = [number >> 2 for number in indicators]
    kinds = [number >> 2 for number in tiles] + shown + [_NORTH] * norths
    return _NO_NUMBER in indicators or [kind for kind in shown if kinds.count(kind) > 4] != []


# --- dora ---------------------------------------------------------------------------------------------------------


def dora_of(hand: Hand, indicators: tuple[Tile, ...], counting: Counting) -> tuple[Tile, ...]:
    """The tiles of the hand, norths set aside included, that these indicators make dora, each as often as it counts.

    >>> from tilescore.scoring.hand import Hand
    >>> from tilescore.scoring.riichi.options import Counting
    >>> from tilescore.scoring.tiles import parse_tiles
    >>> [str(tile) for tile in dora_of(Hand.parse("1m50p4z"), parse_tiles("9m4p4p3z"), Counting())]
    ['1m', '5p', '0p', '5p', '0p', '4z']
    """
    tiles, order = hand.tiles + hand.bonus, _DORA_OF_THREE if counting.three_players else _DORA
    found: list[Tile] = []
    for shown in indicators:
        dora = order[shown]
        found += [tile for tile in tiles if tile in dora]
    return tuple(found)


def check_set(hand: Hand, context: Context) -> None:
    """Raise InputError if a tile cannot be an indicator, or if a set does not hold as many copies as are shown."""
    indicators = (*context.dora_indicators, *context.ura_dora_indicators)
    wrong = next((tile for tile in indicators if tile not in _NUMBERS), None)
    if wrong is not None:
        raise ContextError("no_indicator", f"{wrong} is no dora indicator: it must be a suited tile or an honour.")
    seen = (*hand.tiles, *hand.bonus, *indicators, *context.discards)
    check_copies(seen, " in the hand, the indicators and the discards")


def _dora() -> Iterator[tuple[Tile, frozenset[Tile]]]:
    cycles = [[tile for tile in PLAYING_TILES if tile.suit == suit] for suit in "mps"]
    cycles += [[tile for tile in PLAYING_TILES if tile.is_wind], [tile for tile in PLAYING_TILES if tile.is_dragon]]
    reds = {red.plain: (red,) for red in RED_FIVES}
    for cycle in cycles:
        for place, shown in enumerate(cycle):
            dora = cycle[(place + 1) % len(cycle)]
            for tile in (shown, *reds.get(shown, ())):
                yield tile, frozenset((dora, *reds.get(dora, ())))


_DORA: Final = dict(_dora())
"""Dora by indicator: 9 to 1, East South West North East, white green red white."""
_DORA_OF_THREE: Final = {**_DORA, Tile("m", 1): frozenset((Tile("m", 9),))}
"""The same with three players: between 1m and 9m there is nothing."""


# --- the package ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _meld(meld: Meld) -> Any:
    from mahjong.meld import Meld as EngineMeld

    return EngineMeld(_MELD_TYPES[meld.kind], [_NUMBERS[tile] for tile in meld.tiles], not meld.concealed)


class _Divider:
    """Replaces the HandDivider of the package."""

    @staticmethod
    def divide_hand(*_: object) -> list[list[Block]]:
        """The splits of the present hand."""
        return _PACKAGE.splits


class _Fu(NamedTuple):
    """Replaces the FuCalculator of the package where other pairs have a value.

    Attributes:
        once: whether a pair of a double wind is worth 2 fu: the package sees that wind once.
        norths: whether a pair of norths has a value.
    """

    once: bool
    norths: bool

    def calculate_fu(self, *given: Any) -> Any:
        """What the package calculates with these valued tiles."""
        from mahjong.hand_calculating.fu import FuCalculator

        hand, win_tile, win_group, config, valued, melds = given
        tiles = [*(dict.fromkeys(valued) if self.once else valued), *([_NORTH] if self.norths else [])]
        return FuCalculator.calculate_fu(hand, win_tile, win_group, config, tiles, melds)


@cache
def _estimator(double_wind_fu: int, *, norths: bool) -> Callable[..., Any]:
    """The function of the package with `_Divider` as its HandDivider; the package itself is not changed.

    The package counts 4 fu for a pair of the wind that is both own and round, and none for a pair of norths.
    """
    from mahjong.hand_calculating import hand as package  # heavy, loaded by riichi alone

    whole = package.HandCalculator.estimate_hand_value
    names = {**vars(package), "HandDivider": _Divider}
    if norths or double_wind_fu != _PACKAGE_WIND_FU:
        names["FuCalculator"] = _Fu(double_wind_fu != _PACKAGE_WIND_FU, norths)
    return FunctionType(whole.__code__, names, whole.__name__, whole.__defaults__)


@cache
def _rows(*, three_players: bool) -> Mapping[int, tuple[int, str]]:
    """Place in `yaku.csv` and key of each yaku of the package."""
    from mahjong.hand_calculating.yaku_config import YakuConfig

    table = yaku_table()
    keys = {yaku.yaku_id: _KEYS.get(name, name) for name, yaku in vars(YakuConfig()).items()}
    rows = {number: (table[key].place, key) for number, key in keys.items() if key in table}
    north = YakuConfig().seat_wind_north.yaku_id
    return {**rows, north: (rows[north][0], "north")} if three_players else rows


def _configuration(situation: Situation) -> _Configuration:
    known = _PACKAGE.configurations
    found = known.get(situation)
    if found is None:
        if len(known) >= _MOST_CONFIGURATIONS:
            known.clear()
        counting = situation.counting
        calculate = _estimator(counting.double_wind_fu, norths=counting.north_counts)
        found = _new_configuration(situation), calculate, _rows(three_players=counting.three_players)
        known[situation] = found
    return found


def _new_configuration(situation: Situation) -> Any:
    from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules

    counting = situation.counting
    options = OptionalRules(
        has_open_tanyao=counting.open_tanyao,
        has_aka_dora=counting.red_fives,
        has_double_yakuman=counting.double_yakuman,
        kiriage=counting.kiriage,
        kazoe_limit=HandConfig.KAZOE_SANBAIMAN if counting.kazoe == "sanbaiman" else HandConfig.KAZOE_LIMITED,
        renhou_as_yakuman=counting.renhou == "yakuman",
        limit_to_sextuple_yakuman=False,
        is_three_player=counting.three_players,
    )
    config = HandConfig(
        is_tsumo=situation.self_drawn,
        player_wind=_EAST + situation.seat.number - 1,
        round_wind=_EAST + situation.round.number - 1,
        options=options,
        num_nuki_dora=situation.norths,
        **{_FLAGS[key]: True for key in situation.yaku},
    )
    if counting.north_counts:
        config.yaku.seat_wind_north = _north_for_all()
    return config


@cache
def _north_for_all() -> Any:
    """The yaku of a triplet or quad of norths, whatever the wind of the player."""
    from mahjong.hand_calculating.yaku_list import SeatWindNorth

    class NorthForAll(SeatWindNorth):
        def is_condition_met(self, hand: Any, *_: Any) -> bool:
            return any(len(block) > 2 and block[0] == block[1] == _NORTH for block in hand)

    return NorthForAll()
