"""Tiles of hands that a game sets aside like flowers, such as the norths of three players: which of them lie beside.

Such a face may lie anywhere near the hand. The layout takes a face in line with the hand for a part of it at first; the
hand is then no complete one.
"""

from collections.abc import Collection, Sequence
from itertools import chain, takewhile

from tilescore.vision.hand_prior.melds import KONG
from tilescore.vision.layout.scene import NEAR, Scene


def near(scene: Scene, free: Collection[int], hand: Sequence[int]) -> list[int]:
    """The faces of those that lie near the hand, or near one that does."""
    reached, found = [*hand], list[int]()
    while more := [at for at in free if at not in found and float(scene.gaps[at, reached].min()) < NEAR]:
        found += more
        reached += more
    return found


def set_aside(
    laid: Sequence[tuple[int, ...]], melds: Collection[tuple[int, ...]], free: Collection[int], *, size: int, whole: int
) -> tuple[int, ...]:
    """The faces at an end of an incomplete hand that are set aside; none where the hand needs them.

    Without them the hand has all tiles of a complete one, or lacks one. They stand apart, or the hand is too large.

    Args:
        laid: the tiles of the hand as they lie first, one tuple for each group that stands apart.
        melds: its melds.
        free: the faces that the game may set aside.
        size: tiles of the hand, a kong counted as three.
        whole: tiles of a complete hand.
    """
    for groups in (laid, [group[::-1] for group in laid[::-1]]):
        run = tuple(takewhile(free.__contains__, chain.from_iterable(groups)))
        for many in range(len(run), 0, -1):
            outer = {*run[:many]}
            kongs = sum(len(meld) == KONG and outer >= {*meld} for meld in melds)
            apart = all(outer.isdisjoint(group) or outer >= {*group} for group in groups)
            if size - many + kongs in (whole - 1, whole) and (apart or size > whole):
                return run[:many]
    return ()
