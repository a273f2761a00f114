"""Train the networks of `vision.detection.box_refiner` with torch (extra `train`)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tilescore.datasets.crops import jittered, labelled_boxes
from tilescore.datasets.labels import CLASS_NAMES
from tilescore.datasets.training_folder import read_ignore_regions, rgb_of
from tilescore.models.training.initial_weights import network_from
from tilescore.models.training.networks import Views, as_input, conv, middle_of, seen_worse, trunk, write_onnx
from tilescore.models.training.poor_photos import seen_poorly
from tilescore.models.training.trainer import Schedule, Training, averaged, hash_of, split_for_check
from tilescore.vision.arrays import Floats, Pixels
from tilescore.vision.detection.box_refiner import MARGINS, refiner_crops
from tilescore.vision.detection.detector import Detector
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.crops import SIDE, crop_window

WIDTHS: Final = (24, 48, 96, 128)
"""Channels of the branch that sees the near crop."""
FAR_WIDTHS: Final = (16, 32, 64, 96)
"""Channels of the branch that sees the far crop, in the network for backs."""
STORED: Final = 80
"""Pixels a side of the stored crops: a quarter more than the network sees, as a margin for the augmentation."""
_LONG_SIDES: Final = (640, 640, 960)
"""Long sides of the detector input, for small pictures."""
_LARGE_LONG_SIDES: Final = (640, 960, 1024)
"""Long sides of the detector input, for pictures whose long side exceeds `_LARGE_PX`."""
_LARGE_PX: Final = 700
_LEAST_PX: Final = 9
"""Shortest side of a box that is used, pixels."""
_TILE: Final = 0.4
"""A proposal with at least this IoU with a tile is a positive example."""
_NONE: Final = 0.3
"""A proposal whose IoU with every tile is below this is a negative example, unless an ignore region covers it."""
_SURELY_SEEN: Final = 0.3
"""A photo may lack labels: an unlabelled proposal with at least this confidence is no negative example there."""
_JITTER: Final = 0.1
"""Standard deviation by which edges of labelled boxes are moved, as a share of the side."""
_BACK: Final = CLASS_NAMES.index("back")
_OF_ALL: Final = (0.45, 0.17, 0.23, 0.15)
"""Sampling shares of negatives, backs, faces of scenes and faces of photos."""
_OF_BACKS: Final = (0.44, 0.26, 0.19, 0.11)
"""Shares of the examples of the network for backs."""
_EDGES: Final = 4.0
"""Weight of the edge loss; the weight of the presence loss is 1."""
_KEPT: Final = 2.0
"""Weight of clear crops that keep presence and edges; that of poor ones is 1."""
_BETA: Final = 0.05
"""Edge errors below this have a quadratic loss, larger errors a linear loss."""


@dataclass(frozen=True, slots=True, eq=False)
class Proposals:
    """Crops (N, 80, 80, 6) with the presence of a tile (N,), its edges (N, 4) and the sampling weights (N,).

    The first three channels show the near crop, the others the far crop. Edges are left, top, right, bottom, -1 to 1
    in the near crop; 0 without a tile.
    """

    pixels: Pixels
    tile: NDArray[np.bool_]
    edges: NDArray[np.float32]
    weights: Floats


def gather_proposals(
    photos: Iterable[Path], rendered: Iterable[Path], detector: Detector, *, backs: bool = False
) -> Proposals:
    """Collect the proposals of a detector in pictures with YOLO labels, and the labelled boxes with jittered edges.

    Photos may lack some labels, rendered pictures lack none. With `backs`, the sampling shares are those of the network
    for backs. Raises ValueError if the pictures give no proposal.
    """
    rows = [*_judged(photos, detector, forgetful=True), *_judged(rendered, detector, forgetful=False)]
    if not rows:
        raise ValueError("the detector proposes nothing: give folders written by `tilescore dataset synth`.")
    pixels, kinds, edges, real = zip(*rows, strict=True)
    weights = _weights(np.array(kinds), np.array(real), _OF_BACKS if backs else _OF_ALL)
    return Proposals(np.concatenate(pixels), np.array(kinds) >= 0, np.array(edges, np.float32), weights)


def _weights(kinds: NDArray[np.int64], real: NDArray[np.bool_], shares: Sequence[float]) -> Floats:
    """Sampling weights, from the shares of negatives, backs, faces of scenes and faces of photos."""
    weights = np.zeros(len(kinds))
    none, back = kinds < 0, kinds == _BACK
    faces = ~none & ~back
    for chosen, share in zip((none, back, faces & ~real, faces & real), shares, strict=True):
        if chosen.any():
            weights[chosen] = share / chosen.sum()
    return np.asarray(weights / weights.sum(), np.float64)


def _judged(
    pictures: Iterable[Path], detector: Detector, *, forgetful: bool
) -> Iterable[tuple[Pixels, int, tuple[float, ...], bool]]:
    """For each proposal the crop (1, 80, 80, 6), class of its tile or -1, edges, and whether it comes from a photo."""
    rng = np.random.default_rng(0)
    for path in pictures:
        rgb = rgb_of(path)
        if rgb is None:
            continue
        tiles, ignore_regions = labelled_boxes(path, rgb.shape[1], rgb.shape[0]), read_ignore_regions(path)
        long_sides = _LARGE_LONG_SIDES if max(rgb.shape[:2]) > _LARGE_PX else _LONG_SIDES
        proposals = detector.detect(rgb, long_side=int(rng.choice(long_sides)))
        places = [(proposal.box, proposal.confidence) for proposal in proposals]
        places += [(jittered(box, _JITTER, rng), 0.0) for _, box in tiles]
        for box, confidence in places:
            if box.short_side < _LEAST_PX:
                continue
            kind, tile = max(tiles, key=lambda label: label[1].iou(box), default=(-1, box))
            shared = tile.iou(box) if tiles else 0.0
            if _NONE <= shared < _TILE or (shared < _NONE and forgetful and confidence >= _SURELY_SEEN):
                continue
            if shared < _NONE and any(ignore_region.iou(box) >= _NONE for ignore_region in ignore_regions):
                continue
            held = shared >= _TILE
            yield (
                refiner_crops(rgb, [box], side=STORED),
                kind if held else -1,
                _seen_edges(tile, box) if held else (0.0,) * 4,
                forgetful,
            )


def _seen_edges(tile: Box, box: Box) -> tuple[float, ...]:
    x0, y0, x1, y1 = crop_window(box, MARGINS[0] * STORED / SIDE, slim=1.0)
    across, down = (2 / (x1 - x0), 2 / (y1 - y0))
    left, right = ((x - x0) * across - 1 for x in (tile.x0, tile.x1))
    top, bottom = ((y - y0) * down - 1 for y in (tile.y0, tile.y1))
    return left, top, right, bottom


def build_network(*, backs: bool = False) -> Any:
    """A small residual network (N, 3, 64, 64) -> (N, 5), about 17 million multiply-adds a proposal.

    The network for backs, (N, 6, 64, 64) -> (N, 5), has a second branch for the far crop: 25 million.
    """
    from torch import cat, nn

    def branch(widths: Sequence[int], out: int) -> list[Any]:
        return [*trunk(widths), *conv(widths[-1], out, size=1), nn.SiLU(), nn.Flatten()]

    def head(channels: int) -> list[Any]:
        features = channels * (SIDE // 16) ** 2
        return [nn.Dropout(0.1), nn.Linear(features, 128), nn.SiLU(), nn.Linear(128, 5)]

    class TwoBranches(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
        """Sees the near crop and the far crop. The names of its parts stand in the shipped file."""

        def __init__(self) -> None:
            super().__init__()
            self.near, self.far = (
                nn.Sequential(*branch(widths, out)) for widths, out in ((WIDTHS, 64), (FAR_WIDTHS, 48))
            )
            self.told = nn.Sequential(*head(64 + 48))

        def forward(self, x: Any) -> Any:
            return self.told(cat([self.near(x[:, :3]), self.far(x[:, 3:])], 1))

    return TwoBranches() if backs else nn.Sequential(*branch(WIDTHS, 64), *head(64))


def train_refiner(
    given: Proposals,
    out: Path,
    schedule: Schedule,
    *,
    backs: bool = False,
    start: Path | None = None,
    keep: bool = False,
) -> Path:
    """Train the box refiner, or the one for backs; a second run resumes from the checkpoint `out` (.pt).

    It starts from a shipped box refiner (.onnx) or, without `start`, from random weights. With `keep`, half of the
    crops of a step look as poor photos show them, and what the start says of clear crops stays.
    """
    import torch

    held_back, learned = split_for_check(len(given.tile), seed=schedule.seed)
    channels = _channels(backs=backs)
    upto = np.cumsum(given.weights[learned] / given.weights[learned].sum())

    def begin() -> Any:
        network = build_network(backs=backs).to(memory_format=torch.channels_last)
        if start is not None:
            network_from(start, network, pictures=_middle(given.pixels[learned[:256], ..., :channels]))
        return network.train(not keep)  # to keep, the statistics of the normalisation stay, too

    def loss_of(network: Any, rng: np.random.Generator) -> Any:
        chosen = learned[np.minimum(np.searchsorted(upto, rng.random(schedule.batch)), len(learned) - 1)]
        crops, edges = turned(
            torch.from_numpy(given.pixels[chosen]),
            torch.from_numpy(given.edges[chosen]),
            torch.Generator().manual_seed(int(rng.integers(2**62))),
        )
        clear = _of_each(crops, lambda crop, light: seen_worse(crop, torch.Generator().manual_seed(light)), rng)
        tile = torch.from_numpy(given.tile[chosen])
        if teacher is None:
            return _loss(network(clear[:, :channels]), tile, edges)
        half = schedule.batch // 2
        poor = _of_each(crops[half:], lambda crop, light: seen_poorly(crop, np.random.default_rng(light)), rng)
        seen = torch.cat([clear[:half], poor]).to(memory_format=torch.channels_last)
        with torch.no_grad():
            before = teacher(clear[:, :channels])
        return _keeping(network(seen[:, :channels]), before, tile, half)

    teacher = begin() if keep else None
    data = hash_of(given.pixels, given.tile, given.edges, given.weights, np.array(keep))
    training = Training(begin, schedule, data_hash=data, start=start)
    training.run(loss_of, checkpoint=out, check=_checker(given, held_back, channels))
    return out


def export_refiner(checkpoint: Path, out: Path, *, backs: bool = False) -> float:
    """Write the ONNX file; returns the largest difference to torch."""
    network = averaged(build_network(backs=backs), checkpoint)
    return write_onnx(network, out, side=SIDE, output="places", channels=_channels(backs=backs))


def _channels(*, backs: bool) -> int:
    """Three channels of the near crop; for backs also three of the far crop."""
    return 6 if backs else 3


def turned(pixels: Any, edges: Any, generator: Any) -> tuple[Any, Any]:
    """Turn stored crops into pictures (N, 6, 64, 64) and their edges: shifted, turned, mirrored."""
    import torch

    views = Views.random(len(pixels), generator, share=SIDE / STORED, shift=0.04)
    near, far = as_input(pixels).split(3, 1)
    near, far = views.of(near, side=SIDE), views.of(far, side=SIDE, far=MARGINS[1] / MARGINS[0])
    seen = views.points(edges.view(-1, 2, 2))
    return torch.cat([near, far], 1), torch.cat([seen.amin(1), seen.amax(1)], 1)


def _of_each(crops: Any, change: Callable[[Any, int], Any], rng: np.random.Generator) -> Any:
    """The near and the far crops (N, 6, S, S) changed alike, because one camera and one light show both."""
    import torch

    light = int(rng.integers(2**62))
    changed = torch.cat([change(crop, light) for crop in crops.split(3, 1)], 1)
    return changed.to(memory_format=torch.channels_last)


def _loss(output: Any, tile: Any, edges: Any) -> Any:
    """The presence loss, plus the edge loss of the positive examples."""
    import torch
    from torch.nn import functional

    held = tile.float()
    presence = functional.binary_cross_entropy_with_logits(output[:, 0], held * 0.98 + 0.01)
    off = functional.smooth_l1_loss(output[:, 1:], edges, beta=_BETA, reduction="none").mean(1)
    return presence + _EDGES * (off * held).sum() / torch.clamp(held.sum(), min=1)


def _keeping(output: Any, before: Any, tile: Any, clear: int) -> Any:
    """The loss where the first crops are clear and keep presence and edges, and the others are seen poorly.

    A poor crop learns its presence and what the network said of the clear crop in equal parts.
    """
    from torch.nn import functional

    presence, held = before[:, 0].sigmoid(), tile.float() * 0.98 + 0.01

    def half(part: slice, wanted: Any) -> Any:
        off = functional.smooth_l1_loss(output[part, 1:], before[part, 1:], beta=_BETA, reduction="none").mean(1)
        edges = (off * presence[part]).sum() / presence[part].sum().clamp(min=1)
        return functional.binary_cross_entropy_with_logits(output[part, 0], wanted[part]) + _EDGES * edges

    return _KEPT * half(slice(clear), presence) + half(slice(clear, None), (presence + held) / 2)


def _middle(pixels: Pixels) -> Any:
    """Stored crops as network input (N, C, 64, 64), without augmentation."""
    return middle_of(pixels, share=SIDE / STORED, side=SIDE)


def _checker(given: Proposals, held_back: NDArray[np.int64], channels: int) -> Callable[[Any], str]:
    """A check for `Training.run`: the area under the ROC curve of the presence, and the mean edge error."""
    import torch

    pictures = _middle(given.pixels[held_back, ..., :channels])
    tile = given.tile[held_back]
    edges = given.edges[held_back] * STORED / SIDE

    def check(network: Any) -> str:
        with torch.no_grad():
            output = torch.cat([network(part) for part in pictures.split(256)]).numpy()
        ranks = np.empty(len(tile))
        ranks[np.argsort(output[:, 0])] = np.arange(1, len(tile) + 1)
        yes, no = int(tile.sum()), int((~tile).sum())
        area = (ranks[tile].sum() - yes * (yes + 1) / 2) / max(1, yes * no)
        off = float(np.abs(output[tile, 1:] - edges[tile]).mean()) * MARGINS[0] / 2
        return f"presence AUC {area:.4f}, edge error {off:.4f} of the box"

    return check
