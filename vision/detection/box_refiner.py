"""A second look at what the detector proposes: whether a tile is there at all, and where exactly its edges are.

The detector sees the whole picture at once, small, and must find, measure and name in one. Much that it sees faintly is
a tile: backs in a wall, faces seen aslant; much is none. A small network looks at each proposal with as much again
around it, at full photo resolution, and tells these apart. What may be a back is judged by another, which sees it from
farther off as well: a back is a plain thing, and what tells it from a notebook is the wall that it lies in.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.vision.image.boxes import Box, suppress
from tilescore.vision.image.crops import crop, crop_window
from tilescore.vision.inference.batches import SmallNetwork

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from tilescore.vision.detection.detector import Detector
    from tilescore.vision.detections import Proposal

SIDE: Final = 64
"""Pixels a side of the cut-outs that the networks see."""
MARGINS: Final = (1.8, 4.0)
"""How much larger than the box they are, across and along: from near, and from far, where its neighbours are seen."""
_MIRRORED: Final = np.array([0, 3, 2, 1, 4])
_SIGNS: Final = np.array([1, -1, 1, -1, 1], np.float32)
"""What is said of a mirrored cut-out as it would be said of the cut-out: left is right, and counts the other way."""
_CLEAR: Final = 4.0
"""What is there, or not, by such odds (log-odds) is looked at once: three in four proposals."""
_SAME_PLACE: Final = 0.5
"""Of boxes that share more (IoU), once their edges are put right, the likelier stays."""
_WAY: Final = 0.5
"""So far a box goes from where the detector saw it to where it seems right. Collections of photos differ on whether a
tile's sides belong to it; the detector has seen more of them."""
_WAY_OF_BACKS: Final = 1.0
"""A back goes there: of walls seen aslant the detector knows too little."""
_FAR_OFF: Final = 0.65
"""A box whose right place shares less with it (IoU), such as one across two tiles of a row that runs slantwise, is put
there and looked at once more,"""
_FAR_OFF_OF_BACKS: Final = 0.8
"""of backs one that shares less than this,"""
_POSSIBLE: Final = -2.0
"""if there may be a tile by such log-odds."""
_LEAST_SHARED: Final = 0.3
"""A box does not become one that shares less with it."""
_MOST_ODDS: Final = 8.0
"""No log-odds are larger: of nothing seen once anybody is so sure."""
_LEAST_LIKELY: Final = -4.5
"""What both networks together believe less than this (log-odds) is not looked at any further."""


