"""Fu, item by item: document 004, table of fu (scoring/sources.md).

`Score.fu_lines` has the items. Their sum is rounded up to tens, except the 25 of seven pairs.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Final

from tilescore.scoring.names import names_of
from tilescore.scoring.riichi.options import Counting
from tilescore.scoring.riichi.situation import PREFIX, Situation
from tilescore.scoring.riichi.view import View
from tilescore.scoring.ruleset import FU, RuleEntry
from tilescore.scoring.score import ScoreLine
from tilescore.scoring.shapes.winning import Shape
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
SEVEN_PAIRS: Final = 25
FuItem = tuple[str, int | None]
"""An item of fu: its key and the place of its group, None for an item of the win."""


def fu_entries(prefix: str, texts: Mapping[str, tuple[int, str]], counting: Counting) -> tuple[RuleEntry, ...]:
    """The entries of these items in a list of rules whose keys begin with that prefix."""
    names, fu = names_of(prefix.rstrip(".")), _fu(counting.double_wind_fu)
    return tuple(
        RuleEntry(key=f"{prefix}fu.{key}", value=f"{fu[key]} fu", names=names[f"{prefix}fu.{key}"], text=text, group=FU)
        for key, (_, text) in texts.items()
    )


def fu_items(view: View) -> tuple[FuItem, ...]:
    """The items of a view; none for kokushi musou, which has no fu."""
    if view.shape is not Shape.STANDARD:
        return (("seven_pairs", None),) if view.shape is Shape.DIFFERENT_PAIRS else ()
    items: list[FuItem] = []
    for place, group in enumerate(view.groups):
        if place in view.pung_at:
            key = set_key(len(group.tiles), outside=group.is_outside, closed=place in view.concealed_at)
            items.append((key, place))
        elif group.tile is view.pair and len(group.tiles) == 2 and view.pair in view.context.value_pairs:
            items.append((view.context.value_pairs[group.tile], place))
        if place == view.ended and view.wait:
            items.append((view.wait, place))
    if view.context.self_drawn:
        if items:
            items.append(("self_draw", None))
    elif view.context.closed:
        items.append(("closed_ron", None))
    if not items and not view.context.closed:
        items.append(("open_pinfu", None))
    return (("base", None), *items)


def fu_of_the_win(situation: Situation) -> tuple[FuItem, ...]:
    """The items of a hand without groups."""
    return ("base", None), ("self_draw" if situation.self_drawn else "closed_ron", None)


def fu_sum(items: tuple[FuItem, ...], situation: Situation) -> int:
    """Fu before they are rounded."""
    fu = _fu(situation.counting.double_wind_fu)
    return sum([fu[key] for key, _ in items])


@cache
def _fu(double_wind: int) -> Mapping[str, int]:
    values = {key: value for key, (value, _) in (FU_TEXTS | NORTH_PAIR).items()}
    return values | {"pair_double_wind": double_wind}


def rounded(fu: int) -> int:
    """Fu rounded up to tens, except those of seven pairs."""
    return fu if fu == SEVEN_PAIRS else -(-fu // 10) * 10


def fu_lines(
    items: tuple[FuItem, ...], groups: Sequence[tuple[Tile, ...]], situation: Situation
) -> tuple[ScoreLine, ...]:
    """The lines of the items of a view whose groups have these tiles."""
    fu = _fu(situation.counting.double_wind_fu)
    return tuple([_line(key, fu[key], () if at is None else groups[at]) for key, at in items])


@lru_cache(maxsize=512)
def _line(key: str, value: int, tiles: tuple[Tile, ...] = ()) -> ScoreLine:
    return ScoreLine(key=f"{PREFIX}fu.{key}", value=value, tiles=tiles)


def set_key(size: int, *, outside: bool, closed: bool) -> str:
    """The key of a triplet or, with four tiles, of a quad."""
    kind, family = "triplet" if size == 3 else "quad", "outside" if outside else "simple"
    return f"{kind}_{family}_{'closed' if closed else 'open'}"
