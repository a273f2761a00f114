"""A look along a row: the strip of the picture with a row in it, made straight, in the pixels of the photo."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from tilescore.vision.arrays import Floats, Pixels
from tilescore.vision.classes import CLASS_OF
from tilescore.vision.classification.blank_faces import WHITE, blank_measures
from tilescore.vision.detection.config import AlongRowConfig
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import STRIDE, Box
from tilescore.vision.image.rows import find_rows
from tilescore.vision.image.straight import StraightRow, straight_row


class Corners(Protocol):
    """Finds the corners of faces."""

    def find(self, rgb: Pixels, boxes: Sequence[Box]) -> Floats:
        """Corners (N, 4, 2) of the faces in boxes, in pixels of the picture, clockwise."""
        ...


_CONFIG: Final = AlongRowConfig()


ROW_MEASURES: Final = ("white dragon by the classifier", "presence", "tint", "texture", "size", "off the row")
"""What speaks for a blank white dragon in a strip: two log-odds, two logarithms (`blank_measures`), the absolute
logarithm of its side in tiles, and whether it lies above or below the row."""


@dataclass(frozen=True, slots=True, eq=False)
class Strip:
    """The strip along a row."""

    row: StraightRow
    rgb: Pixels  # its pixels (H, W, 3)
    start: tuple[float, float]  # where its left and upper edges lie in the straight row
    tile_wh: tuple[int, int]  # size of a face in it, pixels
    picture_wh: tuple[int, int]  # size of the picture, pixels

    def long_side(self, tile_px: float) -> int:
        """The input of the detector, in pixels, in which a face is so wide."""
        return math.ceil(int(self.rgb.shape[1]) * tile_px / self.tile_wh[0] / STRIDE) * STRIDE

    def place(self, box: Box) -> Box:
        """Where a box of the strip lies in the straight row."""
        (width, height), (left, top) = self.tile_wh, self.start
        return Box(box.x0 / width + left, box.y0 / height + top, box.x1 / width + left, box.y1 / height + top)

    def in_picture(self, box: Box) -> Box:
        """The upright box in the picture around a box of the strip, as far as the picture goes."""
        x0, y0, x1, y1 = self.row.in_picture(self.place(box)).xyxy
        width, height = self.picture_wh
        return Box(max(0.0, x0), max(0.0, y0), min(float(width), x1), min(float(height), y1))


def rows_worth_a_look(rgb: Pixels, found: Sequence[Detection]) -> list[list[int]]:
    """The rows, as indices of detections in reading order, in which something speaks for a tile that is not seen.

    This is a gap as wide as a tile, a number of tiles that a hand may have less one or two, an end that is unsure, an
    end far smaller than the other, or a place beyond an end or above the row that has the colour of the faces.
    """
    rows = [row for row in find_rows([one.box for one in found]) if _has_names(found, row.members)]
    rows.sort(key=lambda row: -sum(math.sqrt(found[index].box.area) for index in row.members))
    chosen = []
    for row in rows[: _CONFIG.max_rows]:
        tiles = [found[index] for index in row.members]
        if _is_incomplete(tiles, np.array(row.direction)) or _is_blank_beside(rgb, tiles):
            chosen.append(list(row.members))
    return chosen


def _has_names(found: Sequence[Detection], members: Sequence[int]) -> bool:
    """Whether enough of the detections are faces with a name."""
    faces = [found[index] for index in members if not found[index].tile.is_back]
    return sum(face.confidence >= _CONFIG.min_confidence for face in faces) >= _CONFIG.min_faces


def _is_incomplete(row: Sequence[Detection], direction: Floats) -> bool:
    """Whether the row has such a number of tiles, such an end or such a gap."""
    ends = row[0], row[-1]
    if len(row) in _CONFIG.incomplete or any(end.tile.is_back or end.confidence < _CONFIG.sure for end in ends):
        return True
    small, large = sorted(math.sqrt(end.box.area) for end in ends)
    if small < _CONFIG.narrow_end * large:
        return True
    steps = np.diff(np.array([one.box.center for one in row]) @ direction).tolist()
    usual = [median(steps[max(0, at - 2) : at + 3]) for at in range(len(steps))]
    return any(step > _CONFIG.gap_steps * around for step, around in zip(steps, usual, strict=True))


def _is_blank_beside(rgb: Pixels, row: Sequence[Detection]) -> bool:
    """Whether a place of a tile beyond an end, or above a few of the tiles, is blank and has the colour of the faces.

    Above all of them it is the side of standing tiles.
    """
    boxes = [one.box for one in row]
    ends = [
        end.moved(end.center[0] - other.center[0], end.center[1] - other.center[1])
        for end, other in ((boxes[0], boxes[1]), (boxes[-1], boxes[-2]))
    ]
    above = [box.moved(0.0, -_CONFIG.above_heights * box.height) for box in boxes]
    faces = np.flatnonzero([not one.tile.is_back for one in row])
    places = [*boxes, *ends, *above]
    asked = np.arange(len(boxes), len(places))
    measures = blank_measures(rgb, places, faces, np.zeros(0, int), asked)
    alike = (measures[:, 0] < _CONFIG.beside_tint) & (measures[:, 1] < _CONFIG.max_texture)
    return bool(alike[:2].any() or 0 < alike[2:].sum() <= _CONFIG.max_above)


def strip_along(rgb: Pixels, boxes: Sequence[Box], corners: Corners) -> Strip | None:
    """The strip along the tiles in boxes, in reading order; None if they lie in no straight row."""
    first, last = (np.array(box.center) for box in (boxes[0], boxes[-1]))
    length = float(np.linalg.norm(last - first))
    if not length:
        return None
    row = straight_row(corners.find(rgb, boxes), tuple(((last - first) / length).tolist()))
    if row is None:
        return None
    reach = _CONFIG.margin_widths + min(max(_CONFIG.full_row - len(boxes), 1), _CONFIG.most_missing)
    before, after = (_free(row, rgb, side, reach) for side in (-1, 1))
    left, top = -before, -_CONFIG.margin_heights
    width, height = _CONFIG.tile_wh
    size_wh = (math.ceil((row.length + before + after) * width), math.ceil((1 + 2 * _CONFIG.margin_heights) * height))
    to_straight = np.array([(1 / width, 0, left), (0, 1 / height, top), (0, 0, 1)])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    pixels = cv2.warpPerspective(rgb, row.to_picture @ to_straight, size_wh, flags=flags, borderValue=(114, 114, 114))
    return Strip(row, np.asarray(pixels, np.uint8), (left, top), _CONFIG.tile_wh, (rgb.shape[1], rgb.shape[0]))


def _free(row: StraightRow, rgb: Pixels, side: int, reach: float) -> float:
    """How much of a reach beyond an end, in tile widths, lies in the picture and where tiles do not vanish."""
    height, width = rgb.shape[:2]
    picture = Box(0, 0, width, height)
    end = row.length if side > 0 else 0.0
    free, size = 0.0, _size(row, end)
    for share in np.linspace(0, 1, 9)[1:].tolist():
        beyond = share * reach
        here = _size(row, end + side * beyond)
        middle = row.corners(Box(end + side * beyond, 0.5, end + side * beyond, 0.5))[0]
        if not (size / _CONFIG.max_growth < here < size * _CONFIG.max_growth) or not picture.holds(tuple(middle)):
            break
        free = beyond
    return free


def _size(row: StraightRow, at: float) -> float:
    """The height of a tile there, in pixels of the picture."""
    corners = row.corners(Box(at - 0.25, 0.0, at + 0.25, 1.0))
    return float(np.linalg.norm(corners[0] - corners[3])) if np.isfinite(corners).all() else math.inf


def of_the_row(
    strip: Strip, fused: Sequence[Detection], probabilities: NDArray[np.float32], reported: Sequence[Detection]
) -> list[Detection]:
    """The tiles that a strip shows in its row, those that it surely shows beside it, and blank white dragons.

    The boxes are in its pixels. White dragons lie in the row or just above.

    `fused` are all detections in it, however faint, `reported` those that are tiles; the classifier gives
    `probabilities` (N, 47) of the former.
    """
    tiles = [one for one in reported if _is_in_row(strip.place(one.box)) or _is_beside(one, strip)]
    at, measures = row_blanks(strip, fused, probabilities)
    odds = _CONFIG.blank_bias + measures @ np.array(_CONFIG.blank_weights)
    blank = {
        index: replace(fused[index], presence=1 / (1 + math.exp(-log_odds)), names=(Candidate(WHITE, 1.0),))
        for index, log_odds in zip(at, odds.tolist(), strict=True)
        if log_odds >= _CONFIG.min_blank_odds
    }
    places = [one.box for one in blank.values()]
    return [*(one for one in tiles if one.box not in places or one.tile == WHITE), *blank.values()]


def row_blanks(
    strip: Strip, fused: Sequence[Detection], probabilities: NDArray[np.float32]
) -> tuple[list[int], Floats]:
    """Indices of the detections in a strip that may be white dragons, and what speaks for it (B, 6): `ROW_MEASURES`."""
    places = [strip.place(one.box) for one in fused]
    in_row = [_is_in_row(place) for place in places]
    is_blank = [one.tile == WHITE or one.tile.is_back for one in fused]
    faces = [
        at for at, one in enumerate(fused) if in_row[at] and not is_blank[at] and one.presence >= _CONFIG.min_confidence
    ]
    highest, lowest = strip.start[1] + _CONFIG.border_heights, strip.start[1] + strip.rgb.shape[0] / strip.tile_wh[1]
    at = [
        index
        for index, place in enumerate(places)
        if is_blank[index] and place.y0 > highest and place.y1 < lowest - _CONFIG.border_heights
    ]
    if not at or not faces:
        return [], np.zeros((0, len(ROW_MEASURES)))
    boxes = [one.box for one in fused]
    colour = blank_measures(strip.rgb, boxes, np.array(faces), np.zeros(0, int), np.array(at))[:, :2]
    shares = np.clip(probabilities[at, CLASS_OF[WHITE]].astype(np.float64), 1e-3, 1 - 1e-3)
    present = np.clip([fused[index].presence for index in at], 1e-3, 1 - 1e-3)
    sizes = [abs(math.log(max(places[index].area, 1e-6))) / 2 for index in at]
    off = [float(not in_row[index]) for index in at]
    logits = [np.log(each / (1 - each)) for each in (shares, present)]
    measures = np.column_stack([*logits, colour, sizes, off])
    white = np.isfinite(measures).all(axis=1) & (colour[:, 0] < _CONFIG.max_tint)
    return [index for index, is_white in zip(at, white.tolist(), strict=True) if is_white], measures[white]


def _is_in_row(place: Box) -> bool:
    """Whether a place in the straight row is one of the row itself."""
    return abs(place.center[1] - 0.5) <= _CONFIG.max_offset_heights


def _is_beside(one: Detection, strip: Strip) -> bool:
    """Whether a tile of another row lies whole in the strip and is sure: a hand may lie in two rows."""
    place, lowest = strip.place(one.box), strip.start[1] + strip.rgb.shape[0] / strip.tile_wh[1]
    is_whole = strip.start[1] + _CONFIG.border_heights < place.y0 and place.y1 < lowest - _CONFIG.border_heights
    is_tile = 1 / _CONFIG.max_size < math.sqrt(place.area) < _CONFIG.max_size
    return is_whole and is_tile and one.confidence >= _CONFIG.sure


def joined(found: Sequence[Detection], closer: Sequence[Detection], strip: Strip) -> list[Detection]:
    """The detections of a picture and those of a strip of it, boxes in pixels of the picture, one a place.

    Upright boxes of neighbours overlap where a row runs at a slant, those in a strip of it do not. So a tile of the
    strip takes the place of the detections of the picture that overlap it most, and of no others.

    The boxes of `closer` are given in pixels of the strip.
    """
    apart: list[Detection] = []
    for one in sorted(closer, key=lambda each: -each.confidence):
        if all(_overlap(one.box, other.box) < _CONFIG.max_covered_share for other in apart):
            apart.append(one)
    seen = [replace(one, box=strip.in_picture(one.box)) for one in apart]
    rivals: list[list[int]] = [[] for _ in seen]
    for at, first in enumerate(found):
        ious = [one.box.iou(first.box) for one in seen]
        nearest = max(range(len(seen)), key=ious.__getitem__, default=None)
        if nearest is not None and _overlap(seen[nearest].box, first.box) >= _CONFIG.max_covered_share:
            rivals[nearest].append(at)
    kept, gone = [], set[int]()
    for one, others in zip(seen, rivals, strict=True):
        same = [at for at in others if one.box.iou(found[at].box) >= _CONFIG.same_iou]
        is_near = bool(same) or all(one.box.area < _CONFIG.max_growth * found[at].box.area for at in others)
        is_better = all(_is_better(one, found[at]) for at in same or others)
        if min(one.box.width, one.box.height) > 0 and is_near and is_better:
            kept.append(one)
            gone.update(same or others)
    return [*(first for at, first in enumerate(found) if at not in gone), *kept]


def _overlap(box: Box, other: Box) -> float:
    """The share of the box in the other, or of the other in the box."""
    return max(box.covered_by(other), other.covered_by(box))


def _is_better(seen: Detection, first: Detection) -> bool:
    """Whether a tile is seen better in the strip: it is surer of its name, or sure.

    Of two sure names that of the strip counts: a face seen flatly, such as 3m, is surely 2m until it is laid straight.
    """
    return seen.confidence >= min(_CONFIG.sure, first.confidence)
