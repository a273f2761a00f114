"""Training the classifier of single tiles with torch (extra `train`): minutes to an hour on two cores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tilescore.datasets.crops import MARGIN as STORED_MARGIN
from tilescore.datasets.crops import NO_TILE, hard_negatives, harvest, places_without_tiles, single_tiles
from tilescore.models.training.pretrained import CHANNELS, fill_from_imagenet, pretrained_trunk
from tilescore.models.training.trainer import conv, middle_of, seen_worse, train_for, trunk, write_onnx
from tilescore.scoring.tiles import ALL_FACES
from tilescore.vision.classes import BONUS
from tilescore.vision.classification.cascade import HIGH_RESOLUTION_SIDE
from tilescore.vision.classification.classifier import CLASSES, VIEWS
from tilescore.vision.classification.config import CLASSIFICATION
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.crops import MARGIN, SIDE, crop_boxes
from tilescore.vision.inference.batches import SmallNetwork

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from numpy.typing import NDArray

    from tilescore.vision.classification.classifier import Classifier
    from tilescore.vision.detection.detector import Detector
    from tilescore.vision.image.crops import Cropper

WIDTHS: Final = (24, 48, 96, 160)
_RATE, _CLOSER_RATE = 2.5e-3, 1e-3
"""Highest learning rates; what knows something already is changed more slowly."""
_TAUGHT: Final = 0.5
"""What the part that ImageNet taught has to say in the closer look."""
_SMOOTHING: Final = 0.05
_TOLD_BY_COLOUR: Final = tuple(index for index, tile in enumerate(ALL_FACES) if str(tile)[0] in "05")
"""Classes that have a double of another colour: red fives and the others."""
_RED_FIVES: Final = tuple(index for index, tile in enumerate(ALL_FACES) if str(tile)[0] == "0")
_UNCLEAR_MORE_OFTEN: Final = 3.0
_WARPED: Final = 0.045
"""How far the lines of a face are moved at most, a standard deviation, where the cut-out is 2 wide and high,"""
_NODES: Final = 6
"""each way at so many places across and along."""
_TREMBLING: Final = 0.03
"""By what share of a side the edges of a detector's boxes are off."""
STORED: Final = 80 / 64
"""How much larger cut-outs are stored than the network sees them, so that training can move and turn them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crops:
    """Cut-outs (N, S, S, 3), their classes (N,), and how often each shall be drawn (N,).

    S is a quarter more than the side of what the network sees: 80 pixels for 64.
    """

    pixels: NDArray[np.uint8]
    classes: NDArray[np.int64]
    weights: NDArray[np.float64]


def balanced(parts: list[tuple[NDArray[np.uint8], NDArray[np.int64], float]]) -> Crops:
    """Several collections with the share each shall have; inside one, rare classes are drawn more often."""
    weights = []
    for _, classes, share in parts:
        counts = np.bincount(classes, minlength=CLASSES).astype(float)
        rarity = 1 / np.sqrt(np.maximum(counts, 1))[classes]
        rarity[classes == NO_TILE] *= 0.5
        weights.append(share * rarity / rarity.sum())
    return Crops(
        pixels=np.concatenate([pixels for pixels, _, _ in parts]),
        classes=np.concatenate([classes for _, classes, _ in parts]),
        weights=np.concatenate(weights),
    )


def gather(mix: Path, *, scenes: Iterable[Path], singles: Path | None, detector: Detector | None = None) -> Crops:
    """What to learn from.

    Args:
        mix: a folder of photos that `tilescore.datasets.mix` wrote.
        scenes: folders that `tilescore.datasets.synthesis.synth` and `tilescore.datasets.synthesis.clutter` wrote.
        singles: pictures of single tiles, a folder a class.
        detector: whose mistakes on all of these shall be learned as `no tile`.
    """
    photographed = sorted((mix / "images" / "train").glob("*.jpg"))
    parts = [(*harvest(photographed), 0.34), (*places_without_tiles(600), 0.04)]
    rendered = [path for folder in scenes for path in sorted((folder / "images").glob("*.jpg"))]
    if rendered:
        parts.append((*harvest(rendered), 0.54))
    if singles is not None and singles.is_dir():
        parts.append((*single_tiles(singles), 0.08))
    if detector is not None:
        parts.append((*hard_negatives([*photographed, *rendered], detector), 0.08))
    return balanced([part for part in parts if len(part[1])])


def gather_closer(
    mix: Path,
    *,
    scenes: Iterable[Path],
    first: Classifier | None = None,
    cut: Cropper = crop_boxes,
    side: int = HIGH_RESOLUTION_SIDE,
) -> Crops:
    """What to learn a closer look from (`vision.classification.cascade`): nearly half of it shows flowers and seasons.

    Args:
        mix: a folder of photos that `tilescore.datasets.mix` wrote.
        scenes: folders that `tilescore.datasets.synthesis.synth` wrote, most of it with `--only rare`.
        first: what looks first; what is unclear to it is drawn more often, since nothing else is looked at closer.
        cut: how tiles are cut out where the network will work.
        side: pixels a side of what it will see.
    """
    taken = partial(harvest, negatives=1, jitter=_TREMBLING)
    photographed = sorted((mix / "images" / "train").glob("*.jpg"))
    rendered = [path for folder in scenes for path in sorted((folder / "images").glob("*.jpg"))]
    parts, doubted = [], []
    for pictures, shares in ((photographed, (0.06, 0.02, 0.12)), (rendered, (0.36, 0.11, 0.33))):
        pixels, classes = taken(pictures, side=round(side * STORED), cut=cut)
        doubts = np.zeros(len(classes), bool) if first is None else unclear_to(first, *taken(pictures))
        flowers, red = np.isin(classes, BONUS), np.isin(classes, _RED_FIVES)
        for chosen, share in zip((flowers, red, ~flowers & ~red), shares, strict=True):
            if chosen.any():
                parts.append((pixels[chosen], classes[chosen], share))
                doubted.append(doubts[chosen])
    crops = balanced(parts)
    return replace(crops, weights=crops.weights * np.where(np.concatenate(doubted), _UNCLEAR_MORE_OFTEN, 1.0))


def unclear_to(classifier: Classifier, pixels: NDArray[np.uint8], classes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which cut-outs (N, S, S, 3) a classifier does not name rightly at one look, or not for sure."""
    side = pixels.shape[1]
    edge = (1 - 1 / STORED_MARGIN) / 2 * side
    box = [Box(edge, edge, side - edge, side - edge)]
    named = [
        float(classifier.classify(picture, box, views=VIEWS[:1])[0, kind])
        for picture, kind in zip(pixels, classes, strict=True)
    ]
    return np.array(named) < CLASSIFICATION.cascade.min_clear_probability


