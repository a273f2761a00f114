"""Fu, item by item: document 004, table of fu (scoring/sources.md).

`Score.fu_lines` has the items. Their sum is rounded up to tens, except the 25 of seven pairs.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tilescore.scoring.riichi.situation import PREFIX
from tilescore.scoring.score import ScoreLine
from tilescore.scoring.shapes.decompose import GroupKind, Shape

if TYPE_CHECKING:
    from tilescore.scoring.riichi.situation import Situation
    from tilescore.scoring.shapes.decompose import Decomposition, Group
    from tilescore.scoring.tiles import Tile

FU_TEXTS: Final = {
    "base": (20, "Every hand but seven pairs; a self-drawn pinfu has nothing else."),
    "closed_ron": (10, "A closed hand won on a discard."),
    "seven_pairs": (25, "Seven pairs: flat, never rounded."),
    "open_pinfu": (2, "An open hand without any other fu, so that it comes to 30."),
    "self_draw": (2, "The winner drew the tile; not with pinfu."),
    "closed_wait": (2, "The tile ended the middle of a sequence."),
    "edge_wait": (2, "The tile was the 3 of 123 or the 7 of 789."),
    "pair_wait": (2, "The tile ended the pair."),
    "pair_dragon": (2, "A pair of dragons."),
    "pair_own_wind": (2, "A pair of the player's own wind."),
    "pair_round_wind": (2, "A pair of the wind of the round."),
    "pair_double_wind": (4, "A pair of the wind that is both own and of the round."),
    "triplet_simple_open": (2, "An open triplet of 2 to 8."),
    "triplet_simple_closed": (4, "A closed triplet of 2 to 8."),
    "triplet_outside_open": (4, "An open triplet of terminals or honours."),
    "triplet_outside_closed": (8, "A closed triplet of terminals or honours."),
    "quad_simple_open": (8, "An open quad of 2 to 8."),
    "quad_simple_closed": (16, "A closed quad of 2 to 8."),
    "quad_outside_open": (16, "An open quad of terminals or honours."),
    "quad_outside_closed": (32, "A closed quad of terminals or honours."),
}
"""Fu and one sentence for each item, in the order of the table."""
NORTH_PAIR: Final = {"pair_north": (2, "A pair of norths, where norths are tiles of value for every player.")}
"""A further item of three players."""
_FU: Final = {key: value for key, (value, _) in (FU_TEXTS | NORTH_PAIR).items()}
_DOUBLE_WIND: Final = "pair_double_wind"
_WAITS: Final = frozenset(PREFIX + "fu." + key for key in ("closed_wait", "edge_wait", "pair_wait"))
_PAIRS: Final = frozenset(PREFIX + "fu." + key for key in _FU if key.startswith("pair_") and key != "pair_wait")


def fu_lines_of(split: Decomposition, winning_tile: Tile, situation: Situation) -> tuple[ScoreLine, ...]:
    """The items of a split; none for kokushi musou, which has no fu."""
    if split.shape is not Shape.STANDARD:
        return (_line("seven_pairs"),) if split.shape is Shape.DIFFERENT_PAIRS else ()
    items: list[ScoreLine] = []
    won_place = split.winning_group
    for place, group in enumerate(split.groups):
        if group.kind is not GroupKind.CHOW or place == won_place:
            items += _group_items(group, winning_tile if place == won_place else None, situation)
    if situation.self_drawn:
        if items:
            items.append(_line("self_draw"))
    elif situation.closed:
        items.append(_line("closed_ron"))
    if not items and not situation.closed:
        items.append(_line("open_pinfu"))
    return (_line("base"), *items)


def fu_of_the_win(situation: Situation) -> tuple[ScoreLine, ...]:
    """The items of a hand without groups."""
    return _line("base"), _line("self_draw" if situation.self_drawn else "closed_ron")


def has_value_pair(lines: tuple[ScoreLine, ...]) -> bool:
    """Whether the pair is worth fu."""
    return any(line.key in _PAIRS for line in lines)


def has_wait_fu(lines: tuple[ScoreLine, ...]) -> bool:
    """Whether the wait was on the middle, the edge or the pair."""
    return any(line.key in _WAITS for line in lines)


def _group_items(group: Group, won_with: Tile | None, situation: Situation) -> list[ScoreLine]:
    first, kind = group.tiles[0], group.kind
    if kind is GroupKind.PAIR:
        value = _pair_key(first.rank, situation) if first.suit == "z" else None
        items = [] if value is None else [_line(value, group.tiles)]
        if value == _DOUBLE_WIND:
            items = [replace(items[0], value=situation.counting.double_wind_fu)]
        return items if won_with is None else [*items, _line("pair_wait", group.tiles)]
    if kind is GroupKind.CHOW:
        wait = None if won_with is None else _wait_key(first.rank or 5, won_with.rank or 5)
        return [] if wait is None else [_line(wait, group.tiles)]
    outside = first.suit == "z" or first.rank in {1, 9}
    return [_line(_SET_KEYS[kind is GroupKind.KONG, outside, group.concealed], group.tiles)]


_SET_KEYS: Final = {
    (quad, outside, closed): (
        f"{'quad' if quad else 'triplet'}_{'outside' if outside else 'simple'}_{'closed' if closed else 'open'}"
    )
    for quad in (False, True)
    for outside in (False, True)
    for closed in (False, True)
}


def _pair_key(rank: int, situation: Situation) -> str | None:
    if rank >= 5:
        return "pair_dragon"
    if rank == situation.seat.number:
        return _DOUBLE_WIND if situation.seat is situation.round else "pair_own_wind"
    if rank == situation.round.number:
        return "pair_round_wind"
    return "pair_north" if rank == 4 and situation.counting.north_counts else None


def _wait_key(low: int, rank: int) -> str | None:
    if rank == low + 1:
        return "closed_wait"
    return "edge_wait" if (low, rank) in ((1, 3), (7, 7)) else None


@lru_cache(maxsize=512)
def _line(key: str, tiles: tuple[Tile, ...] = ()) -> ScoreLine:
    return ScoreLine(key=f"{PREFIX}fu.{key}", value=_FU[key], tiles=tiles)
