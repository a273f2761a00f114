"""A look at the photo turned upright to tiles that lie aslant."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tilescore.models.evaluation.judged_hands import judged_hands
from tilescore.models.registry import load_reader
from tilescore.scoring.tiles import ALL_FACES, Tile
from tilescore.vision.classification.classifier import ONE_LOOK, TileLook
from tilescore.vision.detection.config import AlongRowConfig
from tilescore.vision.detections import Candidate, Proposal
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import Photo
from tilescore.vision.image.view import PhotoView
from tilescore.vision.reader import TileReader

if TYPE_CHECKING:
    from collections.abc import Sequence


ROW = AlongRowConfig()
STRIP_PX = math.ceil((1 + 2 * ROW.margin_heights) * ROW.tile_wh[1])
"""The height of a strip along a row."""


class Dots:
    """Networks that see a tile around each white dot of a picture, and faces as aslant as the line of all dots."""

    name = "dots"

    def __init__(self) -> None:
        self.looks = 0

    def detect(self, rgb: np.ndarray, *, long_side: int) -> tuple[Proposal, ...]:
        """An upright box around each dot."""
        assert long_side
        self.looks += rgb.shape[0] != STRIP_PX
        _, _, _, centers = cv2.connectedComponentsWithStats(np.asarray(rgb[..., 0] > 180, np.uint8))
        boxes = [Box(x - 15, y - 20, x + 15, y + 20) for x, y in centers[1:].tolist()]
        return tuple(Proposal(box, (Candidate(Tile.parse("5p"), 0.99),), 4.0) for box in boxes)

    def classify(self, _rgb: np.ndarray, boxes: Sequence[Box], look: TileLook = ONE_LOOK) -> np.ndarray:
        """Surely 1p to 9p in turn."""
        assert look.views
        rows = np.zeros((len(boxes), len(ALL_FACES) + 1), np.float32)
        rows[np.arange(len(boxes)), 9 + np.arange(len(boxes)) % 9] = 1.0
        return rows

    def find(self, _rgb: np.ndarray, boxes: Sequence[Box]) -> np.ndarray:
        """The corners of faces along the line through the dots."""
        centers = np.array([box.center for box in boxes]) @ np.array([1, 1j])
        along = (centers[-1] - centers[0]) / abs(centers[-1] - centers[0])
        corners = np.array([-15 - 20j, 15 - 20j, 15 + 20j, -15 + 20j]) * along + centers[:, None]
        return np.stack([corners.real, corners.imag], axis=-1)


def dots(degrees: float) -> tuple[np.ndarray, list[tuple[float, float]]]:
    """A picture with thirteen dots in a line aslant by so many degrees, and their places."""
    rgb = np.zeros((900, 900, 3), np.uint8)
    turn = math.radians(degrees)
    places = [(450 + 34 * at * math.cos(turn), 450 + 34 * at * math.sin(turn)) for at in range(-6, 7)]
    for x, y in places:
        cv2.circle(rgb, (round(x), round(y)), 14, (255, 255, 255), -1)
    return rgb, places


@pytest.mark.parametrize("degrees", [0, 15, 25, 44, -44, -25])
def test_tiles_that_lie_aslant_are_looked_at_in_the_photo_turned_upright(degrees: float) -> None:
    rgb, places = dots(degrees)
    networks = Dots()
    reading = TileReader(networks, networks, corners=networks).read(Photo("dots", rgb, (1800, 1800)))
    assert networks.looks == 1 + (abs(degrees) > 20)
    found = sorted(one.box.center for one in reading.detections)
    assert np.array(found) == pytest.approx(2 * np.array(sorted(places)), abs=4)
    assert reading.size == 13


def test_the_budget_leaves_the_upright_look_out() -> None:
    networks = Dots()
    reading = TileReader(networks, networks, corners=networks).read(Photo("dots", dots(40)[0], (900, 900)), budget_ms=0)
    assert reading.left_out == ("upright_look",)
    assert networks.looks == 1


@pytest.mark.shared
def test_real_hands_that_lie_aslant_are_read_as_upright_ones(shared: Path) -> None:
    tables = shared / "data" / "tables"
    reader, wrong = load_reader(), []
    chosen = {"ff_mj2", "k2_005", "k2_024", "k2_030", "k2_050", "k2_584", "lx_7000", "lx_9234"}
    for hand in judged_hands(tables / "roles.jsonl", tables):
        if (name := Path(hand.photo.name).stem) in chosen:
            height, width = hand.photo.rgb.shape[:2]
            turned = PhotoView.of(hand.photo).turned(-math.pi / 4, [Box(0, 0, width, height)], margin=0)
            size_wh = (turned.rgb.shape[1], turned.rgb.shape[0])
            found = reader.read(Photo("turned", turned.rgb, size_wh)).hand.tiles
            if sorted(map(str, found)) != sorted(tile.name for tile in hand.tiles):
                wrong.append(name)
    assert wrong == []
