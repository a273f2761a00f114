"""Corners of faces, and rectified faces."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilescore.datasets.artwork.artwork import Folders
from tilescore.datasets.synthesis.synth import choose_sources, render_scene
from tilescore.models.registry import find
from tilescore.vision.classification.rectify import OnnxCorners, rectified
from tilescore.vision.image.boxes import Box

SQUARE = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
COLOURS = ((250, 0, 0), (0, 250, 0), (0, 0, 250), (250, 250, 0))
"""Colours of the quarters of a face: top left, top right, bottom right, bottom left."""


def face() -> np.ndarray:
    """A face of four colours, (40, 40, 3)."""
    picture = np.zeros((40, 40, 3), np.uint8)
    for (x, y), colour in zip(((0, 0), (20, 0), (20, 20), (0, 20)), COLOURS, strict=True):
        picture[y : y + 20, x : x + 20] = colour
    return picture


def laid(quad: np.ndarray, size: tuple[int, int] = (300, 200)) -> np.ndarray:
    """A picture of the face between four corners, on grey."""
    picture = np.full((size[1], size[0], 3), 90, np.uint8)
    edges = (SQUARE + 1) * 20 - 0.5
    matrix = cv2.getPerspectiveTransform(edges.astype(np.float32), (quad - 0.5).astype(np.float32))
    cv2.warpPerspective(face(), matrix, size, dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    return picture


def quarters(square: np.ndarray, margin: float) -> list[tuple[int, ...]]:
    """The colours at the centers of the quarters of a rectified face."""
    middles = ((SQUARE / 2 / margin + 1) / 2 * len(square)).astype(int)
    return [tuple(int(value) for value in square[y, x]) for x, y in middles]


@pytest.mark.parametrize(
    "quad",
    [
        pytest.param([(100, 60), (160, 60), (160, 140), (100, 140)], id="upright"),
        pytest.param([(100, 60), (180, 80), (150, 150), (70, 120)], id="turned"),
        pytest.param([(120, 60), (170, 60), (210, 100), (90, 100)], id="seen from low down"),
        pytest.param([(-20, 60), (40, 60), (40, 140), (-20, 140)], id="partly outside"),
        pytest.param([(20, 10), (270, 15), (280, 190), (10, 180)], id="large"),
    ],
)
def test_what_lies_between_four_corners_becomes_a_square(quad: list[tuple[int, int]]) -> None:
    corners_of = np.array(quad, float)
    square = rectified(laid(corners_of), corners_of, side=48, margin=1.2)
    assert square.shape == (48, 48, 3)
    outside = np.abs(corners_of[:, 0] - 150) > 150
    for got, wanted, gone in zip(quarters(square, 1.2), COLOURS, outside, strict=True):
        assert gone or np.abs(np.array(got) - wanted).max() < 60
    if not outside.any():
        assert (np.abs(square[1, 24].astype(int) - 90) < 30).all(), "the margin shows the surroundings"


def test_a_face_of_many_pixels_is_averaged() -> None:
    checked = np.indices((400, 400)).sum(axis=0) % 2 * np.uint8(255)
    picture = np.repeat(checked[..., None], 3, axis=2).astype(np.uint8)
    square = rectified(picture, np.array([(20.0, 20), (380, 20), (380, 380), (20, 380)]), side=32, margin=1.0)
    assert np.abs(square.astype(int) - 127).max() < 12


@given(st.lists(st.floats(-500, 900), min_size=8, max_size=8))
def test_any_four_corners_give_a_square(values: list[float]) -> None:
    assert rectified(laid(SQUARE * 50 + 100), np.array(values).reshape(4, 2), side=24, margin=1.3).shape == (
        24,
        24,
        3,
    )


class FixedNetwork:
    """A network with the same output for every crop."""

    def __init__(self, quad: Any) -> None:
        self._quad = np.asarray(quad, np.float32).reshape(1, 8)

    def get_inputs(self) -> list[Any]:
        """The description of its one input."""
        return [type("Input", (), {"name": "crops", "shape": ("n", 3, 64, 64)})]

    def run(self, _: None, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        """The given corners for each crop."""
        return [self._quad.repeat(len(inputs["crops"]), axis=0)]


def found(monkeypatch: pytest.MonkeyPatch, quad: Any) -> np.ndarray:
    """The corners in the picture, given the output of the network for a box of 60 by 80 pixels at (40, 30)."""
    monkeypatch.setattr("tilescore.vision.inference.batches.open_session", lambda *_, **__: FixedNetwork(quad))
    return np.asarray(OnnxCorners(Path("any")).find(np.zeros((200, 300, 3), np.uint8), [Box(40, 30, 100, 110)])[0])


def test_corners_are_in_pixels_of_the_picture_with_the_highest_edge_first(monkeypatch: pytest.MonkeyPatch) -> None:
    inside = SQUARE * 0.7
    for begin in range(4):
        quad = found(monkeypatch, np.roll(inside, begin, axis=0))
        assert quad[0].tolist() == pytest.approx([33.6, 34.0], abs=1.0)
        assert quad[2].tolist() == pytest.approx([106.8, 107.0], abs=1.0)


@pytest.mark.parametrize(
    "quad",
    [
        pytest.param(SQUARE * 0.1, id="tiny"),
        pytest.param(SQUARE * 4, id="huge"),
        pytest.param(SQUARE[::-1] * 0.7, id="mirrored"),
        pytest.param(SQUARE[[0, 2, 1, 3]] * 0.7, id="crossing"),
        pytest.param([(-0.7, -0.7), (0.7, -0.7), (-0.5, -0.5), (-0.7, 0.7)], id="bent in"),
        pytest.param(SQUARE * np.nan, id="nothing"),
    ],
)
def test_impossible_corners_are_replaced_by_the_box(monkeypatch: pytest.MonkeyPatch, quad: Any) -> None:
    assert found(monkeypatch, quad).tolist() == [[40, 30], [100, 30], [100, 110], [40, 110]]


def test_no_boxes_have_no_corners() -> None:
    assert shipped().find(np.zeros((9, 9, 3), np.uint8), []).shape == (0, 4, 2)


def shipped() -> OnnxCorners:
    """The shipped network."""
    model = find("tiles46")
    assert model.corners is not None
    return OnnxCorners(model.corners.checked())


def test_corners_of_faces_drawn_anew_are_found() -> None:
    finder, artwork, off = shipped(), choose_sources(Folders(), ("procedural",)), []
    for index in range(12):
        scene = render_scene(20_261_124, index, artwork=artwork)
        faces = [seen for seen in scene.tiles if seen.tile != "back"]
        boxes = [Box(*seen.box_xyxy) for seen in faces]
        for seen, box, quad in zip(faces, boxes, finder.find(np.asarray(scene.image), boxes), strict=True):
            true = np.array(seen.quad)
            apart = min(float(np.linalg.norm(np.roll(true, way, axis=0) - quad, axis=1).mean()) for way in range(4))
            off.append(apart / max(box.width, box.height))
    assert len(off) > 100
    assert np.median(off) < 0.035
    assert np.quantile(off, 0.9) < 0.09
