"""Blank white dragons: a face without a picture has the colour of the other faces in the same photo.

A classifier of single crops cannot separate a blank face from a back or from a piece of paper, because it sees neither
the colour nor the size of the other tiles. The faces that are clear show both. A crop that is evenly of their colour,
of their size and beside one of them takes probability from `back` and from `no tile`; other blank crops beside it speak
for a wall. Such a crop is a tile, too, where the detector faintly sees a white dragon and the box refiner no tile.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilescore.scoring.tiles import ALL_FACES, Tile
from tilescore.vision.arrays import Floats, Pixels, Probabilities
from tilescore.vision.classes import CLASS_OF
from tilescore.vision.classification.config import BlankFaceConfig
from tilescore.vision.detections import Candidate, Detection, Proposal
from tilescore.vision.image.boxes import Box, inner_part, resized

_CONFIG: Final = BlankFaceConfig()

WHITE: Final = Tile.parse("5z")
BLANK: Final = CLASS_OF[WHITE]
UNCLEAR: Final = (BLANK, CLASS_OF[Tile.parse("back")], len(ALL_FACES))
"""The classes between which blank pixels leave the choice; the last one is `no tile`."""
_COPIES: Final = WHITE.copies
"""If more crops look like white dragons than a set has, the set has white backs."""
MEASURES: Final = ("tint", "texture", "size", "beside a clear face", "blank crops beside it")
FAINT_MEASURES: Final = ("white dragon by the detector", "tile by the classifier", "tint", "texture")
"""What speaks for a white dragon that the detector sees faintly: two log-odds, then two of `MEASURES`."""


def reweigh_blank_faces(rgb: Pixels, boxes: Sequence[Box], probabilities: Probabilities) -> Probabilities:
    """The probabilities (N, 47) with that of the white dragon raised where a face is blank."""
    faces, unclear, asked = parts(probabilities)
    uncertain = probabilities[asked, BLANK] < _CONFIG.is_clear
    if len(faces) < _CONFIG.min_faces or not uncertain.any():
        return probabilities
    measures = blank_measures(rgb, boxes, faces, unclear, asked)
    odds = _CONFIG.bias + measures @ np.array(_CONFIG.weights)
    odds[measures[:, 0] > math.log(_CONFIG.colour_floor + _CONFIG.max_tint)] = -np.inf
    if _crops([boxes[at] for at in asked[(odds > 0) | ~uncertain].tolist()]) > _COPIES:
        return probabilities
    weighed = probabilities.copy()
    for at, log_odds in zip(asked[uncertain].tolist(), odds[uncertain].tolist(), strict=True):
        if math.isfinite(log_odds):
            _reweigh(weighed[at], log_odds)
    return weighed


def with_faint_dragons(
    rgb: Pixels, proposals: Sequence[Proposal], probabilities: Probabilities, fused: Sequence[Detection]
) -> list[Detection]:
    """The detections, those that are faint white dragons with the name and the presence of one.

    `fused` are the proposals as detections; blank faces are weighed in `probabilities` (N, 47).
    """
    at, measures = faint_dragons(rgb, proposals, probabilities)
    present = 1 / (1 + np.exp(-(_CONFIG.faint_bias + measures @ np.array(_CONFIG.faint_weights))))
    kept = [tile for tile in fused if tile.tile == WHITE and tile.presence > 1 / 2]
    dragons: dict[int, Detection] = {}
    for presence, index in sorted(zip(present.tolist(), at, strict=True), reverse=True):
        faint = fused[index]
        if presence < _CONFIG.faint_presence or any(faint.box.iou(tile.box) > _CONFIG.same_iou for tile in kept):
            continue
        dragons[index] = replace(faint, presence=max(presence, faint.presence), names=(Candidate(WHITE, 1.0),))
        kept.append(dragons[index])
    if len(kept) > _COPIES:
        return list(fused)
    return [dragons.get(index, tile) for index, tile in enumerate(fused)]


def faint_dragons(rgb: Pixels, proposals: Sequence[Proposal], probabilities: Probabilities) -> tuple[list[int], Floats]:
    """Indices of the proposals that may be blank, and what speaks for a white dragon there (B, 4): `FAINT_MEASURES`.

    They lie beside a clear face and are about as large.
    """
    faces, unclear, _ = parts(probabilities)
    asked = np.flatnonzero(probabilities[:, UNCLEAR].sum(axis=1) >= _CONFIG.faint_blank)
    if len(faces) < _CONFIG.min_faces or not len(asked):
        return [], np.zeros((0, len(FAINT_MEASURES)))
    boxes = [proposal.box for proposal in proposals]
    tint, texture, size, beside, _ = blank_measures(rgb, boxes, faces, unclear, asked).T
    scores = [sum(score.probability for score in proposals[at].scores if score.tile == WHITE) for at in asked.tolist()]
    shares = np.column_stack([scores, 1 - probabilities[asked, -1]])
    held = np.clip(shares, _CONFIG.probability_floor, 1 - _CONFIG.probability_floor)
    measures = np.column_stack([np.log(held / (1 - held)), tint, texture])
    is_face = np.isfinite(measures).all(axis=1) & (size < _CONFIG.faint_size) & (beside > 0)
    return asked[is_face].tolist(), measures[is_face]


def unsure_in_glare(rgb: Pixels, detections: Sequence[Detection]) -> list[Detection]:
    """The detections, white dragons unsure where a reflection may hide another face.

    A reflection burns out all of a face, and not the clear faces beside it.
    """
    burnt = [at for at, one in enumerate(detections) if one.tile == WHITE and _burnt(rgb, one) >= _CONFIG.burnt_share]
    least = _CONFIG.min_face_probability
    faces = [one for one in detections if not one.tile.is_back and one.tile != WHITE and one.confidence >= least]
    if not burnt or not faces or np.median([_burnt(rgb, one) for one in faces]) >= _CONFIG.burnt_usual:
        return list(detections)
    hidden = (Candidate(WHITE, _CONFIG.hidden_probability),)
    return [replace(one, names=hidden) if at in burnt else one for at, one in enumerate(detections)]


def _burnt(rgb: Pixels, detection: Detection) -> float:
    """The share of burnt out pixels in a face; 0 if too little of it is in the picture."""
    return float(np.mean(_pixels(rgb, [detection.box]).min(axis=2) >= math.log(1.0 + _CONFIG.burnt_level)))


def _crops(boxes: Sequence[Box]) -> int:
    """The number of boxes, each crop counted once."""
    kept: list[Box] = []
    for box in boxes:
        if all(box.iou(other) < _CONFIG.same_iou for other in kept):
            kept.append(box)
    return len(kept)


def parts(probabilities: Probabilities) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Indices of the crops that are clear faces (F,), of the blank ones (U,), and of those that may be dragons (A,)."""
    blank = probabilities[:, UNCLEAR].sum(axis=1)
    unclear = blank >= _CONFIG.min_unclear_probability
    return (
        np.flatnonzero(1 - blank >= _CONFIG.min_face_probability),
        np.flatnonzero(unclear),
        np.flatnonzero(unclear & (probabilities[:, BLANK] >= _CONFIG.min_probability)),
    )


