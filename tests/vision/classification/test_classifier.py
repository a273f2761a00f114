"""Crops of tiles, and the classification of several views."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tilescore.models.registry import load_reader, shipped
from tilescore.vision.classification.classifier import CLASS_COUNT, VIEWS, CropView, OnnxClassifier, TileLook
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.crops import MARGIN, SIDE, crop
from tilescore.vision.inference.batches import SmallNetwork


def bright(box: Box) -> NDArray[np.uint8]:
    """A dark picture, white within a box."""
    rgb = np.zeros((400, 400, 3), np.uint8)
    rgb[int(box.y0) : int(box.y1), int(box.x0) : int(box.x1)] = 255
    return rgb


def with_threads(count: int, monkeypatch: pytest.MonkeyPatch) -> OnnxClassifier:
    """The shipped classifier with that number of threads."""
    second = shipped()[0].classifier
    assert second is not None
    monkeypatch.setenv("TILESCORE_THREADS", str(count))
    return OnnxClassifier(second.path)


@pytest.mark.parametrize(
    ("width", "height", "form"),
    [
        (150, 200, 0.75),  # a tile seen from above
        (60, 200, 0.75),  # a tile seen at an angle, stretched
        (200, 60, 1 / 0.75),  # a lying tile seen at an angle, stretched
        (20, 20, 1.0),  # a tile at 45 degrees, not stretched
        (180, 200, 0.9),
    ],
)
def test_a_slim_box_is_stretched_to_a_tiles_form(width: int, height: int, form: float) -> None:
    box = Box(100, 100, 100 + width, 100 + height)
    white = crop(bright(box), box)[..., 0] > 127
    across, down = white.any(axis=0).sum(), white.any(axis=1).sum()
    assert across / down == pytest.approx(form, rel=0.06)
    assert max(across, down) == pytest.approx(SIDE / MARGIN, abs=2)


def test_beyond_the_edge_the_last_pixels_are_repeated() -> None:
    assert (crop(np.full((50, 50, 3), 90, np.uint8), Box(-30, -10, 20, 60)) == 90).all()
    assert not crop(np.full((50, 50, 3), 90, np.uint8), Box(500, 500, 520, 530)).any()


def test_several_views_give_one_distribution_a_tile() -> None:
    classifier = load_reader().classifier
    assert classifier is not None
    rgb = np.random.default_rng(0).integers(0, 256, (200, 200, 3), np.uint8)
    boxes = [Box(x, 40, x + 30, 80) for x in range(0, 160, 40)]
    once, often = (classifier.classify(rgb, boxes, TileLook(views)) for views in (VIEWS[:1], VIEWS))
    assert once.shape == often.shape == (len(boxes), CLASS_COUNT)
    assert np.allclose(often.sum(axis=1), 1, atol=1e-5)
    assert not np.allclose(once, often)
    # The probabilities of a tile do not depend on the other boxes.
    assert np.allclose(classifier.classify(rgb, boxes[2:3], TileLook(VIEWS)), often[2:3], atol=1e-4)


@pytest.mark.parametrize("count", [2, 3, 16])
def test_threads_share_the_tiles_and_name_them_as_one_does(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rgb = np.random.default_rng(0).integers(0, 256, (200, 200, 3), np.uint8)
    boxes = [Box(x, y, x + 30, y + 40) for y in (20, 90) for x in range(0, 200, 40)]
    alone, shared = (with_threads(threads, monkeypatch).classify(rgb, boxes) for threads in (1, count))
    assert np.array_equal(alone, shared), "bit by bit"


def test_crops_have_the_margin_and_the_turns_of_their_views(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[NDArray[np.float32]] = []

    def logits(_: SmallNetwork, tensor: NDArray[np.float32]) -> NDArray[np.float32]:
        seen.append(tensor)
        return np.zeros((len(tensor), CLASS_COUNT), np.float32)

    monkeypatch.setattr(SmallNetwork, "run", logits)
    classifier = with_threads(1, monkeypatch)
    rgb = np.random.default_rng(0).integers(0, 256, (200, 200, 3), np.uint8)
    boxes = [Box(60, 40, 100, 90), Box(10, 20, 40, 60)]
    views = (CropView(), CropView(turns=1), CropView(margin=1.0, turns=2))
    classifier.classify(rgb, boxes, TileLook(views))
    expected = [np.rot90(crop(rgb, box, margin=view.margin), view.turns) for box in boxes for view in views]
    crops = np.round(np.concatenate(seen).transpose(0, 2, 3, 1) * 255)
    assert (crops == np.stack(expected)).all()
    assert (crops[1] == np.rot90(crops[0])).all()


@pytest.mark.parametrize(
    ("boxes", "sizes"),
    [(1, [1]), (2, [1, 1]), (3, [1, 2]), (5, [2, 3]), (8, [4, 4]), (9, [2, 2, 2, 3]), (14, [3, 3, 4, 4])],
)
def test_two_threads_get_the_same_number_of_crops(
    boxes: int, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def count(_: SmallNetwork, tensor: NDArray[np.float32]) -> NDArray[np.float32]:
        seen.append(len(tensor))
        return np.zeros((len(tensor), CLASS_COUNT), np.float32)

    monkeypatch.setattr(SmallNetwork, "run", count)
    rgb = np.zeros((200, 200, 3), np.uint8)
    probabilities = with_threads(2, monkeypatch).classify(rgb, [Box(60, 40, 100, 90)] * boxes)
    assert sorted(seen) == sizes
    assert len(probabilities) == boxes
