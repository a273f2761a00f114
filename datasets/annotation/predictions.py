"""Predictions of a model for a picture: suggested labels, and the confidence in the labels of others.

The index stores a prediction, so that the model reads each picture once.

>>> tile = PredictedTile(Box(0, 0, 30, 40), (("5m", 0.9), ("0m", 0.1)), Part("concealed"))
>>> prediction = Prediction("tiles46@abc", (tile,))
>>> Prediction.parse(prediction.to_text()) == prediction, prediction.confidence(Mark("0m", Box(1, 0, 30, 40)))
(True, 0.1)
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tilescore.datasets.labels import CLASS_NAMES
from tilescore.datasets.marks import LabelSource, Mark
from tilescore.datasets.parts import NO_PART, Part, parts_of
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilescore.vision.decoding.reading import Reading

CONFIDENT: Final = 0.85
"""The model is confident of a tile from this probability on; a person should look at other tiles."""
_FARTHEST: Final = 1e6
"""No number of a prediction is as large."""
_SAME_PLACE_IOU: Final = 0.5
"""A predicted tile and a mark lie in one place from this IoU on."""
_ELSEWHERE_IOU: Final = _SAME_PLACE_IOU / 2
"""A predicted tile has no mark if its IoU with every mark is below this."""


@dataclass(frozen=True, slots=True)
class PredictedTile:
    """A detected tile: its box in the upright picture, its names by probability, the part that the layout proposes."""

    box: Box
    candidates: tuple[tuple[str, float], ...]
    part: Part = NO_PART


@dataclass(frozen=True, slots=True)
class Prediction:
    """All tiles that a model detected in a picture."""

    model: str
    tiles: tuple[PredictedTile, ...] = ()

    @staticmethod
    def of(reading: Reading) -> Prediction:
        """The prediction of a reading."""
        return Prediction(
            reading.model,
            tuple(
                PredictedTile(
                    Box(*(round(value, 2) for value in detection.box.xyxy)),
                    tuple((str(candidate.tile), round(candidate.probability, 4)) for candidate in detection.names),
                    part,
                )
                for detection, part in zip(reading.detections, parts_of(reading.layout), strict=True)
            ),
        )

    def suggestions(self) -> tuple[Mark, ...]:
        """One mark for each tile, named after its likeliest candidate."""
        return tuple(
            Mark(tile.candidates[0][0], tile.box, tile.part, LabelSource.MODEL, tile.candidates[0][1])
            for tile in self.tiles
        )

    def candidates(self, box: Box) -> tuple[tuple[str, float], ...]:
        """Candidates for a tile in that place; empty where the model detected none."""
        best = max(self.tiles, key=lambda tile: tile.box.iou(box), default=None)
        return best.candidates if best is not None and best.box.iou(box) >= _SAME_PLACE_IOU else ()

    def confidence(self, mark: Mark) -> float:
        """Probability (0-1) that the model gives to the name of a mark."""
        if mark.source is LabelSource.MODEL:
            return mark.score
        return next((probability for name, probability in self.candidates(mark.box) if name == mark.name), 0.0)

    def unlabelled(self, marks: Sequence[Mark]) -> tuple[PredictedTile, ...]:
        """Predicted tiles that no mark covers."""
        return tuple(tile for tile in self.tiles if all(tile.box.iou(mark.box) < _ELSEWHERE_IOU for mark in marks))

    def to_text(self) -> str:
        """The prediction as one line of JSON; `parse` inverts it."""
        rows = [
            [*tile.box.xyxy, str(tile.part), *(part for pair in tile.candidates for part in pair)]
            for tile in self.tiles
        ]
        return json.dumps([self.model, *rows], separators=(",", ":"))

    @staticmethod
    def parse(text: str) -> Prediction:
        """The prediction in a text that `to_text` wrote; raises ValueError for any other text."""
        match json.loads(text):
            case [str(model), *rows] if model.isprintable():
                return Prediction(model, tuple(_tile(row) for row in rows))
        raise ValueError("it is no prediction")


def _tile(row: Any) -> PredictedTile:
    """A tile as `to_text` writes it; raises ValueError for any other value: another machine may have written it."""
    match row:
        case [x0, y0, x1, y1, str(part), *guesses]:
            names, shares = guesses[::2], guesses[1::2]
            are_numbers = all(_is_number(value) for value in (x0, y0, x1, y1, *shares))
            if names and are_numbers and all(name in CLASS_NAMES for name in names):
                return PredictedTile(Box(x0, y0, x1, y1), tuple(zip(names, shares, strict=True)), Part.parse(part))
    raise ValueError("it is no predicted tile")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -_FARTHEST < value < _FARTHEST