def blank_measures(
    rgb: Pixels, boxes: Sequence[Box], faces: NDArray[np.int64], unclear: NDArray[np.int64], asked: NDArray[np.int64]
) -> Floats:
    """What separates blank faces from the rest (A, 5), by the clear faces of the picture; the columns are `MEASURES`.

    Tint is the largest difference between the three channels of the colour divided by that of the clear faces. Texture
    is the standard deviation of the brightness inside the crop. Both come from logarithms of the pixels, and are
    themselves logarithms above a floor. Size is the absolute logarithm of the side divided by that of the clear faces.
    The neighbours are numbers: one clear face and two blank crops at most. A crop with too few pixels has NaN.
    """
    corners = np.array([box.xyxy for box in boxes])
    sides = np.sqrt(np.maximum(1.0, np.prod(corners[:, 2:] - corners[:, :2], axis=1)))
    side = float(np.median(sides[faces]))
    some = faces[:: math.ceil(len(faces) / _CONFIG.max_faces)]
    papers = _papers(_pixels(rgb, [boxes[at] for at in some.tolist()]))
    is_shown = np.isfinite(papers).all(axis=1)
    paper = np.median(papers[is_shown] if is_shown.any() else papers, axis=0)
    pixels = _pixels(rgb, [boxes[at] for at in asked.tolist()]) - paper
    tint = np.ptp(np.median(pixels, axis=1), axis=1)
    texture = pixels.mean(axis=2).std(axis=1)
    near = _gaps(corners[asked], corners) < _CONFIG.near_sides * side
    blank = near[:, unclear] & _are_others(corners[asked], corners[unclear])
    return np.column_stack(
        [
            np.log(_CONFIG.colour_floor + np.column_stack([tint, texture])),
            np.abs(np.log(sides[asked] / side)),
            np.minimum(1, near[:, faces].sum(axis=1)),
            np.minimum(2, blank.sum(axis=1)),
        ]
    )


