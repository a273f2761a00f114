"""One judged photo, compared with its reading."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tilescore.vision.decoding.config import DECODING
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.layout.layout import Role

if TYPE_CHECKING:
    from tilescore.datasets.layouts.judged import JudgedPhoto
    from tilescore.vision.layout.model import LayoutModel


@dataclass(frozen=True, slots=True)
class PhotoResult:
    """The reading of one judged photo, compared with its truth.

    Attributes:
        photo: the photo.
        layout_ms: time from boxes to the reading, milliseconds.
        claimed: whether the reading claims a hand.
        tiles: whether the tiles of the hand are exactly right, flowers and seasons aside.
        roles: whether every role is right.
        melds: whether the declared sets are exactly right.
        winning: whether the winning tile is right; None where the truth names none and none is claimed.
        asked: whether the reading has a doubt.
    """

    photo: JudgedPhoto
    layout_ms: float
    claimed: bool
    tiles: bool
    roles: bool
    melds: bool
    winning: bool | None
    asked: bool


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
    winning = None
    if reading.winning is not None or photo.winning is not None:
        winning = reading.winning == photo.winning
    return PhotoResult(
        photo=photo,
        layout_ms=layout_ms,
        claimed=bool(claimed),
        tiles=claimed == photo.hand,
        roles=(concealed, melds, bonus) == (photo.concealed, photo.melds, photo.bonus) and winning is not False,
        melds=melds == photo.melds,
        winning=winning,
        asked=bool(reading.doubts),
    )
