"""A won hand in the form that the lines test: one split of its tiles, or the flowers that won alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tilescore.scoring.context import Context
from tilescore.scoring.hand import Hand
from tilescore.scoring.shapes.decompose import Decomposition, Group, GroupKind
from tilescore.scoring.shapes.waiting import waits
from tilescore.scoring.shapes.winning import Shape
from tilescore.scoring.tiles import ORDER, Tile

Found = tuple[tuple["Tile", ...], ...]
"""The tiles of each instance of a line; an instance about the win has none."""
ONCE: Final[Found] = ((),)
NOT: Final[Found] = ()
_ALIKE: Final = (GroupKind.PUNG, GroupKind.KONG)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One way to read a won hand."""

    hand: Hand
    context: Context
    # its tiles but the bonus ones, red fives as plain ones (S-ALL-7, scoring/sources.md)
    kinds: frozenset[Tile] = frozenset()
    suits: frozenset[str] = frozenset()  # letters of the suits present, honours left out
    has_honors: bool = False  # whether a wind or dragon is present
    claimed: int = 0  # how many sets were claimed; a concealed kong is not
    every_tile: Found = NOT  # one instance of the whole hand
    shapes: frozenset[Shape] = frozenset()  # the forms of a complete hand in its game
    shape: Shape | None = None  # its form; None for a win by flowers
    groups: tuple[Group, ...] = ()  # its groups; none for a win by flowers
    ended: Group | None = None  # the group that the winning tile completed; None for a win by flowers
    # chows, pungs: its chows, and its pungs and kongs
    chows: tuple[Group, ...] = ()
    pungs: tuple[Group, ...] = ()
    honors: tuple[Group, ...] = ()  # the pungs and kongs of winds and dragons
    concealed_pungs: int = 0  # how many pungs and kongs are of tiles from the wall; one that a discard ended is not
    pair: Tile | None = None  # the tile of the pair of a hand of sets, else None

    @staticmethod
    def all_of(
        hand: Hand, context: Context, splits: tuple[Decomposition, ...], *, shapes: frozenset[Shape]
    ) -> tuple[View, ...]:
        """The view of each split of a hand that names its winning tile."""
        kinds = frozenset([tile.plain for tile in hand.tiles])
        suits = {tile.suit for tile in kinds}
        whole = {
            "hand": hand,
            "context": context,
            "kinds": kinds,
            "suits": frozenset(suits - {"z"}),
            "has_honors": "z" in suits,
            "claimed": sum([not meld.concealed for meld in hand.melds]),
            "every_tile": (tuple(sorted(hand.tiles, key=ORDER.__getitem__)),),
            "shapes": shapes,
        }
        return tuple([_view(whole, split) for split in splits])

    @property
    def waits(self) -> tuple[Tile, ...]:
        """The kinds that could have completed it; those of which it holds all four are none."""
        return waits(self.hand, self.shapes)

    @property
    def sets(self) -> int:
        """How many sets a hand of sets and a pair has; 0 for another form."""
        return len(self.chows) + len(self.pungs) if self.pair is not None else 0


def _view(whole: Mapping[str, Any], split: Decomposition) -> View:
    chows, pungs, pairs = [], [], []
    for group in split.groups:
        if group.kind is GroupKind.CHOW:
            chows.append(group)
        elif group.kind is GroupKind.PAIR:
            pairs.append(group.tile)
        elif group.kind in _ALIKE:
            pungs.append(group)
    return View(
        **whole,
        shape=split.shape,
        groups=split.groups,
        ended=None if split.winning_group is None else split.groups[split.winning_group],
        chows=tuple(chows),
        pungs=tuple(pungs),
        honors=tuple([group for group in pungs if group.tiles[0].is_honor]),
        concealed_pungs=sum([group.concealed for group in pungs]),
        pair=pairs[0] if len(pairs) == 1 else None,
    )


def once(holds: bool) -> Found:  # noqa: FBT001  (reads well: `once(view.claimed == 0)`)
    """One instance without tiles if that holds."""
    return ONCE if holds else NOT
