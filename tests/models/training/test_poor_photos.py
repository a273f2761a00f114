"""Crops as poor photos show them, and a classifier that learns them and keeps the names of clear crops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tilescore.models.registry import shipped
from tilescore.models.training.trainer import Schedule
from tilescore.vision.classification.classifier import CLASS_COUNT, OnnxClassifier
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("torch", reason="the extra `train` is not installed: training is not tried here")


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
