"""The values of detection: a proposal of the detector, and a detection after fusion with the classifier."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from tilescore.scoring.tiles import Tile
from tilescore.vision.image.boxes import Box

MIN_SCORE: Final = 1e-3
"""A score counts as at least this, and at most one less this, where its log-odds are taken (chosen)."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One tile that a place may show, and its probability (0-1)."""

    tile: Tile
    probability: float


@dataclass(frozen=True, slots=True)
class Proposal:
    """A place that may hold a tile, with the scores of a detector."""

    box: Box  # the place, in pixels of the picture
    # The tiles it may show, best first, never empty. A score is the probability that a tile is there and that it is
    # this one (0-1).
    scores: tuple[Candidate, ...]
    support: float = 0.0  # log-odds of a tile by the box refiner; 0 without one

    @property
    def tile(self) -> Tile:
        """The tile with the best score."""
        return self.scores[0].tile

    @property
    def confidence(self) -> float:
        """The best score (0-1)."""
        return self.scores[0].probability

    @property
    def log_odds(self) -> float:
        """Log-odds of a tile by the best score and the box refiner."""
        score = min(max(self.confidence, MIN_SCORE), 1 - MIN_SCORE)
        return self.support + math.log(score / (1 - score))

    def moved(self, dx: float, dy: float) -> Proposal:
        """The proposal with its box shifted, in pixels."""
        return replace(self, box=self.box.moved(dx, dy))

    @property
    def detection(self) -> Detection:
        """The proposal as a detection without fusion: its scores hold the presence, too."""
        return Detection(self.box, 1.0, self.scores)


@dataclass(frozen=True, slots=True)
class Detection:
    """A tile in a picture.

    Attributes:
        box: the place, in pixels of the upright photo.
        presence: probability that a tile is there (0-1).
        names: the tiles it may be, likeliest first, never empty. Their probabilities (0-1) are given that a tile is
            there.
        sharpness: sharpness of the tile (`tilescore.vision.image.sharpness`); 0 if it is not known.
    """

    box: Box
    presence: float
    names: tuple[Candidate, ...]
    sharpness: float = 0.0

    @staticmethod
    def of(box: Box, tile: Tile, confidence: float, others: Iterable[Candidate] = ()) -> Detection:
        """The detection that is a tile with that confidence, and may be others instead.

        >>> from tilescore.vision.image.boxes import Box
        >>> from tilescore.scoring.tiles import Tile
        >>> Detection.of(Box(0, 0, 30, 40), Tile.parse("5p"), 0.45, [Candidate(Tile.parse("6p"), 0.5)]).presence
        0.9
        """
        others = tuple(others)
        first = max(MIN_SCORE, 1.0 - sum(other.probability for other in others))
        return Detection(box, min(1.0, confidence / first), (Candidate(tile, first), *others))

    def to_json(self) -> dict[str, Any]:
        """The JSON object of the detection; `of` reads its parts."""
        return {
            "tile": str(self.tile),
            "box_xyxy": [round(value, 1) for value in self.box.xyxy],
            "confidence": round(self.confidence, 4),
            "alternatives": [[str(name.tile), round(name.probability, 4)] for name in self.names[1:]],
        }

    @property
    def tile(self) -> Tile:
        """The tile that the detection is read as: the first of its names."""
        return self.names[0].tile

    @property
    def confidence(self) -> float:
        """Probability that a tile is there and that it is the first of the names (0-1)."""
        return self.presence * self.names[0].probability

    def probability_of(self, tile: Tile) -> float:
        """Probability that the tile, if there is one, is that plain tile or a red five of it (0-1)."""
        return max((name.probability for name in self.names if name.tile.plain == tile), default=0.0)

    def moved(self, dx: float, dy: float) -> Detection:
        """The detection with its box shifted, in pixels."""
        return replace(self, box=self.box.moved(dx, dy))

    def named(self, tile: Tile) -> Detection:
        """The detection named by a person: certainly that tile."""
        return replace(self, presence=1.0, names=(Candidate(tile, 1.0),))

    def read_as(self, tile: Tile) -> Detection:
        """The detection read as another of its names, with unchanged probabilities.

        >>> from tilescore.vision.image.boxes import Box
        >>> from tilescore.scoring.tiles import parse_tiles
        >>> five, six = parse_tiles("56p")
        >>> seen = Detection(Box(0, 0, 30, 40), 0.7, (Candidate(five, 0.6), Candidate(six, 0.4)))
        >>> round(seen.read_as(six).confidence, 2), seen.read_as(six).presence
        (0.28, 0.7)
        """
        first = next(name for name in self.names if name.tile == tile)
        return replace(self, names=(first, *(name for name in self.names if name is not first)))
