"""A won hand in the form that the lines test: one split of its tiles, or the flowers that won alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tilescore.scoring.shapes.decompose import GroupKind

if TYPE_CHECKING:
    from tilescore.scoring.context import Context
    from tilescore.scoring.hand import Hand
    from tilescore.scoring.shapes.decompose import Decomposition, Group, Shape
    from tilescore.scoring.tiles import Tile

Found = tuple[tuple["Tile", ...], ...]
"""The tiles of each instance of a line; an instance about the win has none."""
ONCE: Final[Found] = ((),)
NOT: Final[Found] = ()
_ALIKE: Final = (GroupKind.PUNG, GroupKind.KONG)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One way to read a won hand.

    Attributes:
        hand, context: the hand and its circumstances.
        kinds: its tiles but the bonus ones, red fives as plain ones (S-ALL-7, scoring/sources.md).
        waits: the kinds that could have completed it; those of which it holds all four are none.
        shape: its form; None for a win by flowers.
        groups: its groups; none for a win by flowers.
        ended: the group that the winning tile completed; None for a win by flowers.
        chows, pungs: its chows, and its pungs and kongs.
        pair: the tile of the pair of a hand of sets, else None.
    """

    hand: Hand
    context: Context
    kinds: frozenset[Tile]
    waits: tuple[Tile, ...] = ()
    shape: Shape | None = None
    groups: tuple[Group, ...] = ()
    ended: Group | None = None
    chows: tuple[Group, ...] = ()
    pungs: tuple[Group, ...] = ()
    pair: Tile | None = None

    @staticmethod
    def of(hand: Hand, context: Context, split: Decomposition, *, waits: tuple[Tile, ...]) -> View:
        """The view of one split of a hand that names its winning tile."""
        pairs = [group.tile for group in split.groups if group.kind is GroupKind.PAIR]
        return View(
            hand=hand,
            context=context,
            kinds=frozenset(tile.plain for tile in hand.tiles),
            waits=waits,
            shape=split.shape,
            groups=split.groups,
            ended=None if split.winning_group is None else split.groups[split.winning_group],
            chows=tuple(group for group in split.groups if group.kind is GroupKind.CHOW),
            pungs=tuple(group for group in split.groups if group.kind in _ALIKE),
            pair=pairs[0] if len(pairs) == 1 else None,
        )

    @staticmethod
    def of_flowers(hand: Hand, context: Context) -> View:
        """The view of a win by flowers."""
        return View(hand=hand, context=context, kinds=frozenset())

    @property
    def sets(self) -> int:
        """How many sets a hand of sets and a pair has; 0 for another form."""
        return len(self.chows) + len(self.pungs) if self.pair is not None else 0

    @property
    def suits(self) -> frozenset[str]:
        """Letters of the suits present, honours left out."""
        return frozenset(tile.suit for tile in self.kinds if tile.is_suited)

    @property
    def has_honors(self) -> bool:
        """Whether a wind or dragon is present."""
        return any(tile.is_honor for tile in self.kinds)

    @property
    def claimed(self) -> int:
        """How many sets were claimed; a concealed kong is not."""
        return len(self.hand.exposed_melds)

    @property
    def concealed_pungs(self) -> int:
        """How many pungs and kongs are of tiles from the wall; one that a discard ended is not."""
        return sum(group.concealed for group in self.pungs)

    @property
    def every_tile(self) -> Found:
        """One instance of the whole hand."""
        return (tuple(sorted(self.hand.tiles)),)


def once(holds: bool) -> Found:  # noqa: FBT001  (reads well: `once(view.claimed == 0)`)
    """One instance without tiles if that holds."""
    return ONCE if holds else NOT
