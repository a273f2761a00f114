"""The high-resolution classifier names unclear tiles, most of all flowers and seasons."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from tilescore.datasets.artwork.artwork import Folders
from tilescore.datasets.synthesis.scenes import rare_scene
from tilescore.datasets.synthesis.synth import choose_sources, render_scene
from tilescore.models.registry import load_reader
from tilescore.scoring.tiles import ALL_FACES
from tilescore.vision.budget import Budget
from tilescore.vision.classification.cascade import Cascade
from tilescore.vision.classification.classifier import CLASS_COUNT, ONE_LOOK, ONE_VIEW, VIEWS, CropView, TileLook
from tilescore.vision.image.boxes import Box

NAMES = [str(face) for face in ALL_FACES]
RGB = np.zeros((50, 200, 3), np.uint8)
BOXES = [Box(50 * at, 0, 50 * at + 40, 50) for at in range(4)]


class Fixed:
    """A classifier with fixed probabilities that records the boxes and views of each call."""

    def __init__(self, *probabilities: dict[str, float], none: float = 0.0) -> None:
        self._probabilities = np.zeros((len(probabilities), CLASS_COUNT), np.float32)
        self._probabilities[:, -1] = none
        for row, names in zip(self._probabilities, probabilities, strict=True):
            for name, share in names.items():
                row[NAMES.index(name)] = share * (1 - none)
        self.count = len(probabilities)
        self.asked: list[tuple[list[Box], Sequence[CropView]]] = []

    def classify(self, rgb: NDArray[np.uint8], boxes: Sequence[Box], look: TileLook = ONE_LOOK) -> NDArray[np.float32]:
        """The probabilities of the first rows, one for each box."""
        assert rgb is RGB
        self.asked.append((list(boxes), look.views))
        return self._probabilities[: len(boxes)].copy()


def test_only_unclear_tiles_get_the_high_resolution_classifier() -> None:
    first = Fixed({"5p": 1.0}, {"3q": 0.6, "4q": 0.4}, {"1z": 0.95, "2f": 0.05}, {"1f": 0.9, "6z": 0.1})
    second = Fixed({"4q": 1.0}, {"2f": 1.0})
    probabilities = Cascade(first, second).classify(RGB, BOXES, TileLook(VIEWS[:2]))
    assert second.asked == [([BOXES[1], BOXES[3]], VIEWS[:2])]
    assert [NAMES[int(best)] for best in probabilities.argmax(axis=1)] == ["5p", "4q", "1z", "2f"]
    assert np.allclose(probabilities[[0, 2]], first.classify(RGB, BOXES)[[0, 2]])


def test_flowers_are_clear_after_fine_tuning() -> None:
    first, second = Fixed({"1f": 0.9, "6z": 0.1}, {"2f": 0.6, "3f": 0.4}), Fixed({"3f": 1.0})
    probabilities = Cascade(first, second, fine_tuned=True).classify(RGB, BOXES[:2])
    assert second.asked == [([BOXES[1]], ONE_VIEW)]
    assert [NAMES[int(best)] for best in probabilities.argmax(axis=1)] == ["1f", "3f"]


def test_the_high_resolution_classifier_decides_between_faces() -> None:
    first, second = Fixed({"7m": 0.55, "5m": 0.45}), Fixed({"5m": 0.95, "7m": 0.05})
    face_probabilities = Cascade(first, second).classify(RGB, BOXES[:1])[0]
    assert NAMES[int(face_probabilities.argmax())] == "5m"
    assert face_probabilities[NAMES.index("5m")] > 0.7


@pytest.mark.parametrize("none", [0.0, 0.25, 0.85])
def test_the_presence_is_that_of_the_first_classifier(none: float) -> None:
    first, second = Fixed({"3q": 0.5, "4q": 0.2, "6z": 0.3}, none=none), Fixed({"4q": 0.7, "6z": 0.3}, none=0.5)
    after = Cascade(first, second).classify(RGB, BOXES[:1])[0]
    assert after[-1] == pytest.approx(none)
    assert after.sum() == pytest.approx(1)
    assert NAMES[int(after[:-1].argmax())] == "4q"


@pytest.mark.parametrize("first", [Fixed({"5p": 1.0}, {"2s": 1.0}), Fixed({"5p": 0.5, "6p": 0.5}, none=0.95), Fixed()])
def test_clear_tiles_and_no_tiles_need_one_classifier(first: Fixed) -> None:
    second = Fixed()
    Cascade(first, second).classify(RGB, BOXES[: first.count])
    assert not second.asked


def test_what_may_be_a_red_five_is_seen_from_all_views() -> None:
    first = Fixed({"5p": 0.97, "0p": 0.03}, {"5p": 1.0})
    Cascade(first, Fixed()).classify(RGB, BOXES[:2])
    assert first.asked == [(BOXES[:2], ONE_VIEW), (BOXES[:1], VIEWS)]


def test_without_time_the_first_classifier_decides() -> None:
    first, second = Fixed({"7m": 0.55, "5m": 0.45}), Fixed({"5m": 1.0})
    budget = Budget.of(0.001, spent_s=1.0)
    after = Cascade(first, second).classify(RGB, BOXES[:1], TileLook(budget=budget))[0]
    assert NAMES[int(after.argmax())] == "7m"
    assert not second.asked
    assert budget.left_out == ["high_resolution"]


def test_flowers_of_new_sets_are_named_better_at_high_resolution() -> None:
    cascade = load_reader().classifier
    assert isinstance(cascade, Cascade)
    artwork = choose_sources(Folders(), ("procedural",))
    named: dict[str, list[bool]] = {"first": [], "cascade": []}
    for index in range(40):
        scene = render_scene(20_261_123, index, artwork=artwork, scene=rare_scene)
        flowers = [seen for seen in scene.tiles if seen.tile[1] in "fq"]
        boxes = [Box(*seen.box_xyxy) for seen in flowers]
        rgb = np.asarray(scene.image, np.uint8)
        for how, classifier in (("first", cascade.first), ("cascade", cascade)):
            best = classifier.classify(rgb, boxes).argmax(axis=1)
            named[how] += [NAMES[int(at)] == seen.tile for at, seen in zip(best, flowers, strict=True) if at < 46]
    assert len(named["cascade"]) > 100
    assert np.mean(named["cascade"]) > np.mean(named["first"]) + 0.02
