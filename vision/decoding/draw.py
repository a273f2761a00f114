"""The photo with its reading drawn on it."""

from pathlib import Path

import cv2

from tilescore.vision.arrays import Pixels
from tilescore.vision.decoding.notebook import ROLE_COLORS_RGB
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.image.marked import save_marked
from tilescore.vision.image.photo import Photo
from tilescore.vision.layout.layout import Role


def annotated(photo: Photo, reading: Reading) -> Pixels:
    """RGB pixels of the photo with a box and a name on each tile, coloured by role; doubtful tiles have two boxes."""
    canvas = photo.rgb.copy()
    unit = max(1, round(max(canvas.shape[:2]) / 640))
    doubtful = {doubt.detection for doubt in reading.doubts}
    for index, detection in enumerate(reading.detections):
        role = reading.role(index)
        color = ROLE_COLORS_RGB[role]
        x0, y0, x1, y1 = (round(value / photo.scale) for value in detection.box.xyxy)
        cv2.rectangle(canvas, (x0, y0), (x1, y1), color, unit)
        if index in doubtful:
            cv2.rectangle(canvas, (x0 - 3 * unit, y0 - 3 * unit), (x1 + 3 * unit, y1 + 3 * unit), color, unit)
        if role is not Role.OTHER:
            _label(canvas, str(detection.tile), (x0, y0), color, unit)
    return canvas


def save_annotated(photo: Photo, reading: Reading, path: Path) -> None:
    """Write the annotated photo; raises InputError if the file cannot be written."""
    save_marked(annotated(photo, reading), path)


def _label(canvas: Pixels, text: str, corner: tuple[int, int], color: tuple[int, int, int], unit: int) -> None:
    font, size = cv2.FONT_HERSHEY_SIMPLEX, 0.38 * unit
    (width, height), base = cv2.getTextSize(text, font, size, unit)
    x, y = corner[0], max(height + base, corner[1])
    cv2.rectangle(canvas, (x, y - height - base), (x + width, y), color, -1)
    cv2.putText(canvas, text, (x, y - base // 2), font, size, (255, 255, 255), unit, cv2.LINE_AA)
