"""Score lines for the yaku of the engine: their order, their tiles, and the split of the hand that has them."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Final

from tilescore.scoring.riichi.engine import dora_of
from tilescore.scoring.riichi.fu import fu_lines_of
from tilescore.scoring.riichi.situation import PREFIX
from tilescore.scoring.score import ScoreLine
from tilescore.scoring.shapes.decompose import GroupKind, Shape

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tilescore.scoring.context import Context
    from tilescore.scoring.hand import Hand
    from tilescore.scoring.riichi.engine import Estimate
    from tilescore.scoring.riichi.options import Counting
    from tilescore.scoring.riichi.situation import ScoredHand, Situation
    from tilescore.scoring.shapes.decompose import Decomposition, Group
    from tilescore.scoring.tiles import Tile

    Tiles = tuple[Tile, ...]
    Pick = Callable[[Decomposition, Situation], Tiles]

DORA: Final = ("dora", "akadora", "uradora")
"""Han that are no yaku."""
NUKI_DORA: Final = "nuki_dora"
"""The same for norths set aside, with three players."""


def lines_of(estimate: Estimate, counted: ScoredHand) -> tuple[ScoreLine, ...]:
    """The yaku in the order of document 004 (scoring/sources.md), each with its tiles; yaku of the win have none."""
    lines = []
    for _, key, han in estimate.yaku:
        tiles_of = _TILES.get(key)
        if tiles_of is None:
            lines.append(_line(key, han))
        else:
            lines.append(ScoreLine(key=PREFIX + key, value=han, tiles=tiles_of(counted)))
    return tuple(lines)


@cache
def _line(key: str, han: int) -> ScoreLine:
    """A line about the win itself."""
    return ScoreLine(key=PREFIX + key, value=han)


def dora_lines(hand: Hand, context: Context, situation: Situation) -> tuple[ScoreLine, ...]:
    """The han that are no yaku, for a hand whose yaku the engine did not count."""
    counting = situation.counting
    counted = {"dora": True, "akadora": counting.red_fives, "uradora": situation.riichi, NUKI_DORA: situation.norths}
    found = ((key, _DORA_TILES[key](hand, context, counting)) for key in counted if counted[key])
    return tuple(ScoreLine(key=PREFIX + key, value=len(tiles), tiles=tiles) for key, tiles in found if tiles)


def split_of(
    estimate: Estimate, splits: Sequence[Decomposition], situation: Situation
) -> tuple[Decomposition, tuple[ScoreLine, ...]]:
    """The split that has the estimated yaku and fu, and its items of fu."""
    if len(splits) == 1:
        return splits[0], fu_lines_of(splits[0], estimate.winning_tile, situation)
    keys = [key for _, key, _ in estimate.yaku if key in PICKS]
    raw_fu = estimate.raw_fu
    found = ((split, fu_lines_of(split, estimate.winning_tile, situation)) for split in splits)
    return next(
        (split, items)
        for split, items in found
        if sum([item.value for item in items]) == raw_fu and all(PICKS[key](split, situation) for key in keys)
    )


# --- the tiles of a yaku: each function returns none where the split does not have it ----------------------------


def is_alike(group: Group) -> bool:
    """Whether it is a triplet or a quad."""
    return group.kind is GroupKind.PUNG or group.kind is GroupKind.KONG


def chows(split: Decomposition) -> list[Group]:
    """The sequences of a split."""
    return [group for group in split.groups if group.kind is GroupKind.CHOW]


def twins(split: Decomposition) -> int:
    """The number of pairs of equal sequences."""
    runs = [group.tiles[0] for group in split.groups if group.kind is GroupKind.CHOW]
    starts = [(tile.suit, tile.rank or 5) for tile in runs] if len(runs) > 1 else []
    return sum([starts.count(start) // 2 for start in set(starts)])


def _joined(groups: list[Group]) -> Tiles:
    return tuple([tile for group in groups for tile in group.tiles])


def _honor_set(split: Decomposition, rank: int) -> Tiles:
    for group in split.groups:
        first = group.tiles[0]
        if first.rank == rank and first.suit == "z" and is_alike(group):
            return group.tiles
    return ()


def _twin_sequences(split: Decomposition, least: int) -> Tiles:
    counts = Counter(group.tile for group in chows(split))
    return _joined([g for g in chows(split) if counts[g.tile] >= 2]) if twins(split) >= least else ()


def _three_colours(groups: list[Group]) -> Tiles:
    for rank in range(1, 10):
        same = {group.tile.suit: group for group in groups if group.tile.is_suited and group.tile.rank == rank}
        if len(same) == 3:
            return _joined(list(same.values()))
    return ()


def _straight(split: Decomposition, _: Situation) -> Tiles:
    for suit in "mps":
        parts = {group.tile.rank: group for group in chows(split) if group.tile.suit == suit}
        if {1, 4, 7} <= set(parts):
            return _joined([parts[rank] for rank in (1, 4, 7)])
    return ()


def _outside(split: Decomposition, _: Situation) -> Tiles:
    ends = all(group.tiles[0].is_terminal_or_honor or group.tiles[-1].is_terminal_or_honor for group in split.groups)
    return _joined(list(split.groups)) if ends and chows(split) else ()


def _alike(split: Decomposition, *, least: int, concealed: bool = False, kongs: bool = False) -> Tiles:
    found = [
        group
        for group in split.groups
        if is_alike(group) and (group.concealed or not concealed) and (group.kind is GroupKind.KONG or not kongs)
    ]
    return _joined(found) if len(found) >= least else ()


def _honors(split: Decomposition, *, dragons: bool, sets: int, pair: bool) -> Tiles:
    found = [group for group in split.groups if (group.tile.is_dragon if dragons else group.tile.is_wind)]
    alike = sum(map(is_alike, found))
    return _joined(found) if alike == sets and len(found) == sets + pair else ()


def _shaped(shape: Shape) -> Pick:
    return lambda split, _: _joined(list(split.groups)) if split.shape is shape else ()


PICKS: Final[Mapping[str, Pick]] = {
    "haku": lambda split, _: _honor_set(split, 5),
    "hatsu": lambda split, _: _honor_set(split, 6),
    "chun": lambda split, _: _honor_set(split, 7),
    "seat_wind": lambda split, situation: _honor_set(split, situation.seat.number),
    "round_wind": lambda split, situation: _honor_set(split, situation.round.number),
    "iipeikou": lambda split, _: _twin_sequences(split, 1),
    "ryanpeikou": lambda split, _: _twin_sequences(split, 2),
    "toitoi": lambda split, _: _alike(split, least=4),
    "sanshoku_doujun": lambda split, _: _three_colours(chows(split)),
    "sanshoku_doukou": lambda split, _: _three_colours([group for group in split.groups if is_alike(group)]),
    "ittsu": _straight,
    "chanta": _outside,
    "junchan": _outside,
    "sanankou": lambda split, _: _alike(split, least=3, concealed=True),
    "suuankou": lambda split, _: _alike(split, least=4, concealed=True),
    "sankantsu": lambda split, _: _alike(split, least=3, kongs=True),
    "suukantsu": lambda split, _: _alike(split, least=4, kongs=True),
    "chiitoitsu": _shaped(Shape.DIFFERENT_PAIRS),
    "kokushi_musou": _shaped(Shape.THIRTEEN_ORPHANS),
    "shousangen": lambda split, _: _honors(split, dragons=True, sets=2, pair=True),
    "daisangen": lambda split, _: _honors(split, dragons=True, sets=3, pair=False),
    "north": lambda split, situation: _honor_set(split, 4) if situation.counting.north_counts else (),
    "shousuushii": lambda split, _: _honors(split, dragons=False, sets=3, pair=True),
    "daisuushii": lambda split, _: _honors(split, dragons=False, sets=4, pair=False),
}
"""The yaku that depend on how the hand is split, and the tiles that make them."""
_WHOLE_HAND: Final = frozenset(
    ("pinfu", "tanyao", "honroutou", "honitsu", "chinitsu", "ryuuiisou", "chinroutou", "chuuren_poutou", "tsuuiisou")
)
_DORA_TILES: Final[Mapping[str, Callable[[Hand, Context, Counting], Tiles]]] = {
    "dora": lambda hand, context, counting: dora_of(hand, context.dora_indicators, counting),
    "akadora": lambda hand, _, __: tuple([tile for tile in hand.tiles if tile.rank == 0]),
    "uradora": lambda hand, context, counting: dora_of(hand, context.ura_dora_indicators, counting),
    NUKI_DORA: lambda hand, _, __: hand.bonus,
}


def _of_split(pick: Pick) -> Callable[[ScoredHand], Tiles]:
    return lambda counted: pick(counted.split, counted.situation)


def _of_dora(pick: Callable[[Hand, Context, Counting], Tiles]) -> Callable[[ScoredHand], Tiles]:
    return lambda counted: pick(counted.hand, counted.context, counted.situation.counting)


_TILES: Final[Mapping[str, Callable[[ScoredHand], Tiles]]] = {
    **{key: lambda counted: counted.hand.tiles for key in _WHOLE_HAND},
    **{key: _of_split(pick) for key, pick in PICKS.items()},
    **{key: _of_dora(pick) for key, pick in _DORA_TILES.items()},
}
"""The tiles of each yaku that the tiles make, and of dora."""
