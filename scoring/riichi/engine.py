"""The `mahjong` package behind one function: a complete hand in, its yaku, han and fu out.

Only here are tiles numbers: 0-135 as that package has them, the red five the first copy of its kind. It gives the
dearest way to read the hand but not which one that was: we listen to the splits it looks at, and `lines.split_of`
finds the one again. So no hand is split twice.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from scoring.context import WinBy
from scoring.decompose import Decomposition, Group, GroupKind, Shape
from scoring.errors import ContextError
from scoring.hand import MeldKind
from scoring.tiles import PLAYING_TILES, RED_FIVES, Tile, check_copies

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scoring.context import Context
    from scoring.hand import Hand, Meld
    from scoring.riichi.situation import Situation

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


class _Configurations(threading.local):
    """Configurations by what is in them: building one takes as long as half a hand.

    One set a thread, because the package writes the number of dora into them.
    """

    def __init__(self) -> None:
        self.known: dict[object, tuple[Any, list[list[list[int]]]]] = {}


_CONFIGURATIONS: Final = _Configurations()


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
    config, splits = _configuration(situation, switches)
    splits.clear()
    response = _estimator()(tiles, win_tile, melds, dora, config, ura_dora_indicators=ura)
    if response.error is not None:
        return None
    names, closed = _names(), situation.closed
    return Estimate(
        tuple(
            [
                (names[yaku.yaku_id], yaku.han_closed if closed or not yaku.han_open else yaku.han_open)
                for yaku in response.yaku
            ]
        ),
        response.han,
        response.fu,
        sum([detail["fu"] for detail in response.fu_details or ()]),
        response.yaku[0].is_yakuman,
        _decompositions(splits, hand, tiles, win_tile, opened=context.win_by is WinBy.DISCARD),
    )


def _impossible(tiles: list[int], indicators: list[int]) -> bool:
    """Whether an indicator is none, or hand and indicators hold five of a kind."""
    kinds = [number >> 2 for number in tiles]
    shown = [number >> 2 for number in indicators]
    kinds += shown
    return _NO_NUMBER in indicators or max(map(kinds.count, shown), default=0) > 4


# --- the package's splits as ours ---------------------------------------------------------------------------------


def _decompositions(
    splits: list[list[list[int]]], hand: Hand, tiles: list[int], win_tile: int, *, opened: bool
) -> tuple[Decomposition, ...]:
    """Those splits with every group that the winning tile may have ended."""
    found = []
    win_kind = win_tile >> 2
    melds = hand.melds
    groups = [_declared(meld) for meld in melds]
    reds = [number >> 2 for number in tiles[: len(hand.concealed)] if number in _REDS]
    won_red = win_tile in _REDS
    if won_red:
        reds.remove(win_kind)
    for split in splits:
        loose = [*split]
        for meld in melds:
            loose.remove(_meld(meld).tiles_34)
        shape = Shape.STANDARD if len(split) == 5 else Shape.DIFFERENT_PAIRS
        plain = [_group(tuple(block)) for block in loose]
        for place, block in enumerate(loose):
            if win_kind in block and block not in loose[:place]:
                concealed = [*plain]
                if reds:
                    for at, count in enumerate(_red_counts(loose, reds, win_kind, place)):
                        if count:
                            concealed[at] = _group(tuple(loose[at]), count)
                if won_red or opened:
                    held = sum(tile.is_red for tile in concealed[place].tiles) + won_red
                    concealed[place] = _group(tuple(block), held, opened)
                found.append(Decomposition(shape, (*concealed, *groups), place))
    return tuple(found)


def _red_counts(loose: list[list[int]], reds: list[int], win_kind: int, place: int) -> list[int]:
    """How many red fives each block holds: each goes into the first that has room beside the winning tile."""
    held = [0] * len(loose)
    for kind in reds:
        room = (block.count(kind) - held[at] - (at == place and kind == win_kind) for at, block in enumerate(loose))
        held[next(at for at, free in enumerate(room) if free > 0)] += 1
    return held


@lru_cache(maxsize=4096)
def _group(kinds: tuple[int, ...], reds: int = 0, opened: bool = False) -> Group:  # noqa: FBT001, FBT002  # cache keys
    tiles = [PLAYING_TILES[kind] for kind in kinds]
    for _ in range(reds):
        five = next(tile for tile in tiles if tile.rank == 5)
        tiles[tiles.index(five)] = Tile(five.suit, 0)
    alike = GroupKind.PAIR if len(kinds) == 2 else GroupKind.PUNG
    kind = alike if kinds[0] == kinds[1] else GroupKind.CHOW
    return Group(kind, tuple(sorted(tiles)), concealed=not opened)


@lru_cache(maxsize=1024)
def _declared(meld: Meld) -> Group:
    return Group(GroupKind(meld.kind), meld.tiles, concealed=meld.concealed, melded=not meld.concealed, meld=meld)


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


@lru_cache(maxsize=1024)
def _meld(meld: Meld) -> Any:
    from mahjong.meld import Meld as EngineMeld  # noqa: PLC0415

    return EngineMeld(_MELD_TYPES[meld.kind], [_NUMBERS[tile] for tile in meld.tiles], not meld.concealed)


@cache
def _estimator() -> Callable[..., Any]:
    from mahjong.hand_calculating.hand import HandCalculator  # noqa: PLC0415  # heavy, loaded by riichi alone

    return HandCalculator.estimate_hand_value


@cache
def _names() -> Mapping[int, str]:
    from mahjong.hand_calculating.yaku_config import YakuConfig  # noqa: PLC0415

    return {yaku.yaku_id: _KEYS.get(name, name) for name, yaku in vars(YakuConfig()).items()}


def _configuration(situation: Situation, switches: Switches) -> tuple[Any, list[list[list[int]]]]:
    """The package's configuration, and the list where it puts the splits it looks at."""
    key = (situation, switches)
    known = _CONFIGURATIONS.known
    found = known.get(key)
    if found is None:
        if len(known) >= _MOST_CONFIGURATIONS:
            known.clear()
        found = known[key] = _new_configuration(situation, switches)
    return found


def _new_configuration(situation: Situation, switches: Switches) -> tuple[Any, list[list[list[int]]]]:
    from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules  # noqa: PLC0415
    from mahjong.hand_calculating.yaku_list import Chiitoitsu  # noqa: PLC0415

    splits: list[list[list[int]]] = []

    class Listener(Chiitoitsu):
        """The yaku that the package asks first about every split."""

        def is_condition_met(self, hand: Any, *args: Any) -> bool:
            """Note the split, then answer."""
            splits.append(hand)
            return bool(super().is_condition_met(hand, *args))

    options = OptionalRules(
        has_open_tanyao=switches.open_tanyao,
        has_aka_dora=switches.red_fives,
        has_double_yakuman=switches.double_yakuman,
        kiriage=switches.kiriage,
        kazoe_limit=HandConfig.KAZOE_SANBAIMAN if switches.kazoe == "sanbaiman" else HandConfig.KAZOE_LIMITED,
        renhou_as_yakuman=switches.renhou == "yakuman",
        limit_to_sextuple_yakuman=False,
    )
    config = HandConfig(
        is_tsumo=situation.self_drawn,
        player_wind=_EAST + situation.seat.number - 1,
        round_wind=_EAST + situation.round.number - 1,
        options=options,
        **{_FLAGS[key]: True for key in situation.yaku},
    )
    config.yaku.chiitoitsu = Listener()
    return config, splits
