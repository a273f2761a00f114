"""Further passes of the detector where tiles are small and the photo holds more pixels."""

from __future__ import annotations

import numpy as np
import pytest

from tilescore.scoring.tiles import Tile
from tilescore.vision.detection.multiscale import detect_at_more_scales
from tilescore.vision.detections import Candidate, Proposal
from tilescore.vision.image.boxes import Box

LONG_SIDE = 640


def seen(x: float, y: float, size: float, *, confidence: float = 0.5, support: float = 0.0) -> Proposal:
    """A square tile."""
    box = Box(x, y, x + size, y + size)
    return Proposal(box, (Candidate(Tile.parse("5m"), confidence),), support=support)


def row_of(size: float, count: int = 6) -> tuple[Proposal, ...]:
    """A row of square tiles of that size, edge to edge."""
    return tuple(seen(300 + size * at, 400, size) for at in range(count))


class Finds:
    """A detector that finds the same proposals in every pass over the whole photo, and records its passes."""

    name = "finds"

    def __init__(self, *found: Proposal) -> None:
        self._found = found
        self.passes: list[tuple[tuple[int, int], int]] = []

    def detect(self, rgb: np.ndarray, *, long_side: int) -> tuple[Proposal, ...]:
        """The proposals given to the constructor."""
        self.passes.append((rgb.shape[:2], long_side))
        return self._found if rgb.shape[:2] == PHOTO.shape[:2] else ()


PHOTO = np.zeros((960, 1280, 3), np.uint8)


@pytest.mark.parametrize(
    ("size", "passes"),
    [
        pytest.param(100, [], id="no further pass of large tiles"),
        pytest.param(70, [((960, 1280), 960)], id="a larger pass of small tiles"),
    ],
)
def test_small_tiles_get_a_larger_pass(size: float, passes: list[tuple[tuple[int, int], int]]) -> None:
    finds = Finds()
    detect_at_more_scales(finds, PHOTO, row_of(size), long_side=LONG_SIDE)
    assert finds.passes == passes


def test_tiny_tiles_of_a_row_get_a_pass_of_their_own() -> None:
    finds = Finds()
    detect_at_more_scales(finds, PHOTO, row_of(30), long_side=LONG_SIDE)
    (_, everything), ((height, width), long_side) = finds.passes
    assert everything == 960
    assert height < 960
    assert width < 1280
    assert long_side / max(height, width) == pytest.approx(42 / 30, abs=0.02)


def test_a_photo_without_more_pixels_gets_no_further_pass() -> None:
    finds = Finds()
    found = row_of(12)
    assert detect_at_more_scales(finds, PHOTO[:480, :640], found, long_side=LONG_SIDE) == found
    assert finds.passes == []


def test_tiles_that_only_the_larger_pass_finds_are_added() -> None:
    found = row_of(70)
    more = seen(900, 200, 60)
    assert set(detect_at_more_scales(Finds(*found, more), PHOTO, found, long_side=LONG_SIDE)) == {*found, more}


@pytest.mark.parametrize(
    ("first", "second", "left"),
    [
        pytest.param((0.5, 1.0), (0.7, 0.0), "first", id="the box refiner counts"),
        pytest.param((0.5, 0.0), (0.7, 0.0), "second", id="without it the detector counts"),
    ],
)
def test_of_two_proposals_of_a_place_the_likelier_stays(
    first: tuple[float, float], second: tuple[float, float], left: str
) -> None:
    at = {
        name: seen(300 + off, 600, 60, confidence=confidence, support=support)
        for name, off, (confidence, support) in (("first", 0, first), ("second", 4, second))
    }
    found = (*row_of(60), at["first"])
    kept = detect_at_more_scales(Finds(*row_of(60), at["second"]), PHOTO, found, long_side=LONG_SIDE)
    assert len(kept) == 7
    assert at[left] in kept


def test_with_too_few_proposals_the_pass_with_more_of_them_counts() -> None:
    found, more = row_of(20, 2), row_of(20, 3)
    assert detect_at_more_scales(Finds(*more), PHOTO, found, long_side=LONG_SIDE) == more
    assert detect_at_more_scales(Finds(), PHOTO, found, long_side=LONG_SIDE) == found
