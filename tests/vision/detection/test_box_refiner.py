"""The box refiner checks proposals and moves their edges; one box a place stays."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilescore.scoring.tiles import Tile
from tilescore.vision.detection.box_refiner import RefinedDetector
from tilescore.vision.detections import Candidate, Proposal
from tilescore.vision.image.boxes import Box

PHOTO = np.zeros((200, 300, 3), np.uint8)


def seen(*xyxy: float, confidence: float = 0.5, tile: str = "5m") -> Proposal:
    """A tile in a box."""
    return Proposal(Box(*xyxy), (Candidate(Tile.parse(tile), confidence),))


class FixedDetector:
    """A detector that always finds the same proposals."""

    name = "fixed"

    def __init__(self, *found: Proposal) -> None:
        self._found = found

    def detect(self, rgb: np.ndarray, *, long_side: int) -> tuple[Proposal, ...]:  # noqa: ARG002  # as all do
        """The proposals given to the constructor."""
        return self._found


class FixedNetwork:
    """A network with given outputs, for one crop after the other, and the equivalent ones for mirrored crops."""

    channels = 3

    def __init__(self, *outputs: tuple[float, ...]) -> None:
        plain = np.array(outputs, np.float32).reshape(-1, 5)
        left, top, right, bottom = plain[:, 1:].T
        mirrored = np.column_stack([plain[:, 0], -right, top, -left, bottom])
        passes = [(one, other) if abs(one[0]) < 4 else (one,) for one, other in zip(plain, mirrored, strict=True)]
        self._queue = [output[None] for outputs in passes for output in outputs]
        self._first = plain[:1]

    def get_inputs(self) -> list[Any]:
        """The description of its one input."""
        return [type("Input", (), {"name": "crops", "shape": ("n", self.channels, 64, 64)})]

    def run(self, _: None, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        """The next output; the first one again after the last."""
        outputs = self._queue.pop(0) if self._queue else self._first
        assert inputs["crops"].shape == (len(outputs), self.channels, 64, 64)
        return [outputs]


def refined(monkeypatch: pytest.MonkeyPatch, *pairs: tuple[Proposal, tuple[float, ...]]) -> tuple[Proposal, ...]:
    """The refined proposals, given the output of the network for each."""
    monkeypatch.setenv("TILESCORE_THREADS", "1")
    monkeypatch.setattr(
        "tilescore.vision.inference.batches.open_session",
        lambda *_, **__: FixedNetwork(*(output for _, output in pairs)),
    )
    return RefinedDetector(FixedDetector(*(found for found, _ in pairs)), Path("any")).detect(PHOTO, long_side=640)


def edges(box: Box, within: Box) -> tuple[float, ...]:
    """The output of the network for a box in the crop of another, which is 1.8 times as large."""
    (x, y), across, down = within.center, 0.9 * within.width, 0.9 * within.height
    return ((box.x0 - x) / across, (box.y0 - y) / down, (box.x1 - x) / across, (box.y1 - y) / down)


def test_edges_move_half_of_the_way_and_the_proposal_gets_its_support(monkeypatch: pytest.MonkeyPatch) -> None:
    found, right = seen(100, 50, 140, 110), Box(104, 44, 146, 112)
    (result,) = refined(monkeypatch, (found, (2.5, *edges(right, found.box))))
    assert result.box.iou(Box(102, 47, 143, 111)) > 0.95
    assert result.support == 2.5
    assert (result.confidence, result.scores) == (found.confidence, found.scores)


def test_two_boxes_that_turn_out_to_be_one_tile_become_one(monkeypatch: pytest.MonkeyPatch) -> None:
    left, right = seen(102, 50, 142, 110), seen(114, 50, 154, 110, confidence=0.6)
    tile = Box(108, 50, 148, 110)
    (result,) = refined(monkeypatch, (left, (3.0, *edges(tile, left.box))), (right, (1.0, *edges(tile, right.box))))
    assert result.support == 3.0, "the likelier one by both networks"


@pytest.mark.parametrize(
    "output",
    [
        pytest.param((0.9, 0.9, 0.95, 0.95), id="elsewhere"),
        pytest.param((0.5, -0.5, -0.5, 0.5), id="right of its right edge"),
        pytest.param((-0.02, -0.02, 0.02, 0.02), id="a point"),
    ],
)
def test_a_box_stays_if_the_refined_one_is_impossible(
    output: tuple[float, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = seen(100, 50, 140, 110)
    assert refined(monkeypatch, (found, (1.0, *output)))[0].box == found.box


def test_an_unclear_proposal_is_passed_mirrored_too(monkeypatch: pytest.MonkeyPatch) -> None:
    clear, faint = seen(100, 50, 140, 110), seen(200, 50, 240, 110)
    network = FixedNetwork((6.0, *edges(clear.box, clear.box)), (1.0, *edges(faint.box, faint.box)))
    network._queue[2][:, 0] = 3.0
    monkeypatch.setenv("TILESCORE_THREADS", "1")
    monkeypatch.setattr("tilescore.vision.inference.batches.open_session", lambda *_, **__: network)
    result = RefinedDetector(FixedDetector(clear, faint), Path("any")).detect(PHOTO, long_side=640)
    assert sorted(detection.support for detection in result) == [2.0, 6.0], "the mean of 1 and 3, and 6 after one pass"


def test_backs_have_their_own_network_and_move_all_the_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    face, back = seen(100, 50, 140, 110), seen(200, 50, 240, 110, tile="back")
    shifted, tile = Box(104, 50, 144, 110), Box(203, 51, 243, 111)
    of_faces, of_backs = FixedNetwork((6.0, *edges(shifted, face.box))), FixedNetwork((5.0, *edges(tile, back.box)))
    of_backs.channels = 6
    monkeypatch.setenv("TILESCORE_THREADS", "1")
    monkeypatch.setattr(
        "tilescore.vision.inference.batches.open_session",
        lambda path, **_: {"faces": of_faces, "backs": of_backs}[str(path)],
    )
    result = RefinedDetector(FixedDetector(face, back), Path("faces"), Path("backs")).detect(PHOTO, long_side=640)
    found = {str(each.tile): each for each in result}
    assert {name: each.support for name, each in found.items()} == {"5m": 6.0, "back": 5.0}
    assert found["5m"].box.iou(Box(102, 50, 142, 110)) > 0.97, "half of the way"
    assert found["back"].box.iou(tile) > 0.95, "all of it"


def test_an_unlikely_proposal_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    tile, none = seen(100, 50, 140, 110), seen(10, 10, 50, 60, confidence=0.03)
    result = refined(monkeypatch, (tile, (3.0, *edges(tile.box, tile.box))), (none, (-5.0, *edges(none.box, none.box))))
    assert [detection.confidence for detection in result] == [0.5]


def test_no_proposals_stay_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert refined(monkeypatch) == ()


@given(
    box=st.tuples(*(st.floats(0, 290) for _ in range(4))),
    output=st.tuples(*(st.floats(-40, 40) for _ in range(5))),
)
def test_a_box_stays_inside_the_photo(box: tuple[float, ...], output: tuple[float, ...]) -> None:
    x0, y0, x1, y1 = box
    found = seen(min(x0, x1), min(y0, y1) / 2, max(x0, x1) + 1, max(y0, y1) / 2 + 1)
    with pytest.MonkeyPatch.context() as patched:
        for each in refined(patched, (found, output)):
            assert 0 <= each.box.x0 < each.box.x1 <= 300
            assert 0 <= each.box.y0 < each.box.y1 <= 200
            assert -8 <= each.support <= 8
