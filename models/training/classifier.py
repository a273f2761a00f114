"""Train the classifiers of single tiles with torch (extra `train`).

The first classifier sees every tile. The high-resolution classifier sees the tiles that are unclear to the first one.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tilescore.datasets.crops import TRAINING_MARGIN as STORED_MARGIN
from tilescore.datasets.crops import hard_negatives, harvest, places_without_tiles, single_tiles
from tilescore.datasets.training_folder import pictures_in
from tilescore.models.training.initial_weights import CHANNELS, fill_from_imagenet, network_from, pretrained_trunk
from tilescore.models.training.networks import as_input, conv, middle_of, seen_worse, trunk, uniform, write_onnx
from tilescore.models.training.poor_photos import as_before, seen_poorly
from tilescore.models.training.trainer import Schedule, Training, averaged, hash_of
from tilescore.scoring.tiles import ALL_FACES
from tilescore.vision.arrays import Floats, Pixels
from tilescore.vision.classes import BONUS_CLASSES, NO_TILE
from tilescore.vision.classification.cascade import HIGH_RESOLUTION_SIDE
from tilescore.vision.classification.classifier import CLASS_COUNT, Classifier
from tilescore.vision.classification.config import CascadeConfig
from tilescore.vision.detection.detector import Detector
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.crops import MARGIN, SIDE, Cropper, crop_boxes
from tilescore.vision.inference.batches import SmallNetwork

WIDTHS: Final = (24, 48, 96, 160)
"""Channels of the small network."""
_PRETRAINED: Final = 0.5
"""Weight of the logits of the pretrained branch in the high-resolution classifier."""
_SMOOTHING: Final = 0.05
_KEPT: Final = 2.0
"""Weight of the loss of clear crops that keep their names."""
_TOLD_BY_COLOUR: Final = tuple(index for index, tile in enumerate(ALL_FACES) if str(tile)[0] in "05")
"""Classes that differ from another class in colour alone: red fives and ordinary fives."""
_RED_FIVES: Final = tuple(index for index, tile in enumerate(ALL_FACES) if str(tile)[0] == "0")
_UNCLEAR_MORE_OFTEN: Final = 3.0
"""Factor of the sampling weight of crops that are unclear to the first classifier."""
_WARPED: Final = 0.045
"""Largest standard deviation of the warp; the crop is 2 wide and 2 high."""
_NODES: Final = 6
"""The warp is interpolated between this number of nodes in each direction."""
_JITTER: Final = 0.03
"""Standard deviation by which the edges of boxes are moved, as a share of the side: the error of the detector."""
STORED: Final = 80 / 64
"""Side of a stored crop, as a multiple of the input side: a margin for the augmentation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crops:
    """Crops (N, S, S, 3), their classes (N,) and sampling weights (N,).

    S is a quarter more than the side of the network input: 80 pixels for 64.
    """

    pixels: Pixels
    classes: NDArray[np.int64]
    weights: Floats


def balanced(parts: list[tuple[Pixels, NDArray[np.int64], float]]) -> Crops:
    """Join collections of crops, each with its sampling share. Inside a collection, rare classes weigh more."""
    weights = []
    for _, classes, share in parts:
        counts = np.bincount(classes, minlength=CLASS_COUNT).astype(float)
        rarity = 1 / np.sqrt(np.maximum(counts, 1))[classes]
        rarity[classes == NO_TILE] *= 0.5
        weights.append(share * rarity / rarity.sum())
    return Crops(
        pixels=np.concatenate([pixels for pixels, _, _ in parts]),
        classes=np.concatenate([classes for _, classes, _ in parts]),
        weights=np.concatenate(weights),
    )


def gather(mix: Path, *, scenes: Iterable[Path], singles: Path | None, detector: Detector | None = None) -> Crops:
    """Collect the training data of the first classifier.

    They come from photos that `tilescore.datasets.mix` wrote, from rendered scenes and clutter, and from `singles`, a
    folder of pictures for each class. False detections of the detector become examples of `no tile`.
    """
    photographed = pictures_in(mix / "images" / "train")
    parts = [(*harvest(photographed), 0.34), (*places_without_tiles(600), 0.04)]
    rendered = pictures_in(*(folder / "images" for folder in scenes))
    if rendered:
        parts.append((*harvest(rendered), 0.54))
    if singles is not None and singles.is_dir():
        parts.append((*single_tiles(singles), 0.08))
    if detector is not None:
        parts.append((*hard_negatives([*photographed, *rendered], detector), 0.08))
    return balanced([part for part in parts if len(part[1])])


