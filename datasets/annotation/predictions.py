"""What a model says about a picture, kept so that it is asked once: suggestions to start from, and second thoughts.

>>> seen = Sighting(Box(0, 0, 30, 40), (("5m", 0.9), ("0m", 0.1)), "concealed")
>>> prediction = Prediction("tiles46@abc", (seen,))
>>> Prediction.parse(prediction.to_text()) == prediction, prediction.trust(Mark("0m", Box(1, 0, 30, 40)))
(True, 0.1)
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tilescore.datasets.annotation.annotation import Mark, Source
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilescore.vision.decoding.reading import Reading

SURE: Final = 0.85
"""A tile that the model believes less is worth a look."""
_SAME_PLACE_IOU: Final = 0.5


@dataclass(frozen=True, slots=True)
class Sighting:
    """A tile that the model saw.

    Attributes:
        box: where, in pixels of the upright picture.
        guesses: names and their probabilities, likeliest first.
        role: its part in the hand.
    """

    box: Box
    guesses: tuple[tuple[str, float], ...]
    role: str = ""


@dataclass(frozen=True, slots=True)
class Prediction:
    """Everything that a model saw in a picture."""

    model: str
    sightings: tuple[Sighting, ...] = ()

    @staticmethod
    def of(reading: Reading) -> Prediction:
        """The prediction behind a reading."""
        return Prediction(
            reading.model,
            tuple(
                Sighting(
                    Box(*(round(value, 2) for value in detection.box.xyxy)),
                    tuple((str(guess.tile), round(guess.probability, 4)) for guess in detection.names),
                    str(reading.role(place)),
                )
                for place, detection in enumerate(reading.detections)
            ),
        )

    def suggestions(self) -> tuple[Mark, ...]:
        """Marks to start from."""
        return tuple(
            Mark(seen.guesses[0][0], seen.box, seen.role, Source.MODEL, seen.guesses[0][1]) for seen in self.sightings
        )

    def guesses(self, box: Box) -> tuple[tuple[str, float], ...]:
        """What the model would call a tile in that place; nothing where it saw none."""
        best = max(self.sightings, key=lambda seen: seen.box.iou(box), default=None)
        return best.guesses if best is not None and best.box.iou(box) >= _SAME_PLACE_IOU else ()

    def trust(self, mark: Mark) -> float:
        """How much the model believes a mark (0-1)."""
        if mark.source is Source.MODEL:
            return mark.score
        return next((share for name, share in self.guesses(mark.box) if name == mark.name), 0.0)

    def missed(self, marks: Sequence[Mark]) -> tuple[Sighting, ...]:
        """Tiles that it saw where no mark is."""
        return tuple(
            seen for seen in self.sightings if all(seen.box.iou(mark.box) < _SAME_PLACE_IOU / 2 for mark in marks)
        )

    def to_text(self) -> str:
        """One line; `parse` reads it back."""
        seen = [
            [*entry.box.xyxy, entry.role, *(part for pair in entry.guesses for part in pair)]
            for entry in self.sightings
        ]
        return json.dumps([self.model, *seen], separators=(",", ":"))

    @staticmethod
    def parse(text: str) -> Prediction:
        """The prediction in a text that `to_text` wrote."""
        model, *seen = json.loads(text)
        return Prediction(
            model,
            tuple(
                Sighting(Box(*entry[:4]), tuple(zip(entry[5::2], entry[6::2], strict=True)), entry[4]) for entry in seen
            ),
        )
