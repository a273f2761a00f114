"""Corrupt detections as a network does: confuse names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tilescore.scoring.tiles import ALL_FACES, BACK, RED_FIVES, Tile
from tilescore.vision.detections import Candidate, Detection

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

CORRUPTED: Final = 0.1
"""The share of tiles whose likeliest name is wrong."""
_ALIKE: Final = (
    "6p9p",
    "7p8p",
    "6s9s",
    "6s8s",
    "2s3s",
    "1s9s",
    "1m2m3m",
    "6m8m",
    "4m6m",
    "7m9m",
    "1z4z",
    "2z3z",
    "6z7z",
)
"""Faces that resemble each other in small or blurred pictures; neighbours in rank come in addition."""
_BONUS: Final = ("1f2f3f4f", "1q2q3q4q")


def _confusions() -> Mapping[Tile, tuple[Tile, ...]]:
    alike_to: dict[Tile, set[Tile]] = {tile: set() for tile in ALL_FACES}
    for text in (*_ALIKE, *_BONUS):
        alike = [Tile.parse(text[start : start + 2]) for start in range(0, len(text), 2)]
        for tile in alike:
            alike_to[tile].update(set(alike) - {tile})
    for tile in ALL_FACES:
        if tile.is_suited and not tile.is_red:
            near = [Tile(tile.suit, rank) for rank in (tile.rank - 1, tile.rank + 1) if 1 <= rank <= 9]
            alike_to[tile].update(near)
        elif tile.is_honor:
            alike_to[tile].update(Tile("z", rank) for rank in range(1, 8) if rank != tile.rank)
    for red in RED_FIVES:
        alike_to[red].add(red.plain)
    return {tile: tuple(sorted(others)) for tile, others in alike_to.items()}


CONFUSIONS: Final = _confusions()


def corrupted(rng: np.random.Generator, plain: Sequence[Detection]) -> list[Detection]:
    """The detections with plausible probabilities of several names; one detection in ten has a wrong first name."""
    return [_confused(rng, detection) for detection in plain]


def _confused(rng: np.random.Generator, detection: Detection) -> Detection:
    true = detection.tile
    others = list(CONFUSIONS[true])
    if true == BACK or not others:
        return detection
    picked = [others[place] for place in rng.permutation(len(others))[:4]]
    is_wrong = rng.random() < CORRUPTED
    first = float(rng.uniform(0.4, 0.8)) if is_wrong else 1 - float(rng.beta(0.5, 4))
    share = float(rng.uniform(0.5, 0.95))
    names = [picked[0], true, *picked[1:]] if is_wrong else [true, *picked]
    left, probabilities = 1 - first, [first]
    for _ in names[1:]:
        probabilities.append(left * share)
        left -= probabilities[-1]
    ranked = sorted(zip(probabilities, names, strict=True), key=lambda entry: -entry[0])
    return replace(detection, presence=1.0, names=tuple(Candidate(tile, chance) for chance, tile in ranked))
