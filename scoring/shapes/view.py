"""A hand in the form that the lines of all rulesets test: its tiles, one split of them, and how the winning tile fits.

Counts are packed, and kinds are bits, as in `winning`; red fives are plain fives there.
"""

from collections.abc import Callable
from typing import Any, Final, Generic, NamedTuple, TypeVar

from tilescore.scoring.hand import Hand
from tilescore.scoring.shapes.decompose import Group, GroupKind, declared, splits
from tilescore.scoring.shapes.kinds import HONORS, OF_SUIT
from tilescore.scoring.shapes.winning import ALL_SHAPES, ONES, UNIT, Shape, pack
from tilescore.scoring.tiles import Tile

C = TypeVar("C")
PAIR_WAIT: Final = "pair_wait"
CLOSED_WAIT: Final = "closed_wait"
EDGE_WAIT: Final = "edge_wait"
"""The waits for one kind: the second tile of a pair, the middle of a chow, the 3 of 123 or the 7 of 789."""
_CHOW, _PUNG, _KONG, _PAIR = GroupKind.CHOW, GroupKind.PUNG, GroupKind.KONG, GroupKind.PAIR
_M, _P, _S = OF_SUIT
"""A name is found faster than a member of a class, and every hand asks for these."""


class View(NamedTuple, Generic[C]):
    """One way to read a hand."""

    hand: Hand
    context: C  # how it was won: the `Context`, or what a ruleset makes of it
    one_wait: bool = False  # whether one kind alone could have completed the hand, as far as the ruleset asks
    packed: int = 0  # counts of all its tiles
    kinds: int = 0  # the kinds that it holds
    suits: int = 0  # how many suits it holds
    honors: bool = False  # whether it holds a wind or dragon
    claimed: int = 0  # how many sets were claimed; a concealed kong is not
    shape: Shape | None = None  # its form; None for a hand that did not win, or won by flowers
    # its groups, concealed ones first, then the declared sets in the order of the hand; none for a win by flowers
    groups: tuple[Group, ...] = ()
    ended: int | None = None  # index of the group that the winning tile ended; None if the hand names no winning tile
    wait: str = ""  # one of the waits for one kind, as far as that group decides it; else empty
    chows: tuple[Tile, ...] = ()  # lowest tile of each chow; `chow_at` the index of its group
    chow_at: tuple[int, ...] = ()
    pungs: tuple[Tile, ...] = ()  # tile of each pung and kong; `pung_at` the index of its group
    pung_at: tuple[int, ...] = ()
    concealed_at: tuple[int, ...] = ()  # indexes of the pungs and kongs without a tile of another player
    kong_at: tuple[int, ...] = ()  # indexes of the kongs
    pair: Tile | None = None  # tile of its pair; None without exactly one

    @property
    def before(self) -> int:
        """Counts of its tiles without the winning one."""
        won = self.hand.winning_tile
        return self.packed if won is None else self.packed - UNIT[won]

    @property
    def tiles(self) -> tuple[tuple[Tile, ...], ...]:
        """The tiles of the groups, red fives in their places.

        A red winning tile goes to its group, any other red five to the first group of concealed tiles with room.
        """
        shown, won = [group.tiles for group in self.groups], self.hand.winning_tile
        for red in [tile for tile in self.hand.concealed if not tile.rank] if shown else ():
            unit, kept = UNIT[red], self.ended if won is red.plain else None
            room = (at for at, group in enumerate(self.groups) if (group.packed // unit & 7) > (at == kept))
            at = self.ended if red is won and self.ended is not None else next(room)
            place = shown[at].index(red.plain)
            shown[at] = (*shown[at][:place], red, *shown[at][place + 1 :])
        return tuple(shown)


def views(
    hand: Hand,
    context: C,
    *,
    by_discard: bool,
    shapes: frozenset[Shape] = ALL_SHAPES,
    pair_last: bool = True,
    one_wait: Callable[[Hand], bool] | None = None,
) -> list[View[C]]:
    """Every distinct way to split a complete hand, and every group that its winning tile may have completed.

    Equal groups count as one. Without a winning tile each split is listed once. An incomplete hand has no split. A
    winning discard opens its group (S-ALL-2, scoring/sources.md). The pair of a hand of sets follows the sets or,
    without `pair_last`, lies among those of its suit. `one_wait` says whether one kind alone completes a hand.
    """
    packed = pack(hand.concealed)
    ways = splits(packed, len(hand.melds), shapes, pair_last=pair_last)
    if not ways:
        return []
    whole = _whole(hand, context, packed, one_wait=one_wait is not None and one_wait(hand))
    sets = tuple([declared(meld) for meld in hand.melds]) if hand.melds else ()
    return [
        _view(whole, shape, groups + sets, place, opened=place if by_discard else None)
        for shape, groups in ways
        for place in _places(groups, hand.winning_tile)
    ]


def view_of(hand: Hand, context: C, groups: tuple[Group, ...]) -> View[C]:
    """The view of a hand that did not win, in these groups."""
    return _view(_whole(hand, context, pack(hand.concealed), one_wait=False), None, groups, None, opened=None)


def _places(groups: tuple[Group, ...], winning_tile: Tile | None) -> list[int] | list[None]:
    """Indexes of the groups that hold the winning tile; of equal groups, which are neighbours, only the first."""
    if winning_tile is None:
        return [None]
    copies = 7 * UNIT[winning_tile]  # as bits: comparing tiles takes longer
    return [
        place
        for place, group in enumerate(groups)
        if group.packed & copies and (not place or group != groups[place - 1])
    ]


def _whole(hand: Hand, context: C, packed: int, *, one_wait: bool) -> tuple[Any, ...]:
    """What all views of a hand with these packed concealed tiles share: the first fields of a view."""
    claimed = 0
    if hand.melds:
        packed = pack(hand.tiles)
        claimed = sum([not meld.concealed for meld in hand.melds])
    kinds = (packed | packed >> 1 | packed >> 2) & ONES
    suits = (kinds & _M > 0) + (kinds & _P > 0) + (kinds & _S > 0)
    return hand, context, one_wait, packed, kinds, suits, kinds & HONORS > 0, claimed


def _view(
    whole: tuple[Any, ...], shape: Shape | None, groups: tuple[Group, ...], ended: int | None, *, opened: int | None
) -> View[Any]:
    """The view of this split; a discard `opened` one of the groups."""
    chows, chow_at, pungs, pung_at, concealed_at, kong_at, pairs = [], [], [], [], [], [], []
    for at, (kind, _, tile, _, concealed) in enumerate(groups):
        if kind is _CHOW:
            chows.append(tile)
            chow_at.append(at)
        elif kind is _PAIR:
            pairs.append(tile)
        elif kind is _PUNG or kind is _KONG:
            pungs.append(tile)
            pung_at.append(at)
            if concealed and at != opened:
                concealed_at.append(at)
            if kind is _KONG:
                kong_at.append(at)
    split = (
        shape,
        groups,
        ended,
        "" if ended is None else _wait(groups[ended], whole[0].winning_tile),
        tuple(chows),
        tuple(chow_at),
        tuple(pungs),
        tuple(pung_at),
        tuple(concealed_at),
        tuple(kong_at),
        pairs[0] if len(pairs) == 1 else None,
    )
    return View._make(whole + split)


def _wait(group: Group, won: Tile) -> str:
    """The wait for one kind that this tile ended; empty for the two ends of a chow, and for other groups."""
    if group.kind is _PAIR:
        return PAIR_WAIT
    return _WAITS.get((group.tile.rank, won.plain.rank), "") if group.kind is _CHOW else ""


_WAITS: Final = {(low, low + 1): CLOSED_WAIT for low in range(1, 8)} | {(1, 3): EDGE_WAIT, (7, 7): EDGE_WAIT}
"""The waits by the lowest rank of a chow and the rank of the winning tile."""
