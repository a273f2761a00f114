"""Finding tiles in a picture: the Detector protocol and the ONNX network behind it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from tilescore.scoring.tiles import ALL_FACES, Tile
from tilescore.vision.image.boxes import Box, letterbox, suppress
from tilescore.vision.inference.session import open_session

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

_LEAST_SCORE: Final = 0.05
FAINT: Final = 0.02
"""Least score of what is seen so faintly that somebody else must judge it (`vision.detection.box_refiner`)."""
_LEAST_SEEN: Final = 1e-3
"""No detector is surer than this that there is nothing, nor that there is something."""
_SAME_PLACE: Final = 0.5
_MOST_CANDIDATES: Final = 5
_LEAST_SHARE: Final = 0.01
"""Alternatives this much less probable than the best are left out."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One tile that a detection may show, and how probable that is (0-1)."""

    tile: Tile
    probability: float


@dataclass(frozen=True, slots=True)
class Detection:
    """A tile seen in a picture.

    Attributes:
        box: where, in pixels of the upright photo.
        candidates: what it may be, likeliest first; never empty.
        confidence: probability that there is a tile and that it is the first candidate (0-1).
        sharpness: how sharp it is seen (`tilescore.vision.image.sharpness`); 0 if that is not known.
        support: log-odds of a tile by `vision.detection.box_refiner`, which sees what is around it; 0 without.
    """

    box: Box
    candidates: tuple[Candidate, ...]
    confidence: float
    sharpness: float = 0.0
    support: float = 0.0

    @property
    def tile(self) -> Tile:
        """The likeliest tile."""
        return self.candidates[0].tile

    @property
    def presence(self) -> float:
        """Probability that there is a tile at all, whichever it is (0-1), where both networks have looked."""
        return min(1.0, self.confidence / self.candidates[0].probability)

    @property
    def presence_odds(self) -> float:
        """Logarithm of its odds; infinite where it is beyond doubt."""
        presence = self.presence
        return math.log(presence / (1 - presence)) if 0 < presence < 1 else math.copysign(math.inf, presence - 0.5)

    @property
    def proposal_odds(self) -> float:
        """Log-odds that there is a tile, by the detector and, if one looked, the refiner."""
        seen = min(max(self.confidence, _LEAST_SEEN), 1 - _LEAST_SEEN)
        return self.support + math.log(seen / (1 - seen))

    def moved(self, dx: float, dy: float) -> Detection:
        """The same detection in a picture whose origin lies elsewhere."""
        return replace(self, box=self.box.moved(dx, dy))

    def named(self, tile: Tile) -> Detection:
        """The same place, known to be that tile: a person said so."""
        return replace(self, candidates=(Candidate(tile, 1.0),), confidence=1.0)

    def read_as(self, tile: Tile) -> Detection:
        """The same evidence, read as one of its other candidates."""
        first = next(candidate for candidate in self.candidates if candidate.tile == tile)
        others = tuple(candidate for candidate in self.candidates if candidate is not first)
        return replace(self, candidates=(first, *others), confidence=first.probability)


class Detector(Protocol):
    """Finds tiles."""

    @property
    def name(self) -> str:
        """Name and the first characters of the file's sha256."""
        ...

    def detect(self, rgb: NDArray[np.uint8], *, long_side: int) -> tuple[Detection, ...]:
        """Tiles of a picture (H, W, 3), boxes in its pixels, best first; `long_side` is the input's, in pixels."""
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

    def detect(self, rgb: NDArray[np.uint8], *, long_side: int = 640) -> tuple[Detection, ...]:
        """Tiles of a picture (H, W, 3), boxes in its pixels, best first."""
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
            _detection(box, scores[index])
            for box, index in zip(boxes, chosen, strict=True)
            if box[2] > box[0] and box[3] > box[1]
        )


def one_a_place(found: Sequence[Detection]) -> tuple[Detection, ...]:
    """Of detections that share a place (IoU over a half) the likeliest; the rest as it is, best first."""
    xyxy = np.array([detection.box.xyxy for detection in found], np.float32).reshape(-1, 4)
    odds = np.array([detection.proposal_odds for detection in found], np.float32)
    kept = [found[index] for index in suppress(xyxy, odds, iou=_SAME_PLACE)]
    return tuple(sorted(kept, key=lambda detection: -detection.confidence))


def _detection(xyxy: NDArray[np.float32], scores: NDArray[np.float32]) -> Detection:
    order = np.argsort(-scores)[:_MOST_CANDIDATES]
    total = max(1.0, float(scores.sum()))
    candidates = tuple(
        Candidate(ALL_FACES[int(index)], float(scores[index]) / total)
        for index in order
        if scores[index] >= _LEAST_SHARE * scores[order[0]]
    )
    return Detection(Box(*(float(value) for value in xyxy)), candidates, candidates[0].probability)
