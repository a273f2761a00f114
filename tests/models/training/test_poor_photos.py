"""Pictures as poor photos show them, and networks that learn them and keep what they say of clear ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tilescore.datasets.training_folder import rgb_of
from tilescore.models.registry import shipped
from tilescore.models.training.trainer import Schedule
from tilescore.vision.classification.classifier import CLASS_COUNT, OnnxClassifier
from tilescore.vision.detection.box_refiner import BoxRefiner
from tilescore.vision.detection.detector import OnnxDetector
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip(
    "tilescore.models.training.yolo", reason="the extra `train` is not installed: training is not tried here"
)


def _dot(count: int, side: int) -> Any:
    import torch

    pictures = torch.zeros(count, 3, side, side)
    pictures[:, :, side // 2 - 3 : side // 2 + 4, side // 2 - 3 : side // 2 + 4] = 1
    return pictures


def test_a_blur_moves_nothing_and_takes_no_light() -> None:
    from tilescore.models.training.poor_photos import _blurred

    dice = np.random.default_rng(0)
    before = _dot(1, 63)[0].permute(1, 2, 0).numpy().astype(np.float64)
    after = [_blurred(before, dice) for _ in range(200)]
    places = np.indices(before.shape[:2]) - 31
    for picture in after:
        light = picture.mean(axis=2)
        assert light.sum() == pytest.approx(49, rel=0.05)
        assert np.abs((places * light).sum(axis=(1, 2)) / light.sum()).max() < 0.4
    peaks = np.array([picture.max() for picture in after])
    assert 0.05 < (peaks > 0.999).mean() < 0.5, "some stay sharp"
    assert peaks.min() < 0.5, "some are blurred much"


def test_poor_pictures_follow_from_the_dice() -> None:
    from tilescore.models.training.poor_photos import seen_poorly

    pictures = _dot(64, 64)
    first, again, other = (seen_poorly(pictures, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first.shape == pictures.shape
    assert (first == again).all()
    assert (first != other).any()
    assert 0 <= first.min() <= first.max() <= 1
    assert first.isfinite().all()


def test_clear_crops_keep_their_names_and_poor_ones_learn_theirs() -> None:
    import torch

    from tilescore.models.training.classifier import _keeping

    before = torch.randn(4, CLASS_COUNT, generator=torch.Generator().manual_seed(0))
    wanted = torch.tensor([7, 8, 9, 10])

    def loss(logits: Any) -> float:
        return float(_keeping(logits, before, wanted, 2))

    def surer(row: int) -> Any:
        logits = before.clone()
        logits[row, wanted[row]] += 1
        return logits

    assert all(loss(surer(row)) > loss(before) for row in (0, 1)), "a clear crop keeps its name, right or wrong"
    assert all(loss(surer(row)) < loss(before) for row in (2, 3)), "a poor crop learns its class"


def test_the_blur_of_a_picture_fits_its_tiles() -> None:
    from tilescore.models.training.poor_photos import _blurred

    before = _dot(1, 63)[0].permute(1, 2, 0).numpy().astype(np.float64)

    def peak(crop: float) -> float:
        return float(np.mean([_blurred(before, np.random.default_rng(seed), crop).max() for seed in range(60)]))

    assert peak(1.0) < peak(0.5) < peak(0.1)


def test_clear_crops_keep_presence_and_edges_and_poor_ones_learn_the_truth() -> None:
    import torch

    from tilescore.models.training.box_refiner import _keeping

    before = torch.randn(4, 5, generator=torch.Generator().manual_seed(0))
    tile = torch.tensor([True, False, True, False])

    def loss(row: int | None = None, *, presence: float = 0.0, edge: float = 0.0) -> float:
        output = before.clone()
        if row is not None:
            output[row] += torch.tensor([presence, edge, 0, 0, 0])
        return float(_keeping(output, before, tile, 2))

    surer = {0: 0.3, 1: -0.3, 2: 0.3, 3: -0.3}
    assert all(loss(row, presence=surer[row]) > loss() for row in (0, 1)), "a clear crop keeps its presence"
    assert all(loss(row, presence=surer[row]) < loss() for row in (2, 3)), "a poor crop learns whether a tile is there"
    assert all(loss(row, edge=0.3) > loss() for row in range(4)), "edges stay"


def test_a_detector_is_right_when_it_finds_what_was_found_before() -> None:
    import torch

    from tilescore.models.training.detector import _found_as_before

    dice = torch.Generator().manual_seed(0)
    before = {"scores": torch.randn(2, 46, 30, generator=dice), "boxes": torch.randn(2, 64, 30, generator=dice)}
    assert float(_found_as_before(before, before)) == pytest.approx(0, abs=1e-4)
    for part, value in before.items():
        other = before | {part: value + torch.randn(value.shape, generator=dice)}
        assert float(_found_as_before(other, before)) > 0.01
    absent = {"scores": before["scores"] - 30, "boxes": before["boxes"]}
    anywhere = {"scores": absent["scores"], "boxes": torch.randn(2, 64, 30, generator=dice)}
    assert float(_found_as_before(anywhere, absent)) == pytest.approx(0, abs=1e-4), "a box counts where a tile is"


@pytest.mark.parametrize("backs", [False, True])
def test_a_box_refiner_goes_on_from_its_file(room: Path, tmp_path: Path, *, backs: bool) -> None:
    from tilescore.models.training.box_refiner import export_refiner, gather_proposals, train_refiner

    model = shipped()[0]
    finder = OnnxDetector(model.detector.path, "finder", refined=True)
    pictures = sorted((room / "scenes" / "images").glob("*.jpg"))
    file = model.backs if backs else model.refiner
    assert file is not None
    given = gather_proposals([], pictures, finder, backs=backs)
    few = Schedule(steps=2, rate=1e-6, batch=8)
    checkpoint = train_refiner(given, tmp_path / "going_on.pt", few, backs=backs, start=file.path, keep=True)
    out = tmp_path / "going_on.onnx"
    assert export_refiner(checkpoint, out, backs=backs) < 1e-3
    rgb = rgb_of(pictures[0])
    assert rgb is not None
    boxes = [proposal.box for proposal in finder.detect(rgb)]
    begun, gone_on = (np.array([odds for odds, _ in BoxRefiner(path).refine(rgb, boxes)]) for path in (file.path, out))
    assert len(boxes) > 5
    assert np.abs(begun - gone_on).max() < 0.1, "two tiny steps change next to nothing"


def test_a_detector_goes_on_from_its_file(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tilescore.models.recipe import load_recipe
    from tilescore.models.training.run import train

    monkeypatch.chdir(room)
    shipped_file = shipped()[0].detector.path
    recipe = room / "poor.toml"
    recipe.write_text(
        f'network = "poor_photos_detector"\nout = "made/poor.onnx"\nstart = "{shipped_file}"\ndata = "photos"\n'
        'scenes = ["scenes"]\nseed = 0\nsteps = 2\nrate = 1e-6\nbatch = 2\n'
    )
    assert train(load_recipe(recipe)) < 1e-3
    assert train(load_recipe(recipe)) < 1e-3, "a second run finds a finished checkpoint"
    rgb = rgb_of(min((room / "scenes" / "images").glob("*.jpg")))
    assert rgb is not None
    begun, gone_on = (OnnxDetector(path, "finder").detect(rgb) for path in (shipped_file, room / "made" / "poor.onnx"))
    assert len(begun) > 5
    for before, after in zip(begun, gone_on, strict=True):
        assert before.box.iou(after.box) > 0.95, "two tiny steps change next to nothing"


@pytest.mark.parametrize("part", ["classifier", "closer"])
def test_a_classifier_goes_on_from_its_file(part: str, tmp_path: Path) -> None:
    from tilescore.models.training.classifier import Crops, export_classifier, train_classifier

    file, high_resolution = getattr(shipped()[0], part).path, part == "closer"
    dice = np.random.default_rng(0)
    pixels = dice.integers(0, 256, (16, *((120, 120, 3) if high_resolution else (80, 80, 3))), np.uint8)
    crops = Crops(pixels=pixels, classes=np.arange(16), weights=np.ones(16))
    few = Schedule(steps=2, rate=1e-6, batch=4)
    checkpoint = train_classifier(
        crops, tmp_path / "going_on.pt", few, high_resolution=high_resolution, start=file, keep=True
    )
    out = tmp_path / "going_on.onnx"
    assert export_classifier(checkpoint, out, high_resolution=high_resolution) < 1e-3
    begun, gone_on = (OnnxClassifier(path).classify(pixels[0], [Box(9, 9, 60, 70)]) for path in (file, out))
    assert np.abs(begun - gone_on).max() < 0.05, "two tiny steps change next to nothing"
