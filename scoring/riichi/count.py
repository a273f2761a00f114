"""What a riichi hand counts: yaku, dora, han and fu of the way to read it that pays most.

Of several ways the dearest counts; at the same price a yakuman of yaku comes before a counted one, then more han, then
more fu (S-ALL-1, S-SAN-8 in scoring/sources.md). Document 004 has nothing on dora, red fives and norths set aside
(S-RII-13, S-SAN-3).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter, itemgetter
from typing import Final, NamedTuple

from tilescore.errors import ContextError
from tilescore.scoring.context import Context
from tilescore.scoring.hand import Hand
from tilescore.scoring.riichi.fu import FuItem, fu_items, fu_sum, rounded
from tilescore.scoring.riichi.options import Counting
from tilescore.scoring.riichi.points import YAKUMAN_HAN, Price, price_of, price_of_yakuman
from tilescore.scoring.riichi.situation import PREFIX, Situation, excluded
from tilescore.scoring.riichi.table import Table, Yaku, entered, row_of, yaku
from tilescore.scoring.riichi.view import View, views_of
from tilescore.scoring.riichi.yaku import Places  # entering the yaku of the tiles
from tilescore.scoring.score import Excluded, ScoreLine
from tilescore.scoring.shapes.winning import UNIT
from tilescore.scoring.tiles import NORTH, PLAYING_TILES, RED_FIVES, Tile, check_copies

Tiles = tuple[Tile, ...]

# --- dora ---------------------------------------------------------------------------------------------------------


class Shown(NamedTuple):
    """A hand whose dora are counted."""

    hand: Hand
    context: Context
    situation: Situation


@yaku(1, 1, table=Table.DORA)
def dora(shown: Shown) -> Tiles:
    """Each tile that follows a dora indicator; no yaku."""
    return dora_of(shown.hand, shown.context.dora_indicators, shown.situation.counting)


@yaku(1, 1, table=Table.DORA)
def akadora(shown: Shown) -> Tiles:
    """Each red five; no yaku."""
    return red_fives(shown.hand) if shown.situation.counting.red_fives else ()


@yaku(1, table=Table.DORA)
def uradora(shown: Shown) -> Tiles:
    """Each tile that follows an indicator under the dora indicators; with riichi only; no yaku."""
    indicators = shown.context.ura_dora_indicators if shown.situation.riichi else ()
    return dora_of(shown.hand, indicators, shown.situation.counting)


def nuki_dora(shown: Shown) -> Tiles:
    """Each north set aside; no yaku."""
    return shown.hand.bonus if shown.situation.norths else ()


NUKI_DORA: Final = row_of(nuki_dora, 1, opened=1, table=Table.DORA)
"""A further row of three players."""
DORA: Final = (*(row for row in entered().values() if row.table is Table.DORA), NUKI_DORA)
"""The rows that are no yaku, in their order."""


def dora_lines(hand: Hand, context: Context, situation: Situation) -> tuple[ScoreLine, ...]:
    """The lines of the dora of a hand, each worth as many han as it has tiles."""
    shown = Shown(hand, context, situation)
    dora = [(row, row.find(shown)) for row in DORA]
    return tuple([ScoreLine(key=PREFIX + row.key, value=len(tiles), tiles=tiles) for row, tiles in dora if tiles])


def red_fives(hand: Hand) -> Tiles:
    """The red fives of a hand."""
    return tuple([tile for tile in hand.tiles if not tile.rank])


def dora_of(hand: Hand, indicators: Tiles, counting: Counting) -> Tiles:
    """The tiles of the hand, norths set aside included, that these indicators make dora, each as often as it counts.

    >>> from tilescore.scoring.hand import Hand
    >>> from tilescore.scoring.riichi.options import Counting
    >>> from tilescore.scoring.tiles import parse_tiles
    >>> [str(tile) for tile in dora_of(Hand.parse("1m50p4z"), parse_tiles("9m4p4p3z"), Counting())]
    ['1m', '5p', '0p', '5p', '0p', '4z']
    """
    tiles, order = hand.tiles + hand.bonus, _DORA_OF_THREE if counting.three_players else _DORA
    dora: list[Tile] = []
    for shown in indicators:
        following = order[shown]
        dora += [tile for tile in tiles if tile in following]
    return tuple(dora)


def check_indicators(hand: Hand, context: Context, situation: Situation, packed: int) -> None:
    """Raise InputError if an indicator is impossible beside a hand of these packed tiles."""
    packed += situation.norths * UNIT[NORTH]
    for tile in context.dora_indicators + context.ura_dora_indicators:
        unit = UNIT.get(tile, 0)
        if not unit or packed & unit << 2:
            check_set(hand, context)
        packed += unit


def check_set(hand: Hand, context: Context) -> None:
    """Raise InputError if a tile cannot be an indicator, or if a set does not hold as many copies as are shown."""
    indicators = (*context.dora_indicators, *context.ura_dora_indicators)
    wrong = next((tile for tile in indicators if tile not in UNIT), None)
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
            following = cycle[(place + 1) % len(cycle)]
            for tile in (shown, *reds.get(shown, ())):
                yield tile, frozenset((following, *reds.get(following, ())))


_DORA: Final = dict(_dora())
"""Dora by indicator: 9 to 1, East South West North East, white green red white."""
_DORA_OF_THREE: Final = {**_DORA, Tile("m", 1): frozenset((Tile("m", 9),))}
"""The same with three players: between 1m and 9m there is nothing."""


# --- han and fu ---------------------------------------------------------------------------------------------------

YAKU: Final[Mapping[str, Yaku]] = entered()
"""Every yaku, and the dora, by key in the order of document 004."""
Found = tuple[Yaku, int, Places]
"""A yaku, its han, and the places of its groups."""
_Tests = tuple[tuple[Yaku, int, "Callable[[View], Places]"], ...]


class Counted(NamedTuple):
    """The count of a complete hand with a yaku, in one view."""

    context: Context
    view: View  # the view that counted
    views: list[View]  # all views of the hand
    yaku: tuple[Found, ...]  # what counted, in the order of the tables
    dora: tuple[ScoreLine, ...]  # the lines of the dora; a yakuman has none of their han
    items: tuple[FuItem, ...]  # the items of fu
    # han, fu: their sums, fu rounded
    han: int
    fu: int
    yakuman: bool  # whether yakuman counted, which replace everything else
    price: Price  # what the hand costs
    dropped: tuple[Excluded, ...] = ()  # yakuman that do not add up (option `yakuman_add_up`)

    @property
    def worth(self) -> tuple[int, bool, int, int, int]:
        """What decides between two views of a hand."""
        return self.price.base, self.yakuman, self.han, self.fu, fu_sum(self.items, self.view.context)

    @property
    def keys(self) -> list[str]:
        """The keys of the yaku and dora that counted, without prefix."""
        dora = () if self.yakuman else self.dora
        return [row.key for row, _, _ in self.yaku] + [line.key.removeprefix(PREFIX) for line in dora]

    def lines(self, groups: Sequence[tuple[Tile, ...]]) -> tuple[ScoreLine, ...]:
        """The lines of the yaku and dora; `groups` are the tiles of the groups of the view."""
        tiles = self.view.hand.tiles
        lines = []
        for row, han, places in self.yaku:
            if places is None:
                lines.append(_line(row.key, han))
            else:
                lit = tuple([tile for place in places for tile in groups[place]]) if places else tiles
                lines.append(ScoreLine(key=PREFIX + row.key, value=han, tiles=lit))
        return tuple(lines) if self.yakuman else (*lines, *self.dora)


@cache
def _line(key: str, han: int) -> ScoreLine:
    return ScoreLine(key=PREFIX + key, value=han)


def best_count(hand: Hand, context: Context, situation: Situation) -> Counted | None:
    """The count of the dearest view of a hand; None if it is not complete or has no yaku; raises InputError."""
    views = views_of(hand, situation)
    if not views:
        return None
    check_indicators(hand, context, situation, views[0].packed)
    dora = dora_lines(hand, context, situation)
    counts = [count for view in views if (count := _count(view, views, context, dora)) is not None]
    if not counts:
        return None
    best = counts[0] if len(counts) == 1 else max(counts, key=attrgetter("worth"))
    return _single(best) if best.yakuman and not situation.counting.yakuman_add_up else best


def _count(view: View, views: list[View], context: Context, dora: tuple[ScoreLine, ...]) -> Counted | None:
    situation = view.context
    counting = situation.counting
    items = fu_items(view)
    fu = rounded(fu_sum(items, situation))
    ordinary, yakuman = _tests(counting.further_yaku, closed=situation.closed)
    rows: list[Found] = [
        (row, 2 * han if counting.double_yakuman and row.doubled and row.doubled(view) else han, places)
        for row, han, find in yakuman
        if (places := find(view)) is not None
    ]
    rows += [(row, han, None) for row, han in situation.yaku if han == YAKUMAN_HAN]
    if rows:
        han = sum([han for _, han, _ in rows])
        price = price_of_yakuman(han // YAKUMAN_HAN)
        return Counted(context, view, views, tuple(rows), dora, items, han, fu, yakuman=True, price=price)
    rows = [(row, han, places) for row, han, find in ordinary if (places := find(view)) is not None]
    rows += [(row, han, None) for row, han in situation.yaku]
    if not rows:
        return None
    replaced = [key for row, _, _ in rows for key in row.replaces]
    if replaced:
        rows = [entry for entry in rows if entry[0].key not in replaced]
    han = sum([han for _, han, _ in rows]) + sum([line.value for line in dora])
    price = price_of(han, fu, kiriage=counting.kiriage, kazoe=counting.kazoe)
    return Counted(context, view, views, tuple(rows), dora, items, han, fu, yakuman=False, price=price)


@cache
def _tests(further: tuple[Yaku, ...], *, closed: bool) -> tuple[_Tests, _Tests]:
    """The ordinary yaku and the yakuman that the tiles of a closed or an open hand can make, each with its han."""
    rows = [row for row in (*YAKU.values(), *further) if row.table is Table.TILES]
    tests = [(row, row.closed if closed else row.open, row.find) for row in rows]
    counting = [test for test in tests if test[1]]
    return (
        tuple(test for test in counting if not test[0].is_yakuman),
        tuple(test for test in counting if test[0].is_yakuman),
    )


def _single(count: Counted) -> Counted:
    """The count where several yakuman are worth the dearest of them."""
    dearest = max(count.yaku, key=itemgetter(1))
    return count._replace(
        yaku=(dearest,),
        han=dearest[1],
        price=price_of_yakuman(dearest[1] // YAKUMAN_HAN),
        dropped=tuple(excluded(row.key, dearest[0].key) for row, _, _ in count.yaku if row is not dearest[0]),
    )
