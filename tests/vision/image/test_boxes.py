"""Boxes in pictures: which of several over each other stay."""

import numpy as np
import pytest

from tilescore.vision.image.boxes import suppress

LEFT, RIGHT = (0, 0, 30, 40), (31, 0, 61, 40)
BOTH = (0, 0, 61, 40)


@pytest.mark.parametrize(
    ("boxes", "kept"),
    [
        pytest.param([LEFT, RIGHT], [0, 1], id="side by side"),
        pytest.param([LEFT, (3, 0, 33, 40)], [0], id="over a better one"),
        pytest.param([LEFT, (18, 0, 48, 40)], [0, 1], id="over less than half of it"),
        pytest.param([LEFT, (5, 5, 20, 20)], [0], id="a part of a better one"),
        pytest.param([(5, 5, 20, 20), LEFT], [0, 1], id="around one better one"),
        pytest.param([LEFT, RIGHT, BOTH], [0, 1], id="around two better ones"),
        pytest.param([BOTH, LEFT, RIGHT], [0], id="better than both"),
    ],
)
def test_one_box_a_place(boxes: list[tuple[int, ...]], kept: list[int]) -> None:
    """The boxes come best first."""
    scores = np.linspace(0.9, 0.5, len(boxes), dtype=np.float32)
    assert suppress(np.array(boxes, np.float32), scores, iou=0.5) == kept