def gather_high_resolution(
    mix: Path, *, scenes: Iterable[Path], first: Classifier | None = None, cut: Cropper = crop_boxes
) -> Crops:
    """Collect the training data of the high-resolution classifier: nearly half of it shows flowers and seasons.

    Most scenes are written with `--only rare`. `cut` cuts tiles out as the cascade does. Crops that are unclear to the
    first classifier are oversampled, because the cascade sends only such crops to the high-resolution one.
    """
    taken = partial(harvest, negatives=1, jitter=_JITTER)
    photographed = pictures_in(mix / "images" / "train")
    rendered = pictures_in(*(folder / "images" for folder in scenes))
    parts, doubted = [], []
    for pictures, shares in ((photographed, (0.06, 0.02, 0.12)), (rendered, (0.36, 0.11, 0.33))):
        pixels, classes = taken(pictures, side=round(HIGH_RESOLUTION_SIDE * STORED), cut=cut)
        doubts = np.zeros(len(classes), bool) if first is None else unclear_to(first, *taken(pictures))
        flowers, red = np.isin(classes, BONUS_CLASSES), np.isin(classes, _RED_FIVES)
        for chosen, share in zip((flowers, red, ~flowers & ~red), shares, strict=True):
            if chosen.any():
                parts.append((pixels[chosen], classes[chosen], share))
                doubted.append(doubts[chosen])
    crops = balanced(parts)
    return replace(crops, weights=crops.weights * np.where(np.concatenate(doubted), _UNCLEAR_MORE_OFTEN, 1.0))


