"""Finding tiles in a picture: the Detector protocol and its ONNX network."""

from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from tilescore.errors import InputError
from tilescore.scoring.tiles import ALL_FACES
from tilescore.vision.arrays import Pixels
from tilescore.vision.detection.config import ProposalConfig
from tilescore.vision.detections import Candidate, Proposal
from tilescore.vision.image.boxes import Box, letterbox, suppress
from tilescore.vision.inference.session import open_session


class Detector(Protocol):
    """Finds tiles."""

    @property
    def name(self) -> str:
        """Name and the first characters of the file's sha256."""

    def detect(self, rgb: Pixels, *, long_side: int) -> tuple[Proposal, ...]:
        """Proposals for a picture (H, W, 3), boxes in its pixels, best first; `long_side` is the input's, in pixels."""


_CONFIG: Final = ProposalConfig()
_ROWS: Final = 4 + len(ALL_FACES)
"""Rows of the output of a detector: centre and size of a box, then a score for each face."""
_NAMES: Final = str({number: str(face) for number, face in enumerate(ALL_FACES)})
"""The note of ultralytics that names the classes of these rows."""


class OnnxDetector:
    """A YOLO network exported by ultralytics: input (1, 3, H, W), output (1, 4 + 46, N), sizes free.

    Where a box refiner checks the proposals (`refined`), fainter ones are kept.
    """

    def __init__(self, path: Path, name: str, *, refined: bool = False) -> None:
        self.path: Final = path
        self._session = open_session(path)
        _require_detector(self._session, path)
        self._min_score = _CONFIG.refined_min_score if refined else _CONFIG.min_score
        self._input = self._session.get_inputs()[0].name
        self._name = name

    @property
    def name(self) -> str:
        """Name and the first characters of the file's sha256."""
        return self._name

    def detect(self, rgb: Pixels, *, long_side: int = 640) -> tuple[Proposal, ...]:
        """Proposals for a picture (H, W, 3), boxes in its pixels, best first."""
        fitted = letterbox(rgb, long_side=long_side)
        raw = self._session.run(None, {self._input: fitted.tensor})[0][0]
        raw = raw[:, raw[4:].max(axis=0) >= self._min_score].T
        scores = raw[:, 4:]
        best = scores.max(axis=1)
        half = raw[:, 2:4] / 2
        xyxy = np.concatenate([raw[:, :2] - half, raw[:, :2] + half], axis=1)
        chosen = suppress(xyxy, best, iou=_CONFIG.nms_iou)
        boxes = fitted.to_picture(xyxy[chosen])
        height, width = rgb.shape[:2]
        boxes = np.clip(boxes, 0, np.array([width, height] * 2, np.float32))
        return tuple(
            _proposal(box, scores[index])
            for box, index in zip(boxes, chosen, strict=True)
            if box[2] > box[0] and box[3] > box[1]
        )


def _require_detector(session: Any, path: Path) -> None:
    """Raise InputError for a network with other inputs or outputs, such as another part of a model."""
    given, found = (side[0].shape for side in (session.get_inputs(), session.get_outputs()))
    if len(given) != len("NCHW") or len(found) != len("NRA") or found[1] != _ROWS:
        what = f"is no detector of {len(ALL_FACES)} faces"
    elif session.get_modelmeta().custom_metadata_map.get("names", _NAMES) != _NAMES:
        what = "has other classes, or ours in another order"
    elif any(isinstance(size, int) for size in given[2:]):
        what = "takes pictures of one size only"
    else:
        return
    message = f"'{path}' {what}: name a network that tilescore export has written."
    raise InputError("no_detector", message, path=str(path))


def _proposal(xyxy: NDArray[np.float32], scores: NDArray[np.float32]) -> Proposal:
    order = np.argsort(-scores)[: _CONFIG.max_names]
    total = max(1.0, float(scores.sum()))
    scored = tuple(
        Candidate(ALL_FACES[int(index)], float(scores[index]) / total)
        for index in order
        if scores[index] >= _CONFIG.min_name_share * scores[order[0]]
    )
    return Proposal(Box(*(float(value) for value in xyxy)), scored)
