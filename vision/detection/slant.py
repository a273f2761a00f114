"""How tiles lie in a picture: upright or across, or aslant, as a camera sees them from the corner of a table."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilescore.vision.arrays import Floats, Pixels
from tilescore.vision.detection.along_row import Corners
from tilescore.vision.detection.config import SlantConfig
from tilescore.vision.detections import Detection

_CONFIG: Final = SlantConfig()


def slant_of(rgb: Pixels, detections: Sequence[Detection], corners: Corners) -> float:
    """The angle by which the faces in a picture (H, W, 3) lie aslant, in radians from -π/4 to π/4, clockwise.

    It is 0 where there are few faces, or where they lie in many directions. A row may run aslant although its tiles
    stand upright, as when it recedes; so the edges of the faces count, where the steps between them are aslant.
    """
    faces = [one.box for one in detections if not one.tile.is_back and one.confidence >= _CONFIG.min_confidence]
    if len(faces) < _CONFIG.min_faces:
        return 0.0
    if abs(_usual_angle(_steps(np.array([box.center for box in faces])))) < _CONFIG.min_step_angle:
        return 0.0
    quads = corners.find(rgb, faces)
    return _usual_angle((np.roll(quads, -1, axis=1) - quads) @ np.array([1, 1j]))


def _steps(centers: Floats) -> NDArray[np.complex128]:
    """The step from each center (N, 2) to the nearest other one, as a complex number."""
    steps = (centers[None] - centers[:, None]) @ np.array([1, 1j])
    apart = np.abs(steps)
    np.fill_diagonal(apart, np.inf)
    return np.asarray(steps[np.arange(len(steps)), apart.argmin(axis=1)], np.complex128)


def _usual_angle(lines: NDArray[np.complex128]) -> float:
    """The angle of lines to the nearest axis, each line as heavy as it is long; 0 if they hardly agree."""
    # The fourth power takes the four directions along the axes to one.
    mean = complex(np.sum(np.abs(lines) * np.exp(4j * np.angle(lines))) / max(np.sum(np.abs(lines)), 1e-9))
    return math.atan2(mean.imag, mean.real) / 4 if abs(mean) >= _CONFIG.min_agreement else 0.0
