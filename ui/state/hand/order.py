"""The order in which the concealed tiles of a photo are shown, and places for tiles that are not on it."""

from collections.abc import Sequence

from tilescore.vision.decoding.reading import Reading
from tilescore.vision.image.boxes import Box


def in_reading_order(
    reading: Reading, groups: Sequence[tuple[int, ...]], *, arranged: Sequence[int] = ()
) -> tuple[int, ...]:
    """The tiles of these groups in one row: tiles that a person took or added one by one go where they lie.

    `groups` are those of concealed tiles, as the layout gives them. Tiles that came later than those that the person
    arranged follow their neighbour.
    """
    named = {index for index, tile in enumerate(reading.seen) if tile.presence == 1 and len(tile.names) == 1}
    taken = named.union(index for index, _ in reading.fixed_roles)
    apart = [group[0] for group in groups if len(group) == 1 and group[0] in taken]
    row = _with(reading, [index for group in groups for index in group if index not in apart], apart)
    if arranged:
        kept = [index for index in arranged if index in row]
        row = _with(reading, kept, [index for index in row if index not in kept])
    return tuple(row)


def beside(reading: Reading) -> Box:
    """A box to the right of the hand, as large as its last tile: for a tile that is not on the photo."""
    boxes = [reading.detections[index].box for index in reading.layout.order]
    last = max(boxes, key=lambda box: box.x1, default=Box(0, 0, 30, 40))
    return last.moved(2 * last.width, 0)


def _with(reading: Reading, row: Sequence[int], further: Sequence[int]) -> list[int]:
    """The row with further tiles: each before the first tile of its line that lies further right, else at the end."""
    boxes = [detection.box for detection in reading.detections]
    filled = [*row]
    for index in further:
        box = boxes[index]
        in_line = (
            place
            for place, other in enumerate(filled)
            if abs(boxes[other].center[1] - box.center[1]) < box.height / 2 and boxes[other].x0 > box.x0
        )
        filled.insert(next(in_line, len(filled)), index)
    return filled
