"""Tiles of hands that a game sets aside like flowers, such as the norths of three players: which of them lie beside.

Such a face may lie anywhere near the hand. The layout takes a face in line with the hand for a part of it at first; the
hand is then no complete one.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile

from tilescore.vision.hand_prior.melds import KONG
from tilescore.vision.layout.scene import NEAR, Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """A hand as it is laid out first."""

    groups: Sequence[tuple[int, ...]]  # its tiles as they lie, one tuple for each group that stands apart
    melds: Collection[tuple[int, ...]]
    size: int  # tiles of the hand, a kong counted as three
    whole: int  # tiles of a complete hand


def near(scene: Scene, free: Collection[int], hand: Sequence[int]) -> list[int]:
    """The faces of those that lie near the hand, or near one that does."""
    reached, found = [*hand], list[int]()
    while more := [at for at in free if at not in found and float(scene.gaps[at, reached].min()) < NEAR]:
        found += more
        reached += more
    return found


def set_aside(laid: Laid, free: Collection[int]) -> tuple[int, ...]:
    """The faces at an end of an incomplete hand that are set aside; none where the hand needs them.

    Without them the hand has all tiles of a complete one, or lacks one. They stand apart, or the hand is too large.

    `free` are the faces that the game may set aside.
    """
    for groups in (laid.groups, [group[::-1] for group in laid.groups[::-1]]):
        run = tuple(takewhile(free.__contains__, chain.from_iterable(groups)))
        for many in range(len(run), 0, -1):
            outer = {*run[:many]}
            kongs = sum(len(meld) == KONG and outer >= {*meld} for meld in laid.melds)
            apart = all(outer.isdisjoint(group) or outer >= {*group} for group in groups)
            if laid.size - many + kongs in (laid.whole - 1, laid.whole) and (apart or laid.size > laid.whole):
                return run[:many]
    return ()
