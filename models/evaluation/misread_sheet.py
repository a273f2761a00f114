"""The worst misread photos on one sheet, to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from tilescore.vision.image.marked import save_marked
from tilescore.vision.image.photo import load_photo

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from tilescore.models.evaluation.matching import Judged

_CELL_WH: Final = (640, 480)
_RED, _GREEN, _YELLOW = (40, 40, 230), (60, 180, 60), (0, 200, 240)


def write_sheet(out: Path, judged: tuple[Judged, ...], *, count: int = 12) -> None:
    """Write the photos with most mistakes: found tiles in green, invented or misnamed in red, missed in yellow."""
    worst = sorted((photo for photo in judged if photo.mistakes), key=lambda photo: -photo.mistakes)[:count]
    cells = [_cell(photo) for photo in worst] or [np.zeros((_CELL_WH[1], _CELL_WH[0], 3), np.uint8)]
    while len(cells) % 3:
        cells.append(np.zeros_like(cells[0]))
    rows = [np.hstack(cells[start : start + 3]) for start in range(0, len(cells), 3)]
    save_marked(cv2.cvtColor(np.vstack(rows), cv2.COLOR_BGR2RGB), out)


def _cell(photo: Judged) -> NDArray[np.uint8]:
    picture = load_photo(photo.path)
    height, width = picture.rgb.shape[:2]
    factor = min(_CELL_WH[0] / width, _CELL_WH[1] / height)
    shrunk = cv2.resize(picture.rgb, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    canvas = np.asarray(cv2.cvtColor(shrunk, cv2.COLOR_RGB2BGR), np.uint8)
    scale = factor / picture.scale
    for truth in photo.truths:
        if all(truth.box.iou(detection.box) < 0.5 for detection in photo.detections):
            _frame(canvas, truth.box.scaled(scale).xyxy, f"!{truth.name}", _YELLOW)
    for detection in photo.detections:
        true = max(photo.truths, key=lambda truth: truth.box.iou(detection.box), default=None)
        name = true.name if true is not None and true.box.iou(detection.box) >= 0.5 else ""
        right = name == str(detection.tile)
        text = "" if right else f"{detection.tile}({name})"
        _frame(canvas, detection.box.scaled(scale).xyxy, text, _GREEN if right else _RED)
    cell = np.zeros((_CELL_WH[1], _CELL_WH[0], 3), np.uint8)
    cell[: canvas.shape[0], : canvas.shape[1]] = canvas[: _CELL_WH[1], : _CELL_WH[0]]
    return cell


def _frame(
    canvas: NDArray[np.uint8], xyxy: tuple[float, float, float, float], text: str, color: tuple[int, int, int]
) -> None:
    x0, y0, x1, y1 = (round(value) for value in xyxy)
    cv2.rectangle(canvas, (x0, y0), (x1, y1), color, 1)
    if text:
        cv2.putText(canvas, text, (x0, y0 - 2), cv2.FONT_HERSHEY_SIMPLEX, 0.4, color, 1, cv2.LINE_AA)
