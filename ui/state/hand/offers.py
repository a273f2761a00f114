"""What one tap can settle about the tiles of a photo: all of them, one of two hands, open sets, indicators."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tilescore.scoring.plausibility import MOST_INDICATORS
from tilescore.scoring.tiles import Tile
from tilescore.ui.state.hand.work import Work
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.image.rows import find_rows
from tilescore.vision.layout.layout import Role

_LEAST_ROW: Final = 3
"""A row is offered as the hand from this many tiles on (chosen)."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A button for an edit, with `offer.KEY` of the catalogues as words; a tap on the outlined tiles is one on it."""

    key: str
    event: Mapping[str, Any]
    params: Mapping[str, int] = field(default_factory=dict)
    outlines: tuple[tuple[int, ...], ...] = ()


def offers_for(work: Work, *, whole: int) -> tuple[Offer, ...]:
    """The buttons for the open questions about the hand, those about several hands first.

    `whole` is the number of tiles of a complete hand, a kong counted as three.
    """
    return tuple(_which_hand(work.reading)) or tuple(_all_tiles(work, work.reading, whole))


def open_sets(work: Work) -> tuple[tuple[int, ...], ...]:
    """The sets of which it is open whether they were declared; none while it is open which tiles are the hand."""
    doubts = work.reading.doubts
    if any(doubt.code == "which_hand" for doubt in doubts):
        return ()
    return tuple(members for doubt in doubts if doubt.code == "declared" for members in doubt.candidates)


def seen_indicators(work: Work, known: tuple[Tile, ...]) -> tuple[int, ...]:
    """The tiles that lie like dora indicators in the photo and that nobody has counted or refused.

    `known` are the indicators that count.
    """
    decided = dict(work.reading.fixed_roles)
    counted = Counter(known) - Counter(work.indicators(Role.DORA_INDICATOR))
    indicators = [at for at, role in enumerate(work.reading.layout.roles) if role is Role.DORA_INDICATOR]
    fresh = [at for at in indicators if at not in decided and not counted[work.tile(at)]]
    return tuple(fresh[: max(0, MOST_INDICATORS - len(known))])


def rows_of(reading: Reading) -> tuple[tuple[int, ...], ...]:
    """The rows in which the tiles lie, those that are too short to be a hand left out."""
    rows = find_rows([detection.box for detection in reading.detections])
    return tuple(row.members for row in rows if len(row.members) >= _LEAST_ROW)


def _which_hand(reading: Reading) -> Iterator[Offer]:
    for doubt in reading.doubts:
        if doubt.code == "which_hand":
            for number, members in enumerate(doubt.candidates, start=1):
                event = {"do": "hand", "members": list(members)}
                yield Offer("hand", event, {"number": number, "n": len(members)}, (members,))


def _all_tiles(work: Work, reading: Reading, whole: int) -> Iterator[Offer]:
    """All tiles in the picture, if together they can be one hand and what is taken is none."""
    aside = [
        index
        for index, detection in enumerate(reading.detections)
        if reading.role(index) not in (Role.CONCEALED, Role.WINNING, Role.MELD, Role.BONUS)
        and not detection.tile.is_back
    ]
    tiles = sum(not reading.detections[index].tile.is_bonus for index in (*aside, *work.order))
    kongs_alone = whole + (whole - 2) // 3  # sets of four and a pair
    if aside and work.size < whole - 1 and tiles <= kongs_alone:
        event = {"do": "roles", "members": aside, "role": str(Role.CONCEALED)}
        yield Offer("take_all" if work.order else "take_seen", event, {"n": len(aside)})