class Judge:
    """A network that says of boxes whether a tile is there, and where its edges are.

    Its input is (N, 3, 64, 64), RGB 0-1 of the cut-out from near, or (N, 6, 64, 64) with that from far; its output
    (N, 5): log-odds that there is a tile, then its left, top, right and bottom, -1 to 1 in the cut-out from near.
    """

    def __init__(self, path: Path) -> None:
        self._network = SmallNetwork(path)
        self._margins = MARGINS[: self._network.channels // 3]

    def judge(self, rgb: NDArray[np.uint8], boxes: Sequence[Box]) -> list[tuple[float, Box]]:
        """Log-odds that there is a tile, and where its edges are, of each box."""
        if not boxes:
            return []
        told = self._network.shared(boxes, lambda some: self._told(cut(rgb, some, margins=self._margins)))
        odds = np.clip(told[:, 0], -_MOST_ODDS, _MOST_ODDS).tolist()
        height, width = rgb.shape[:2]
        edges = zip(told[:, 1:].tolist(), boxes, strict=True)
        return list(zip(odds, (_placed(each, box, width, height) for each, box in edges), strict=True))

    def _told(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        """What the network says (N, 5) of cut-outs, of unclear ones the mean of that and of what it says mirrored."""
        told = self._network.see(crops)
        unclear = np.flatnonzero(np.abs(told[:, 0]) < _CLEAR)
        if unclear.size:
            mirrored = self._network.see(crops[unclear, :, ::-1])
            told[unclear] = (told[unclear] + mirrored[:, _MIRRORED] * _SIGNS) / 2
        return told


class RefinedDetector:
    """A detector whose proposals, those of another, are judged one by one.

    Args:
        detector: whose proposals they are.
        faces: the network (.onnx) that judges them.
        backs: the network that judges what the detector takes for backs; None: the same.
    """

    def __init__(self, detector: Detector, faces: Path, backs: Path | None = None) -> None:
        self._detector = detector
        self._faces = Judge(faces)
        self._backs = self._faces if backs is None else Judge(backs)

    @property
    def name(self) -> str:
        """The other detector's."""
        return self._detector.name

    def detect(self, rgb: NDArray[np.uint8], *, long_side: int) -> tuple[Proposal, ...]:
        """What the other sees of a picture (H, W, 3), edges put right, with `support`, one a place, best first."""
        found = self._detector.detect(rgb, long_side=long_side)
        if not found:
            return ()
        faces = [proposal for proposal in found if not proposal.tile.is_back]
        backs = [proposal for proposal in found if proposal.tile.is_back]
        judged = [
            *_looked_at(self._faces, rgb, faces, far_off=_FAR_OFF, way=_WAY),
            *_looked_at(self._backs, rgb, backs, far_off=_FAR_OFF_OF_BACKS, way=_WAY_OF_BACKS),
        ]
        xyxy = np.array([right.xyxy for _, right in judged], np.float32)
        likely = np.array([proposal.log_odds for proposal, _ in judged], np.float32)
        kept = [judged[index][0] for index in suppress(xyxy, likely, iou=_SAME_PLACE) if likely[index] >= _LEAST_LIKELY]
        return tuple(sorted(kept, key=lambda proposal: -proposal.confidence))


def _looked_at(
    judge: Judge, rgb: NDArray[np.uint8], found: Sequence[Proposal], *, far_off: float, way: float
) -> list[tuple[Proposal, Box]]:
    """The detections with `support`, their boxes brought so far on the way to the right place, and that place."""
    boxes = [proposal.box for proposal in found]
    judged = judge.judge(rgb, boxes)
    far = [index for index, (odds, box) in enumerate(judged) if odds > _POSSIBLE and box.iou(boxes[index]) < far_off]
    for index, again in zip(far, judge.judge(rgb, [judged[index][1] for index in far]), strict=True):
        boxes[index], judged[index] = judged[index][1], again
    return [
        (replace(proposal, box=box.towards(right, way), support=odds), right)
        for proposal, box, (odds, right) in zip(found, boxes, judged, strict=True)
    ]


def cut(
    rgb: NDArray[np.uint8], boxes: Sequence[Box], *, side: int = SIDE, margins: Sequence[float] = MARGINS
) -> NDArray[np.uint8]:
    """What a network sees of boxes (N, side, side, 3 a margin): each, stretched to a square, with more around it.

    Of more pixels a side than the network sees it shows more around the box, at the same scale.
    """
    wider = [margin * side / SIDE for margin in margins]
    return np.stack(
        [
            np.concatenate([crop(rgb, box, side=side, margin=margin, slim=1.0) for margin in wider], axis=2)
            for box in boxes
        ]
    )


def _placed(edges: Sequence[float], box: Box, width: int, height: int) -> Box:
    """Left, top, right, bottom in a near cut-out as a box in the picture; the box itself where these make no sense."""
    x0, y0, x1, y1 = crop_window(box, MARGINS[0], slim=1.0)
    left, right = (min(max(x0 + (edge + 1) / 2 * (x1 - x0), 0.0), float(width)) for edge in edges[0::2])
    top, bottom = (min(max(y0 + (edge + 1) / 2 * (y1 - y0), 0.0), float(height)) for edge in edges[1::2])
    if left >= right or top >= bottom:
        return box
    moved = Box(left, top, right, bottom)
    return moved if moved.iou(box) >= _LEAST_SHARED else box