def _gaps(boxes: Floats, others: Floats) -> Floats:
    """Distances (A, N) between two lists of upright boxes, given by their corners, pixels."""
    apart = np.maximum(boxes[:, None, :2] - others[None, :, 2:], others[None, :, :2] - boxes[:, None, 2:])
    return np.asarray(np.linalg.norm(np.maximum(apart, 0.0), axis=2), np.float64)


def _are_others(boxes: Floats, others: Floats) -> NDArray[np.bool_]:
    """Which boxes (A, U), given by their corners, are another crop and not the same one again."""
    meeting = np.minimum(boxes[:, None, 2:], others[None, :, 2:]) - np.maximum(boxes[:, None, :2], others[None, :, :2])
    shared = np.prod(np.maximum(0.0, meeting), axis=2)
    areas = [np.prod(some[:, 2:] - some[:, :2], axis=1) for some in (boxes, others)]
    return np.asarray(shared < _CONFIG.same_iou * (areas[0][:, None] + areas[1][None] - shared), np.bool_)


def _papers(faces: Floats) -> Floats:
    """The colours (F, 3) of faces (F, P, 3) between their ink, as logarithms."""
    bright = faces.mean(axis=2)
    is_ink = bright < np.quantile(bright, _CONFIG.paper_quantile, axis=1, keepdims=True)
    return np.array([np.median(face[~ink], axis=0) for face, ink in zip(faces, is_ink, strict=True)])


def _pixels(rgb: Pixels, boxes: Sequence[Box]) -> Floats:
    """The logarithms of the pixels (N, P, 3) inside boxes; NaN where too little of one is in the picture."""
    pixels = np.full((len(boxes), math.prod(_CONFIG.face_size_wh), 3), np.nan)
    for at, box in enumerate(boxes):
        part = inner_part(rgb, box, _CONFIG.face_share, _CONFIG.face_share)
        if min(part.shape[:2]) >= _CONFIG.min_side_px:
            pixels[at] = resized(part, _CONFIG.face_size_wh).reshape(-1, 3)
    return np.log(1.0 + pixels)


def _reweigh(face_probabilities: Probabilities, log_odds: float) -> None:
    """Give a crop (47,) the probability of a blank face, at the cost of `back` and `no tile`; it never loses any."""
    places = list(UNCLEAR)
    whole = float(face_probabilities[places].sum())
    before = float(face_probabilities[BLANK]) / whole
    now = 1 / (1 + math.exp(-(prior_log_odds(before) + log_odds)))
    if now > before:
        face_probabilities[places[1:]] *= (1 - now) / (1 - before)
        face_probabilities[BLANK] = whole * now


def prior_log_odds(share: float) -> float:
    """The log-odds of a white dragon by the classifier, from its share of the unclear probability, within a limit."""
    held = min(max(share, _CONFIG.probability_floor), 1 - _CONFIG.probability_floor)
    return math.log(held / (1 - held))
