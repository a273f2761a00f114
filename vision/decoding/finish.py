"""The hand of a reading as a finished one: with as many tiles as the game needs, and with a winning tile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilescore.base.errors import InputError
from tilescore.vision.layout.layout import Role

if TYPE_CHECKING:
    from tilescore.scoring.tiles import Tile
    from tilescore.vision.decoding.reading import Reading


def with_winning(reading: Reading, tile: Tile) -> Reading:
    """The reading in which this tile, the last one if there are several, completed the hand; raises InputError."""
    place = next((index for index in reversed(reading.concealed) if reading.detections[index].tile == tile), None)
    if place is None:
        seen = " ".join(str(reading.detections[index].tile) for index in reading.concealed)
        raise InputError(
            "winning_tile_not_seen",
            f"winning tile {tile}: no such tile among the concealed ones that were read ({seen}).",
        )
    return reading.with_role(place, Role.WINNING)


def with_last_as_winning(reading: Reading) -> Reading:
    """The reading with the last tile of the row as the winning one; as it is where a winning tile is set apart."""
    if reading.winning is not None or not reading.concealed:
        return reading
    return reading.with_role(reading.concealed[-1], Role.WINNING)


def check_size(reading: Reading, size: int) -> None:
    """Raise InputError unless the hand has so many tiles, a kong counted as three."""
    if reading.size != size:
        raise InputError(
            "tile_count",
            f"{reading.size} tiles seen in '{reading.photo_name}' (a kong counts three): a finished hand has "
            f"{size}; lay all of them open in one picture, a little apart from other tiles.",
            count=reading.size,
        )
