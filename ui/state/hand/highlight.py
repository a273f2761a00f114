"""The tiles of the hand that a score line is about."""

from tilescore.scoring.score import ScoreLine
from tilescore.ui.state.hand.work import Work
from tilescore.vision.layout.layout import Role


def tiles_of(work: Work, line: ScoreLine) -> frozenset[int]:
    """The tiles of that line by `at`; the winning tile for a line about the win itself.

    >>> from tilescore.scoring.hand import Hand
    >>> from tilescore.scoring.score import ScoreLine
    >>> from tilescore.scoring.tiles import parse_tiles
    >>> from tilescore.ui.state.hand.work import Work
    >>> sorted(tiles_of(Work.of(Hand.parse("11223m")), ScoreLine(key="x", tiles=parse_tiles("123m"))))
    [0, 2, 4]
    """
    if not line.tiles:
        return frozenset(at for at in work.order if work.role(at) is Role.WINNING)
    free = list(work.order)
    places: list[int] = []
    for tile in line.tiles:
        exact = next((at for at in free if work.tile(at) == tile), None)
        at = exact if exact is not None else next((at for at in free if work.tile(at).plain == tile.plain), None)
        if at is not None:
            free.remove(at)
            places.append(at)
    return frozenset(places)