def checker(mix: Path, *, side: int = SIDE, cut: Cropper = crop_boxes) -> Callable[[Any], str]:
    """A check for `train_classifier`: the share of validation tiles, and of places without one, named rightly."""
    import torch  # noqa: PLC0415

    validated = sorted((mix / "images" / "val").glob("*.jpg"))
    pixels, classes = harvest(validated, negatives=1, side=round(side * STORED), cut=cut)
    pictures, wanted = plain(pixels), torch.from_numpy(classes)
    tile = wanted != NO_TILE

    def check(network: Any) -> str:
        with torch.no_grad():
            named = torch.cat([network(part) for part in pictures.split(256)]).argmax(1)
        right = named == wanted
        return f"val tiles {right[tile].float().mean():.4f} no tile {right[~tile].float().mean():.3f}"

    return check


def build_network() -> Any:
    """A small residual network: (N, 3, S, S) -> (N, 47), about 20 million multiply-adds a tile of 64 pixels a side."""
    from torch import nn  # noqa: PLC0415

    return _naming([*trunk(WIDTHS), *conv(WIDTHS[-1], 256, size=1), nn.SiLU()], 256)


def build_taught() -> Any:
    """The same on a trunk that ImageNet taught, about 60 million multiply-adds a tile of 96 pixels a side."""
    return _naming(pretrained_trunk(), CHANNELS)


def build_closer() -> Any:
    """The network of the closer look, (N, 3, S, S) -> (N, 47): both of these, which err differently.

    A set never seen draws its flowers as no set before, but as flowers.
    """
    from torch import nn  # noqa: PLC0415

    class Both(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
        """What both say, weighed."""

        def __init__(self) -> None:
            super().__init__()
            self.small, self.taught = build_network(), build_taught()
            self.parts = (self.small, self.taught)

        def forward(self, x: Any) -> Any:
            return (1 - _TAUGHT) * self.small(x) + _TAUGHT * self.taught(x)

    return Both()


def _naming(layers: list[Any], channels: int) -> Any:
    """A network of these layers, then the 47 classes from the mean over the picture of what comes out of them."""
    from torch import nn  # noqa: PLC0415

    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.15), nn.Linear(channels, CLASSES))


def train_classifier(
    crops: Crops,
    out: Path,
    *,
    minutes: float,
    closer: bool = False,
    batch: int = 192,
    rate: float | None = None,
    check: Callable[[Any], str] | None = None,
    start: Path | None = None,
) -> Path:
    """Train for so many minutes, write checkpoints as it goes; goes on from `out` if that exists, else from `start`.

    Args:
        crops: what to learn from.
        out: checkpoint file (.pt).
        minutes: how long; the learning rate falls along a cosine to nothing at the end.
        closer: whether it is the network that looks closer, not the one that looks first.
        batch: cut-outs a step.
        rate: highest learning rate of AdamW; None for what suits the network.
        check: called every few hundred steps with the averaged network; what it returns is printed.
        start: a classifier as shipped (.onnx) to begin with, for the closer look also one that looks first; what it
            does not hold begins at random, or with what ImageNet taught.
    """
    import torch  # noqa: PLC0415

    rng = np.random.default_rng(0)
    network = _begun(out, start, crops, closer=closer)
    parts = network.parts if closer else (network,)
    rate = rate or (_CLOSER_RATE if closer else _RATE)
    odds = crops.weights / crops.weights.sum()
    loss_between = torch.nn.CrossEntropyLoss(label_smoothing=_SMOOTHING)

    def loss_of(step: int) -> Any:
        chosen = rng.choice(len(odds), batch, p=odds)
        pictures = augment(
            torch.from_numpy(crops.pixels[chosen]),
            torch.Generator().manual_seed(step),
            any_ink=torch.from_numpy(~np.isin(crops.classes[chosen], _TOLD_BY_COLOUR)),
        )
        wanted = torch.from_numpy(crops.classes[chosen])
        return sum(loss_between(part(pictures), wanted) for part in parts)  # each for itself: so they err differently

    return train_for(network, loss_of, out, minutes=minutes, rate=rate, check=check)