def unclear_to(classifier: Classifier, pixels: Pixels, classes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which crops (N, S, S, 3) a classifier misclassifies in one view, or classifies with a low probability."""
    side = pixels.shape[1]
    edge = (1 - 1 / STORED_MARGIN) / 2 * side
    box = [Box(edge, edge, side - edge, side - edge)]
    named = [float(classifier.classify(picture, box)[0, kind]) for picture, kind in zip(pixels, classes, strict=True)]
    return np.array(named) < CascadeConfig().min_clear_probability


def checker(mix: Path, *, side: int = SIDE, cut: Cropper = crop_boxes) -> Callable[[Any], str]:
    """A check for `Training.run`: accuracy on the validation tiles, and on places without a tile."""
    import torch

    validated = pictures_in(mix / "images" / "val")
    pixels, classes = harvest(validated, negatives=1, side=round(side * STORED), cut=cut)
    pictures, wanted = plain(pixels), torch.from_numpy(classes)
    tile = wanted != NO_TILE

    def check(network: Any) -> str:
        with torch.no_grad():
            named = torch.cat([network(part) for part in pictures.split(256)]).argmax(1)
        right = named == wanted
        return (
            f"val accuracy {right[tile].float().mean():.4f}, of places without a tile {right[~tile].float().mean():.3f}"
        )

    return check


def build_network() -> Any:
    """A small residual network (N, 3, S, S) -> (N, 47), about 20 million multiply-adds a tile of 64 pixels a side."""
    from torch import nn

    return _classifying([*trunk(WIDTHS), *conv(WIDTHS[-1], 256, size=1), nn.SiLU()], 256)


def build_pretrained_branch() -> Any:
    """A classifier on the trunk of EfficientNet-Lite0, about 60 million multiply-adds a tile of 96 pixels a side."""
    return _classifying(pretrained_trunk(), CHANNELS)


def build_high_resolution() -> Any:
    """The high-resolution classifier (N, 3, S, S) -> (N, 47): a small network and a pretrained branch.

    The two branches make different errors. The pretrained branch knows flowers from photographs, and so recognises
    flowers that a new tile set draws in a new way.
    """
    from torch import nn

    class TwoBranches(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
        """The weighted mean of the logits of both branches. The names of its parts stand in the shipped file."""

        def __init__(self) -> None:
            super().__init__()
            self.small, self.taught = build_network(), build_pretrained_branch()
            self.parts = (self.small, self.taught)

        def forward(self, x: Any) -> Any:
            return (1 - _PRETRAINED) * self.small(x) + _PRETRAINED * self.taught(x)

    return TwoBranches()


def _classifying(layers: list[Any], channels: int) -> Any:
    """A network of these layers, followed by average pooling and a linear layer for the 47 classes."""
    from torch import nn

    return nn.Sequential(
        *layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.15), nn.Linear(channels, CLASS_COUNT)
    )


def train_classifier(
    crops: Crops,
    out: Path,
    schedule: Schedule,
    *,
    high_resolution: bool = False,
    start: Path | None = None,
    keep: bool = False,
    check: Callable[[Any], str] | None = None,
) -> Path:
    """Train the first or the high-resolution classifier; a second run resumes from the checkpoint `out` (.pt).

    It starts from a shipped classifier (.onnx); the high-resolution one also from the file of the first one. Weights
    that the file lacks are random, or those of ImageNet. Half of the crops of a step look as poor photos show them.
    With `keep`, the names of clear crops stay those of the start. `check` evaluates the averaged network at each
    checkpoint.
    """
    teacher = _begun(start, crops, high_resolution=high_resolution, keep=True) if keep else None
    training = Training(
        lambda: _begun(start, crops, high_resolution=high_resolution, keep=keep),
        schedule,
        data_hash=hash_of(crops.pixels, crops.classes, crops.weights, np.array(keep)),
        start=start,
    )
    lessons = _Lessons(crops, schedule.batch, teacher, high_resolution)
    training.run(lessons.loss, checkpoint=out, check=check)
    return out


@dataclass(frozen=True, slots=True)
class _Lessons:
    """What a classifier learns from in each step."""

    crops: Crops
    batch: int  # crops of a step; the first half is clear, the others are seen poorly
    teacher: Any  # the network whose names of clear crops are kept, or None
    high_resolution: bool

    def loss(self, network: Any, rng: np.random.Generator) -> Any:
        """The loss of one step."""
        import torch

        chosen = rng.choice(len(self.crops.classes), self.batch, p=self.crops.weights / self.crops.weights.sum())
        pictures = drawn_anew(
            torch.from_numpy(self.crops.pixels[chosen]),
            torch.Generator().manual_seed(int(rng.integers(2**62))),
            any_ink=torch.from_numpy(~np.isin(self.crops.classes[chosen], _TOLD_BY_COLOUR)),
        )
        clear = seen_worse(pictures, torch.Generator().manual_seed(int(rng.integers(2**62))))
        half = self.batch // 2
        seen = torch.cat([clear[:half], seen_poorly(pictures[half:], rng)])
        wanted = torch.from_numpy(self.crops.classes[chosen])
        # Each branch has a loss of its own, so that the branches make different errors.
        if self.teacher is None:
            return sum(_naming(branch(seen), wanted) for branch in self._branches(network))
        with torch.no_grad():
            before = [branch(clear) for branch in self._branches(self.teacher)]
        pairs = zip(self._branches(network), before, strict=True)
        return sum(_keeping(branch(seen), kept, wanted, half) for branch, kept in pairs)

    def _branches(self, network: Any) -> Iterable[Any]:
        return network.parts if self.high_resolution else (network,)


def _naming(logits: Any, wanted: Any) -> Any:
    """The loss of names (N, 47) of crops of those classes (N,)."""
    from torch.nn import functional

    return functional.cross_entropy(logits, wanted, label_smoothing=_SMOOTHING)


def _keeping(logits: Any, before: Any, wanted: Any, clear: int) -> Any:
    """The loss of names (N, 47) where the first crops are clear and keep their names, and the others are seen poorly.

    A poor crop learns its class and what the network said of the clear crop in equal parts, because the network knows
    which tiles look alike.
    """
    from torch.nn import functional

    kept = as_before(logits[:clear], before[:clear])
    alike = functional.cross_entropy(logits[clear:], before[clear:].softmax(1))
    return _KEPT * kept + (_naming(logits[clear:], wanted[clear:]) + alike) / 2


def _begun(start: Path | None, crops: Crops, *, high_resolution: bool, keep: bool = False) -> Any:
    """The network before its first step, with the weights of `start`; to `keep`, its normalisation stays, too."""
    import torch

    network = build_high_resolution() if high_resolution else build_network()
    from_first = high_resolution and start is not None and SmallNetwork(start).side == SIDE
    if high_resolution and (start is None or from_first):
        fill_from_imagenet(network.taught)
    if start is not None:
        some = np.random.default_rng(0).choice(len(crops.classes), min(len(crops.classes), 256), replace=False)
        network_from(start, network.small if from_first else network, pictures=plain(crops.pixels[some]))
    return network.train(not keep).to(memory_format=torch.channels_last)


def augment(pixels: Any, generator: Any, *, any_ink: Any = None) -> Any:
    """Turn stored crops (N, 80, 80, 3) into network input (N, 3, 64, 64): drawn anew, in other light, blurred.

    See `drawn_anew`.
    """
    return seen_worse(drawn_anew(pixels, generator, any_ink=any_ink), generator)


def drawn_anew(pixels: Any, generator: Any, *, any_ink: Any = None) -> Any:
    """Turn stored crops (N, 80, 80, 3) into pictures (N, 3, 64, 64): moved, turned, warped, redrawn.

    Larger crops give a larger input in the same proportion. `any_ink` (N,) says which crops may also be drawn in one
    ink and in outline; None for no crop.
    """
    import torch
    from torch.nn import functional

    count, side = len(pixels), round(pixels.shape[1] / STORED)

    def vary(low: float, high: float) -> Any:
        return uniform(generator, low, high, count)

    x = as_input(pixels)
    # Most crops get a quarter turn, because half of the views are turned. All get a small turn, shift and stretch.
    quarter = torch.where(vary(0, 1) < 0.6, torch.randint(0, 4, (count,), generator=generator), 0)
    angle = quarter * torch.pi / 2 + vary(-1, 1) ** 3 * 0.45
    zoom = MARGIN / STORED_MARGIN * vary(0.86, 1.14)
    stretch = vary(0.92, 1.09)
    cos, sin = torch.cos(angle) * zoom, torch.sin(angle) * zoom
    shift = uniform(generator, -0.06, 0.06, count, 2)
    matrix = torch.stack(
        [torch.stack([cos * stretch, -sin, shift[:, 0]], 1), torch.stack([sin, cos / stretch, shift[:, 1]], 1)], 1
    )
    grid = functional.affine_grid(matrix, [count, 3, side, side], align_corners=False)
    grid = grid + _warping(count, side, generator)
    x = functional.grid_sample(x, grid, padding_mode="border", align_corners=False)
    return x if any_ink is None else _redrawn(x, generator, any_ink)


def _warping(count: int, side: int, generator: Any) -> Any:
    """Smooth displacements (N, S, S, 2) for half of the crops: no two artists draw the same plant alike."""
    import torch
    from torch.nn import functional

    spread = torch.rand(count, 1, 1, 1, generator=generator).mul(2).sub(1).clamp(min=0) * _WARPED
    nodes = torch.randn(count, 2, _NODES, _NODES, generator=generator) * spread
    return functional.interpolate(nodes, size=side, mode="bicubic", align_corners=True).permute(0, 2, 3, 1)


def _redrawn(x: Any, generator: Any, any_ink: Any) -> Any:
    """Crops (N, 3, S, S), some of them as another set draws them: thicker, thinner, in outline, in one ink."""
    import torch
    from torch.nn import functional

    def share(part: float) -> Any:
        return torch.rand(len(x), 1, 1, 1, generator=generator) < part

    may = any_ink[:, None, None, None]
    light, dark = functional.max_pool2d(x, 3, 1, 1), -functional.max_pool2d(-x, 3, 1, 1)
    much = torch.rand(len(x), 1, 1, 1, generator=generator)
    outline = x.amax((2, 3), keepdim=True) * (1 - 1.5 * (light - dark).amax(1, keepdim=True)).clamp(0.1, 1)
    x = torch.where(share(0.15), x + much * (dark - x), torch.where(share(0.12), x + 0.7 * much * (light - x), x))
    x = torch.where(share(0.07) & may, outline, x)
    ink = torch.rand(len(x), 3, 1, 1, generator=generator) * 0.5 * share(0.5)
    return torch.where(share(0.18) & may, ink + (1 - ink) * x.amin(1, keepdim=True), x)


def plain(pixels: Any) -> Any:
    """Stored crops as network input (N, 3, 64, 64), without augmentation."""
    return middle_of(pixels, share=MARGIN / STORED_MARGIN, side=round(pixels.shape[1] / STORED))


def export_classifier(checkpoint: Path, out: Path, *, high_resolution: bool = False) -> float:
    """Write the ONNX file of a trained classifier; returns the largest difference to torch."""
    network = build_high_resolution() if high_resolution else build_network()
    return write_classifier(averaged(network, checkpoint), out, high_resolution=high_resolution)


def write_classifier(network: Any, out: Path, *, high_resolution: bool = False) -> float:
    """Write the ONNX file of a classifier in memory; returns the largest difference to torch."""
    return write_onnx(network, out, side=HIGH_RESOLUTION_SIDE if high_resolution else SIDE, output="logits")
