"""Finding tiles in a picture: the Detector protocol and the ONNX network behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from tilescore.scoring.tiles import ALL_FACES
from tilescore.vision.detections import Candidate, Proposal
from tilescore.vision.image.boxes import Box, letterbox, suppress
from tilescore.vision.inference.session import open_session

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

_LEAST_SCORE: Final = 0.05
FAINT: Final = 0.02
"""Least score of what is seen so faintly that somebody else must judge it (`vision.proposal.box_refiner`)."""
_SAME_PLACE: Final = 0.5
_MOST_CANDIDATES: Final = 5
_LEAST_SHARE: Final = 0.01
"""Alternatives this much less probable than the best are left out."""


class Detector(Protocol):
    """Finds tiles."""

    @property
    def name(self) -> str:
        """Name and the first characters of the file's sha256."""
        ...

    def detect(self, rgb: NDArray[np.uint8], *, long_side: int) -> tuple[Proposal, ...]:
        """Proposals for a picture (H, W, 3), boxes in its pixels, best first; `long_side` is the input's, in pixels."""
        ...


class OnnxDetector:
    """A YOLO network exported by ultralytics: input (1, 3, H, W), output (1, 4 + 46, N), sizes free."""

    def __init__(self, path: Path, name: str, *, least: float = _LEAST_SCORE) -> None:
        self.path: Final = path
        self._session = open_session(path)
        self._least = least
        self._input = self._session.get_inputs()[0].name
        self._name = name

    @property
    def name(self) -> str:
        """Name and the first characters of the file's sha256."""
        return self._name

    def detect(self, rgb: NDArray[np.uint8], *, long_side: int = 640) -> tuple[Proposal, ...]:
        """Proposals for a picture (H, W, 3), boxes in its pixels, best first."""
        fitted = letterbox(rgb, long_side=long_side)
        raw = self._session.run(None, {self._input: fitted.tensor})[0][0]
        raw = raw[:, raw[4:].max(axis=0) >= self._least].T
        scores = raw[:, 4:]
        best = scores.max(axis=1)
        half = raw[:, 2:4] / 2
        xyxy = np.concatenate([raw[:, :2] - half, raw[:, :2] + half], axis=1)
        chosen = suppress(xyxy, best, iou=0.55)
        boxes = fitted.to_picture(xyxy[chosen])
        height, width = rgb.shape[:2]
        boxes = np.clip(boxes, 0, np.array([width, height] * 2, np.float32))
        return tuple(
            _proposal(box, scores[index])
            for box, index in zip(boxes, chosen, strict=True)
            if box[2] > box[0] and box[3] > box[1]
        )


def suppress_proposals(found: Sequence[Proposal]) -> tuple[Proposal, ...]:
    """Of proposals that share a place (IoU over a half) the likeliest; the rest as it is, best first."""
    xyxy = np.array([proposal.box.xyxy for proposal in found], np.float32).reshape(-1, 4)
    odds = np.array([proposal.log_odds for proposal in found], np.float32)
    kept = [found[index] for index in suppress(xyxy, odds, iou=_SAME_PLACE)]
    return tuple(sorted(kept, key=lambda proposal: -proposal.confidence))


def _proposal(xyxy: NDArray[np.float32], scores: NDArray[np.float32]) -> Proposal:
    order = np.argsort(-scores)[:_MOST_CANDIDATES]
    total = max(1.0, float(scores.sum()))
    scored = tuple(
        Candidate(ALL_FACES[int(index)], float(scores[index]) / total)
        for index in order
        if scores[index] >= _LEAST_SHARE * scores[order[0]]
    )
    return Proposal(Box(*(float(value) for value in xyxy)), scored)
