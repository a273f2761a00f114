"""A complete hand in the form that the fans test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tilescore.scoring.context import NO_OCCASION, Context, WinBy
from tilescore.scoring.hand import Hand, MeldKind
from tilescore.scoring.shapes.decompose import Decomposition, Group, GroupKind
from tilescore.scoring.shapes.winning import ONES, SUIT_BITS, SUIT_MASK, Shape, four_times, pack
from tilescore.scoring.tiles import Tile

ONE_SUIT, OTHER_SHAPE, CHOW, PUNG, KONG, WAIT, OCCASION = (1 << bit for bit in range(7))
"""What a hand must have so that a fan is looked for, as bits: tiles of one suit beside honours, another form than four
sets and a pair, a chow, a pung or kong, a kong, a wait for a single kind, an occasion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """What all splits of a hand share."""

    hand: Hand
    context: Context
    kinds: int  # the kinds of its tiles, one bit each (`winning.UNIT`)
    suits: int  # how many suits are present, honours left out
    honors: bool  # whether a wind or dragon is present
    fours: tuple[Tile, ...]  # kinds held four times without being declared a kong
    claimed: int  # how many melds were claimed, concealed kongs left out
    one_wait: bool  # whether exactly one kind of tile completed the hand; False where no fan depends on it

    @staticmethod
    def of(hand: Hand, context: Context, *, one_wait: bool) -> Whole:
        """The common part of a complete hand whose winning tile is known."""
        undeclared = pack(hand.concealed)
        packed = undeclared
        for meld in hand.melds:
            tiles = pack(meld.tiles)
            packed += tiles
            undeclared += 0 if meld.kind is MeldKind.KONG else tiles
        kinds = (packed | packed >> 1 | packed >> 2) & ONES
        return Whole(
            hand=hand,
            context=context,
            kinds=kinds,
            suits=sum([kinds >> place & SUIT_MASK > 0 for place in (0, SUIT_BITS, 2 * SUIT_BITS)]),
            honors=kinds >> 3 * SUIT_BITS > 0,
            fours=four_times(undeclared),
            claimed=sum([not meld.concealed for meld in hand.melds]),
            one_wait=one_wait,
        )

    @property
    def by_discard(self) -> bool:
        """Whether the winning tile was a discard or a robbed tile."""
        return self.context.win_by is WinBy.DISCARD


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One split of the hand."""

    whole: Whole
    split: Decomposition
    chows: tuple[Tile, ...]  # lowest tile of each chow; `chow_at` the index of its group
    chow_at: tuple[int, ...]
    pungs: tuple[Tile, ...]  # tile of each pung and kong; `pung_at` the index of its group
    pung_at: tuple[int, ...]
    pair: Tile | None  # tile of the pair of a hand of sets, else None
    concealed_pungs: int  # how many pungs and kongs are concealed
    # concealed_kongs, melded_kongs: how many kongs of each sort there are
    concealed_kongs: int
    melded_kongs: int
    offers: int  # what it has of what a fan may need, as bits

    @staticmethod
    def of(whole: Whole, split: Decomposition) -> View:
        """The view of one decomposition."""
        groups, pair = split.groups, None
        chow_at, pung_at, kongs = [], [], []
        for place, group in enumerate(groups):
            kind = group.kind
            if kind is GroupKind.CHOW:
                chow_at.append(place)
            elif kind is GroupKind.PAIR:
                pair = group.tile
            elif kind in _ALIKE:
                pung_at.append(place)
                if kind is GroupKind.KONG:
                    kongs.append(group.concealed)
        return View(
            whole=whole,
            split=split,
            chows=tuple([groups[place].tile for place in chow_at]),
            chow_at=tuple(chow_at),
            pungs=tuple([groups[place].tile for place in pung_at]),
            pung_at=tuple(pung_at),
            pair=pair if split.shape in _OF_SETS else None,
            concealed_pungs=sum([groups[place].concealed for place in pung_at]),
            concealed_kongs=sum(kongs),
            melded_kongs=len(kongs) - sum(kongs),
            offers=ONE_SUIT * (whole.suits == 1)
            | OTHER_SHAPE * (split.shape is not Shape.STANDARD)
            | CHOW * bool(chow_at)
            | PUNG * bool(pung_at)
            | KONG * bool(kongs)
            | WAIT * whole.one_wait
            | OCCASION * (whole.context.occasions is not NO_OCCASION),
        )

    @property
    def shape(self) -> Shape:
        """The form of the hand."""
        return self.split.shape

    @property
    def groups(self) -> tuple[Group, ...]:
        """Sets, pairs and other groups of the split."""
        return self.split.groups

    def groups_where(self, holds: Callable[[Group], bool]) -> tuple[tuple[int, ...], ...]:
        """One match of all the groups for which that holds."""
        return (tuple([place for place, group in enumerate(self.groups) if holds(group)]),)

    @property
    def kongs(self) -> int:
        """How many kongs were declared."""
        return self.concealed_kongs + self.melded_kongs

    @property
    def last_group(self) -> Group | None:
        """The group that the winning tile completed; None if another kind could have completed the hand too."""
        place = self.split.winning_group
        return self.groups[place] if self.whole.one_wait and place is not None else None


def is_kong(group: Group) -> bool:
    """Whether it is a kong."""
    return group.kind is GroupKind.KONG


def is_concealed_kong(group: Group) -> bool:
    """Whether it is a concealed kong."""
    return is_kong(group) and group.concealed


def is_melded_kong(group: Group) -> bool:
    """Whether it is a melded kong."""
    return is_kong(group) and not group.concealed


def is_concealed_pung(group: Group) -> bool:
    """Whether it is a concealed pung or a concealed kong."""
    return group.kind in _ALIKE and group.concealed


_ALIKE = (GroupKind.PUNG, GroupKind.KONG)
_OF_SETS = (Shape.STANDARD, Shape.KNITTED_STRAIGHT)
