"""Whether confidences are probabilities: of all tiles reported with 0.8, are four in five right?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from tilescore.models.evaluation.matching import TileMatch
from tilescore.vision.image.marked import save_marked

_BINS: Final = 10
_PLOT: Final = 360
_MARGIN: Final = 60


@dataclass(frozen=True, slots=True)
class Bin:
    """Detections of about the same confidence: how many, their mean confidence, the share of them that is right."""

    count: int
    confidence: float
    right: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """Ten bins of equal width from 0 to 1, the empty ones left out."""

    bins: tuple[Bin, ...]

    @staticmethod
    def of(matches: Sequence[TileMatch]) -> Reliability:
        """Of everything reported; a tile is right when it is there and rightly named."""
        confidences = np.array([match.confidence for match in matches if match.read], float)
        rights = np.array([match.right for match in matches if match.read], float)
        places = np.minimum((confidences * _BINS).astype(int), _BINS - 1)
        return Reliability(
            tuple(
                Bin(int(here.sum()), float(confidences[here].mean()), float(rights[here].mean()))
                for here in (places == place for place in range(_BINS))
                if here.any()
            )
        )

    @property
    def error(self) -> float:
        """Expected calibration error: mean distance of confidence and truth, bins weighted by their counts (0-1)."""
        total = sum(part.count for part in self.bins)
        return sum(part.count * abs(part.confidence - part.right) for part in self.bins) / max(1, total)

    def draw(self, out: Path) -> None:
        """Write the diagram: confidence to the right, share of right tiles up, the area of a dot its count."""
        side = _PLOT + 2 * _MARGIN
        canvas = np.full((side, side, 3), 255, np.uint8)

        def at(x: float, y: float) -> tuple[int, int]:
            return round(_MARGIN + x * _PLOT), round(_MARGIN + (1 - y) * _PLOT)

        cv2.rectangle(canvas, at(0, 1), at(1, 0), (120, 120, 120), 1)
        cv2.line(canvas, at(0, 0), at(1, 1), (190, 190, 190), 1, cv2.LINE_AA)
        most = max((part.count for part in self.bins), default=1)
        for part in self.bins:
            radius = 4 + round(14 * (part.count / most) ** 0.5)
            cv2.circle(canvas, at(part.confidence, part.right), radius, (180, 110, 40), -1, cv2.LINE_AA)
        for place in (0.0, 0.5, 1.0):
            _write(canvas, f"{place:g}", (at(place, 0)[0] - 10, at(0, 0)[1] + 22))
            _write(canvas, f"{place:g}", (at(0, 0)[0] - 36, at(0, place)[1] + 5))
        _write(canvas, f"confidence    (calibration error {self.error:.3f})", (_MARGIN, side - 12))
        _write(canvas, "share that is right", (_MARGIN, _MARGIN - 14))
        save_marked(cv2.cvtColor(canvas, cv2.COLOR_BGR2RGB), out)


def _write(canvas: np.ndarray, text: str, place: tuple[int, int]) -> None:
    cv2.putText(canvas, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (40, 40, 40), 1, cv2.LINE_AA)
