"""The box refiner, the second stage of detection: whether a proposal is a tile, and where exactly its edges are.

The detector passes the whole picture at once, at a small size, and must find, measure and name at the same time. Many
of its faint proposals are tiles, such as backs in a wall or faces at an angle, and many are not. A small network tells
them apart: it takes a crop of each proposal with its surroundings, at full photo resolution. A second network takes the
proposals of backs with wider surroundings, because a back is plain, and only the wall around it tells it from a
notebook.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilescore.vision.arrays import Pixels
from tilescore.vision.detection.config import BoxRefinerConfig
from tilescore.vision.detection.detector import Detector
from tilescore.vision.detections import Proposal
from tilescore.vision.image.boxes import Box, suppress
from tilescore.vision.image.crops import SIDE, crop, crop_window
from tilescore.vision.inference.batches import SmallNetwork

_CONFIG: Final = BoxRefinerConfig()
MARGINS: Final = (1.8, 4.0)
"""Sides of the near and of the far crop, in sides of the box; the far crop shows the neighbours."""
_MIRRORED: Final = np.array([0, 3, 2, 1, 4])
"""Order of the outputs for a mirrored crop: left and right are exchanged."""
_SIGNS: Final = np.array([1, -1, 1, -1, 1], np.float32)
"""Signs of the outputs for a mirrored crop: left and right are negated."""


class BoxRefiner:
    """A network for the presence and the edges of the tile in a box.

    Its input is (N, 3, 64, 64), RGB 0-1 of the near crop, or (N, 6, 64, 64) with the far crop. Its output is (N, 5):
    the log-odds of a tile, then its left, top, right and bottom, -1 to 1 in the near crop.
    """

    def __init__(self, path: Path) -> None:
        self._network = SmallNetwork(path)
        self._margins = MARGINS[: self._network.channels // 3]

    def refine(self, rgb: Pixels, boxes: Sequence[Box]) -> list[tuple[float, Box]]:
        """The log-odds of a tile in each box, and the box of its edges."""
        if not boxes:
            return []
        outputs = self._network.in_threads(
            boxes, lambda some: self._outputs(refiner_crops(rgb, some, margins=self._margins))
        )
        odds = np.clip(outputs[:, 0], -_CONFIG.max_log_odds, _CONFIG.max_log_odds).tolist()
        size_wh = (rgb.shape[1], rgb.shape[0])
        edges = zip(outputs[:, 1:].tolist(), boxes, strict=True)
        refined = (_box_of_edges(each, box, size_wh) for each, box in edges)
        return list(zip(odds, refined, strict=True))

    def _outputs(self, crops: Pixels) -> NDArray[np.float32]:
        """The outputs (N, 5) for crops; for an unclear one the mean with the output for its mirror image."""
        outputs = self._network.predict(crops)
        unclear = np.flatnonzero(np.abs(outputs[:, 0]) < _CONFIG.clear_log_odds)
        if unclear.size:
            mirrored = self._network.predict(crops[unclear, :, ::-1])
            outputs[unclear] = (outputs[unclear] + mirrored[:, _MIRRORED] * _SIGNS) / 2
        return outputs


class RefinedDetector:
    """A detector whose proposals a box refiner checks one by one; the faces that are clear to the detector stay.

    The refiner of faces checks backs, too, unless there is one of backs.
    """

    def __init__(self, detector: Detector, faces: Path, backs: Path | None = None) -> None:
        self._detector = detector
        self._faces = BoxRefiner(faces)
        self._backs = self._faces if backs is None else BoxRefiner(backs)

    @property
    def name(self) -> str:
        """The name of the detector."""
        return self._detector.name

    def detect(self, rgb: Pixels, *, long_side: int) -> tuple[Proposal, ...]:
        """Proposals for a picture (H, W, 3) with refined boxes and with `support`, one a place, best first."""
        found = self._detector.detect(rgb, long_side=long_side)
        if not found:
            return ()
        backs = [one for one in found if one.tile.is_back and one.confidence >= _CONFIG.min_back_score]
        clear = [one for one in found if not one.tile.is_back and one.confidence >= _CONFIG.clear_score]
        faces = [one for one in found if not one.tile.is_back and one.confidence < _CONFIG.clear_score]
        refined = [
            *((replace(proposal, support=_CONFIG.clear_support), proposal.box) for proposal in clear),
            *_refined(self._faces, rgb, faces, share=_CONFIG.shift_share),
            *_refined(self._backs, rgb, backs, share=_CONFIG.back_shift_share),
        ]
        if not refined:
            return ()
        xyxy = np.array([place.xyxy for _, place in refined], np.float32)
        odds = np.array([proposal.log_odds for proposal, _ in refined], np.float32)
        chosen = suppress(xyxy, odds, iou=_CONFIG.nms_iou)
        kept = [refined[index][0] for index in chosen if odds[index] >= _CONFIG.min_joint_log_odds]
        return tuple(sorted(kept, key=lambda proposal: -proposal.confidence))


def _refined(
    refiner: BoxRefiner, rgb: Pixels, found: Sequence[Proposal], *, share: float
) -> list[tuple[Proposal, Box]]:
    """The proposals with `support`, their boxes moved by that share towards their refined places, and those places."""
    boxes = [proposal.box for proposal in found]
    return [
        (replace(proposal, box=box.towards(place, share), support=odds), place)
        for proposal, box, (odds, place) in zip(found, boxes, refiner.refine(rgb, boxes), strict=True)
    ]


def refiner_crops(rgb: Pixels, boxes: Sequence[Box], *, side: int = SIDE, margins: Sequence[float] = MARGINS) -> Pixels:
    """The crops of boxes for a network (N, side, side, 3 a margin): each box, stretched to a square, with a margin.

    A crop of more pixels than `SIDE` shows more around the box, at the same scale.
    """
    wider = [margin * side / SIDE for margin in margins]
    return np.stack(
        [
            np.concatenate([crop(rgb, box, side=side, margin=margin, slim=1.0) for margin in wider], axis=2)
            for box in boxes
        ]
    )


def _box_of_edges(edges: Sequence[float], box: Box, size_wh: tuple[int, int]) -> Box:
    """The box of left, top, right and bottom in a near crop; the given box where these are impossible."""
    x0, y0, x1, y1 = crop_window(box, MARGINS[0], slim=1.0)
    width, height = size_wh
    left, right = (min(max(x0 + (edge + 1) / 2 * (x1 - x0), 0.0), float(width)) for edge in edges[0::2])
    top, bottom = (min(max(y0 + (edge + 1) / 2 * (y1 - y0), 0.0), float(height)) for edge in edges[1::2])
    if left >= right or top >= bottom:
        return box
    moved = Box(left, top, right, bottom)
    return moved if moved.iou(box) >= _CONFIG.min_iou else box
