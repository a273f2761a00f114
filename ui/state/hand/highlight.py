"""The tiles of the hand that a score line is about."""

from tilescore.scoring.score import ScoreLine
from tilescore.scoring.tiles import BACK
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
    free = {at: work.tile(at) for at in work.order}
    for group in work.groups:  # what lies face down has the face of its kong
        face = next((free[at].plain for at in group.members if not free[at].is_back), BACK)
        free |= {at: face for at in group.members if free[at].is_back}
    places: list[int] = []
    for tile in line.tiles:
        exact = next((at for at, face in free.items() if face == tile), None)
        at = exact if exact is not None else next((at for at, face in free.items() if face.plain == tile.plain), None)
        if at is not None:
            del free[at]
            places.append(at)
    return frozenset(places)
