"""One judged photo, compared with its reading."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tilescore.vision.decoding.config import DECODING
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.layout.layout import Role

if TYPE_CHECKING:
    from tilescore.datasets.layouts.judged import JudgedPhoto
    from tilescore.vision.layout.model import LayoutModel


LARGEST_OF_FOUR_SETS: Final = 14


@dataclass(frozen=True, slots=True)
class PhotoResult:
    """The reading of one judged photo, compared with its truth."""

    photo: JudgedPhoto  # the photo
    layout_ms: float  # time from boxes to the reading, milliseconds
    claimed: bool  # whether the reading claims a hand
    exact: bool  # whether the tiles of the hand are exactly right, each of them seen and rightly named, flowers aside
    tiles: bool  # the same of the tiles that have a box, whatever their names
    roles: bool  # whether every role is right
    melds: bool  # whether the declared sets are exactly right
    invented: bool  # whether a set is called declared that is not
    winning: bool | None  # whether the winning tile is right; None where the truth names none and none is claimed
    asked: bool  # whether the reading has a doubt
    # whether a person must say which tiles are the hand, or which sets are declared, although these are right
    needless: bool
    silent_sets: bool  # whether declared sets are wrong and nothing asks about them

    @property
    def is_large(self) -> bool:
        """Whether the hand is one of the sixteen-tile game."""
        return self.photo.size > LARGEST_OF_FOUR_SETS


def compare(photo: JudgedPhoto, model: LayoutModel | None = None) -> PhotoResult:
    """Read the boxes of a photo with a model of layouts, by default the shipped one, and compare the roles."""
    config = replace(DECODING, layout=model)
    start = time.perf_counter()
    reading = Reading.of(photo.detections, photo_name=photo.name, size_wh=photo.size_wh, config=config)
    layout_ms = 1000 * (time.perf_counter() - start)
    concealed = frozenset(reading.concealed)
    melds = frozenset(frozenset(place.members) for place in reading.layout.melds)
    bonus = frozenset(reading.indices(Role.BONUS))
    claimed = concealed.union(*melds)
    tiles_right, sets_right = claimed == photo.hand, melds == photo.melds
    asked = {doubt.code for doubt in reading.doubts}
    winning = None
    if reading.winning is not None or photo.winning is not None:
        winning = reading.winning == photo.winning
    return PhotoResult(
        photo=photo,
        layout_ms=layout_ms,
        claimed=bool(claimed),
        exact=tiles_right
        and not photo.missing
        and all(reading.detections[at].tile == tile for at, tile in photo.names.items()),
        tiles=tiles_right,
        roles=(concealed, melds, bonus) == (photo.concealed, photo.melds, photo.bonus) and winning is not False,
        melds=sets_right,
        invented=not melds <= photo.melds,
        winning=winning,
        asked=bool(asked),
        needless=(tiles_right and "which_hand" in asked) or (sets_right and "declared" in asked),
        silent_sets=not sets_right and asked.isdisjoint(("which_hand", "declared")),
    )