def _begun(out: Path, start: Path | None, crops: Crops, *, closer: bool) -> Any:
    """The network as its checkpoint left it, else as `start` has it, else as it begins; ready to be trained."""
    import torch  # noqa: PLC0415

    network = build_closer() if closer else build_network()
    if out.exists():
        network.load_state_dict(torch.load(out, weights_only=True))
        return network.to(memory_format=torch.channels_last)
    looks_first = closer and start is not None and SmallNetwork(start).side == SIDE
    if closer and (start is None or looks_first):
        fill_from_imagenet(network.taught)
    if start is not None:
        from tilescore.models.training.initial_weights import network_from  # noqa: PLC0415  # after torch

        some = np.random.default_rng(0).choice(len(crops.classes), min(len(crops.classes), 256), replace=False)
        network_from(start, network.small if looks_first else network, pictures=plain(crops.pixels[some]))
        network.train()
    return network.to(memory_format=torch.channels_last)


def augment(pixels: Any, generator: Any, *, any_ink: Any = None) -> Any:
    """Stored cut-outs (N, 80, 80, 3) uint8 -> network input (N, 3, 64, 64): moved, turned, warped, redrawn, blurred.

    Larger ones come out larger in the same proportion.

    `any_ink` (N,) says which may also be seen in one ink and in outline; None: all stay as they are drawn.
    """
    import torch  # noqa: PLC0415
    from torch.nn import functional  # noqa: PLC0415

    count, side = len(pixels), round(pixels.shape[1] / STORED)

    def uniform(low: float, high: float, *shape: int) -> Any:
        return torch.rand(count, *shape, generator=generator) * (high - low) + low

    x = pixels.permute(0, 3, 1, 2).float() / 255
    # Quarter turns for most, since half of the views are turned; a small turn, shift and stretch for all.
    quarter = torch.where(uniform(0, 1) < 0.6, torch.randint(0, 4, (count,), generator=generator), 0)
    angle = quarter * torch.pi / 2 + uniform(-1, 1) ** 3 * 0.45
    zoom = MARGIN / STORED_MARGIN * uniform(0.86, 1.14)
    stretch = uniform(0.92, 1.09)
    cos, sin = torch.cos(angle) * zoom, torch.sin(angle) * zoom
    shift = uniform(-0.06, 0.06, 2)
    matrix = torch.stack(
        [torch.stack([cos * stretch, -sin, shift[:, 0]], 1), torch.stack([sin, cos / stretch, shift[:, 1]], 1)], 1
    )
    grid = functional.affine_grid(matrix, [count, 3, side, side], align_corners=False)
    grid = grid + _warping(count, side, generator)
    x = functional.grid_sample(x, grid, padding_mode="border", align_corners=False)
    if any_ink is not None:
        x = _drawn_otherwise(x, generator, any_ink)
    return seen_worse(x, generator)


def _warping(count: int, side: int, generator: Any) -> Any:
    """Smooth displacements (N, S, S, 2) for half of the cut-outs: no two hands draw the same plant alike."""
    import torch  # noqa: PLC0415
    from torch.nn import functional  # noqa: PLC0415

    spread = torch.rand(count, 1, 1, 1, generator=generator).mul(2).sub(1).clamp(min=0) * _WARPED
    nodes = torch.randn(count, 2, _NODES, _NODES, generator=generator) * spread
    return functional.interpolate(nodes, size=side, mode="bicubic", align_corners=True).permute(0, 2, 3, 1)


def _drawn_otherwise(x: Any, generator: Any, any_ink: Any) -> Any:
    """Some cut-outs (N, 3, S, S) as another set draws the same: thicker, thinner, in outline, in one ink."""
    import torch  # noqa: PLC0415
    from torch.nn import functional  # noqa: PLC0415

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
    """Stored cut-outs as the network sees them at work: (N, 3, 64, 64), nothing changed."""
    return middle_of(pixels, share=MARGIN / STORED_MARGIN, side=round(pixels.shape[1] / STORED))


def export_classifier(weights: Path, out: Path, *, closer: bool = False) -> float:
    """Write the ONNX file of a network, of the closer look or the first; returns its largest difference to torch."""
    network, side = (build_closer(), HIGH_RESOLUTION_SIDE) if closer else (build_network(), SIDE)
    return write_onnx(network, weights, out, side=side, output="logits")
