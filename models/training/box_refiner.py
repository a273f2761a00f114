"""Training the networks of `vision.detection.box_refiner` with torch (extra `train`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from tilescore.datasets.crops import labelled_boxes
from tilescore.datasets.ignore_regions import read_ignore_regions
from tilescore.datasets.labels import CLASS_NAMES
from tilescore.models.training.initial_weights import network_from
from tilescore.models.training.trainer import conv, middle_of, seen_worse, train_for, trunk, write_onnx
from tilescore.vision.detection.box_refiner import MARGINS, SIDE, refiner_crops
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.crops import crop_window

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from tilescore.vision.detection.detector import Detector

WIDTHS: Final = (24, 48, 96, 128)
"""Channels of what sees a proposal from near,"""
FAR_WIDTHS: Final = (16, 32, 64, 96)
"""and of what sees it from far, in the network of backs."""
STORED: Final = 80
"""Pixels a side of the cut-outs as stored: a quarter more than the network sees, so that training can move them."""
_LOOKS: Final = (640, 640, 960)
_LARGE_LOOKS: Final = (640, 960, 1024)
_LARGE_PX: Final = 700
"""Pictures whose long side has more pixels are looked at by these long sides of the detector's input."""
_LEAST_PX: Final = 9
_TILE: Final = 0.4
"""A proposal that shares so much with a tile (IoU) holds it,"""
_NONE: Final = 0.3
"""one that shares less than this with each holds none; between, nothing is learned, nor where a tile is glimpsed."""
_SURELY_SEEN: Final = 0.3
"""What the detector believes so much of a photo, and nobody labelled, may be a tile that was forgotten."""
_TREMBLING: Final = 0.1
_BACK: Final = CLASS_NAMES.index("back")
_OF_ALL: Final = (0.45, 0.17, 0.23, 0.15)
"""Shares of what is drawn: that holds no tile, backs, faces of scenes, faces of photos;"""
_OF_BACKS: Final = (0.44, 0.26, 0.19, 0.11)
"""the same for the network of backs."""
_EDGES: Final = 4.0
"""Weight of the edges beside the question whether there is a tile."""
_SLIGHT: Final = 0.05
_HELD_BACK: Final = 40
"""One proposal of so many is not learned from, but checks what was."""


@dataclass(frozen=True, slots=True, eq=False)
class Proposals:
    """Cut-outs (N, 80, 80, 6), whether each holds a tile (N,), its edges (N, 4), and how often each is drawn (N,).

    The first three channels are from near, the others from far. Edges are left, top, right, bottom, -1 to 1 in the
    cut-out from near; 0 where there is no tile.
    """

    pixels: NDArray[np.uint8]
    tile: NDArray[np.bool_]
    edges: NDArray[np.float32]
    weights: NDArray[np.float64]


def gather_proposals(
    photos: Iterable[Path], rendered: Iterable[Path], detector: Detector, *, backs: bool = False
) -> Proposals:
    """What a detector proposes in pictures with YOLO labels, and the labelled tiles, their edges moved a little.

    Args:
        photos: pictures in which here and there a tile may be without its label.
        rendered: pictures in which every visible tile has one.
        detector: whose proposals, however faint, are judged.
        backs: whether backs are drawn more often, for the network that judges these.
    """
    rows = [*_judged(photos, detector, forgetful=True), *_judged(rendered, detector, forgetful=False)]
    if not rows:
        raise ValueError("nothing is proposed: give folders written by `tilescore dataset synth`.")
    pixels, kinds, edges, real = zip(*rows, strict=True)
    weights = _weights(np.array(kinds), np.array(real), _OF_BACKS if backs else _OF_ALL)
    return Proposals(np.concatenate(pixels), np.array(kinds) >= 0, np.array(edges, np.float32), weights)


def _weights(kinds: NDArray[np.int64], real: NDArray[np.bool_], shares: Sequence[float]) -> NDArray[np.float64]:
    """How often each is drawn, by the shares of what holds no tile, backs, faces of scenes and faces of photos."""
    weights = np.zeros(len(kinds))
    none, back = kinds < 0, kinds == _BACK
    faces = ~none & ~back
    for chosen, share in zip((none, back, faces & ~real, faces & real), shares, strict=True):
        if chosen.any():
            weights[chosen] = share / chosen.sum()
    return np.asarray(weights / weights.sum(), np.float64)


def _judged(
    pictures: Iterable[Path], detector: Detector, *, forgetful: bool
) -> Iterable[tuple[NDArray[np.uint8], int, tuple[float, ...], bool]]:
    """Of each proposal its cut-out (1, 80, 80, 6), its tile's class or -1, the tile's edges, and whether it is real."""
    rng = np.random.default_rng(0)
    for path in pictures:
        bgr = cv2.imread(str(path))
        if bgr is None:
            continue
        rgb = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), np.uint8)
        tiles, ignore_regions = labelled_boxes(path, rgb.shape[1], rgb.shape[0]), read_ignore_regions(path)
        looks = _LARGE_LOOKS if max(rgb.shape[:2]) > _LARGE_PX else _LOOKS
        seen = detector.detect(rgb, long_side=int(rng.choice(looks)))
        places = [(found.box, found.confidence) for found in seen]
        places += [(_trembled(box, rng), 0.0) for _, box in tiles]
        for box, believed in places:
            if box.short_side < _LEAST_PX:
                continue
            kind, tile = max(tiles, key=lambda each: each[1].iou(box), default=(-1, box))
            shared = tile.iou(box) if tiles else 0.0
            if _NONE <= shared < _TILE or (shared < _NONE and forgetful and believed >= _SURELY_SEEN):
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


def _trembled(box: Box, rng: np.random.Generator) -> Box:
    """The box with its edges moved."""
    left, top, right, bottom = rng.normal(0, _TREMBLING, 4).clip(-0.3, 0.3).tolist()
    width, height = box.width, box.height
    return Box(box.x0 + left * width, box.y0 + top * height, box.x1 + right * width, box.y1 + bottom * height)


def _seen_edges(tile: Box, box: Box) -> tuple[float, ...]:
    """A tile's edges in the stored cut-out of a box."""
    x0, y0, x1, y1 = crop_window(box, MARGINS[0] * STORED / SIDE, slim=1.0)
    across, down = (2 / (x1 - x0), 2 / (y1 - y0))
    left, right = ((x - x0) * across - 1 for x in (tile.x0, tile.x1))
    top, bottom = ((y - y0) * down - 1 for y in (tile.y0, tile.y1))
    return left, top, right, bottom


def build_network(*, backs: bool = False) -> Any:
    """A small residual network: (N, 3, 64, 64) -> (N, 5), about 17 million multiply-adds a proposal.

    The one of backs, (N, 6, 64, 64) -> (N, 5), has another beside it for what is seen from far: 25 million.
    """
    from torch import cat, nn  # noqa: PLC0415

    def looking(widths: Sequence[int], out: int) -> list[Any]:
        return [*trunk(widths), *conv(widths[-1], out, size=1), nn.SiLU(), nn.Flatten()]

    def telling(channels: int) -> list[Any]:
        seen = channels * (SIDE // 16) ** 2
        return [nn.Dropout(0.1), nn.Linear(seen, 128), nn.SiLU(), nn.Linear(128, 5)]

    class TwoLooks(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
        """Sees a place from near and from far."""

        def __init__(self) -> None:
            super().__init__()
            self.near, self.far = (
                nn.Sequential(*looking(widths, out)) for widths, out in ((WIDTHS, 64), (FAR_WIDTHS, 48))
            )
            self.told = nn.Sequential(*telling(64 + 48))

        def forward(self, x: Any) -> Any:
            return self.told(cat([self.near(x[:, :3]), self.far(x[:, 3:])], 1))

    return TwoLooks() if backs else nn.Sequential(*looking(WIDTHS, 64), *telling(64))


def train_refiner(
    given: Proposals,
    out: Path,
    *,
    minutes: float,
    backs: bool = False,
    batch: int = 160,
    rate: float = 3e-3,
    start: Path | None = None,
) -> Path:
    """Train for so many minutes, write checkpoints as it goes; goes on from `out` if that exists, else from `start`.

    Args:
        given: what to learn from.
        out: checkpoint file (.pt).
        minutes: how long.
        backs: whether it is the network of backs, which sees a proposal from far, too.
        batch: cut-outs a step.
        rate: highest learning rate.
        start: a refiner as shipped (.onnx) to begin with; None begins at random.
    """
    import torch  # noqa: PLC0415

    rng = np.random.default_rng(0)
    order = rng.permutation(len(given.tile))
    held_back, learned = np.split(order, [max(1, len(order) // _HELD_BACK)])
    network, channels = build_network(backs=backs).to(memory_format=torch.channels_last), _channels(backs=backs)
    if out.exists():
        network.load_state_dict(torch.load(out, weights_only=True))
    elif start is not None:
        network_from(start, network, pictures=_middle(given.pixels[order[:256], ..., :channels]))
        network.train()
    chances = given.weights[learned] / given.weights[learned].sum()
    upto = np.cumsum(chances)

    def loss_of(step: int) -> Any:
        chosen = learned[np.minimum(np.searchsorted(upto, rng.random(batch)), len(learned) - 1)]
        pictures, edges = augment(
            torch.from_numpy(given.pixels[chosen]),
            torch.from_numpy(given.edges[chosen]),
            torch.Generator().manual_seed(step),
        )
        return _loss(network(pictures[:, :channels]), torch.from_numpy(given.tile[chosen]), edges)

    return train_for(network, loss_of, out, minutes=minutes, rate=rate, check=_checker(given, held_back, channels))


def export_refiner(weights: Path, out: Path, *, backs: bool = False) -> float:
    """Write the ONNX file; returns its largest difference to torch."""
    network = build_network(backs=backs)
    return write_onnx(network, weights, out, side=SIDE, output="places", channels=_channels(backs=backs))


def _channels(*, backs: bool) -> int:
    """Three from near, and three from far where backs are judged."""
    return 6 if backs else 3


def augment(pixels: Any, edges: Any, generator: Any) -> tuple[Any, Any]:
    """Stored cut-outs -> what the network sees (N, 6, 64, 64) and the edges there: moved, turned, mirrored, dimmed."""
    import torch  # noqa: PLC0415
    from torch.nn import functional  # noqa: PLC0415

    count = len(pixels)
    x = pixels.permute(0, 3, 1, 2).float() / 255

    def uniform(low: float, high: float, *shape: int) -> Any:
        return torch.rand(count, *shape, generator=generator) * (high - low) + low

    angle = torch.randint(0, 4, (count,), generator=generator) * torch.pi / 2
    mirror = torch.where(uniform(0, 1) < 0.5, 1.0, -1.0)
    across, along = (SIDE / STORED * uniform(0.93, 1.07) for _ in range(2))
    cos, sin = torch.cos(angle).round(), torch.sin(angle).round()
    matrix = torch.stack(
        [torch.stack([cos * across * mirror, -sin * along], 1), torch.stack([sin * across * mirror, cos * along], 1)], 1
    )
    shift = uniform(-0.04, 0.04, 2)

    def moved(part: Any, by: Any) -> Any:
        grid = functional.affine_grid(
            torch.cat([matrix, by[:, :, None]], 2), [count, 3, SIDE, SIDE], align_corners=False
        )
        return functional.grid_sample(part, grid, padding_mode="border", align_corners=False)

    near, far = moved(x[:, :3], shift), moved(x[:, 3:], shift * MARGINS[0] / MARGINS[1])
    light = generator.get_state()
    near = seen_worse(near, generator)
    generator.set_state(light)  # one picture, one light
    far = seen_worse(far, generator)
    seen = (edges.view(-1, 2, 2) - shift[:, None]) @ torch.linalg.inv(matrix).transpose(1, 2)
    pictures = torch.cat([near, far], 1).to(memory_format=torch.channels_last)
    return pictures, torch.cat([seen.amin(1), seen.amax(1)], 1)


def _loss(told: Any, tile: Any, edges: Any) -> Any:
    """How wrong it is whether there is a tile, and, where there is one, where its edges are."""
    import torch  # noqa: PLC0415
    from torch.nn import functional  # noqa: PLC0415

    held = tile.float()
    whether = functional.binary_cross_entropy_with_logits(told[:, 0], held * 0.98 + 0.01)
    off = functional.smooth_l1_loss(told[:, 1:], edges, beta=_SLIGHT, reduction="none").mean(1)
    return whether + _EDGES * (off * held).sum() / torch.clamp(held.sum(), min=1)


def _middle(pixels: NDArray[np.uint8]) -> Any:
    """Stored cut-outs as the network sees them at work: (N, C, 64, 64), nothing changed."""
    return middle_of(pixels, share=SIDE / STORED, side=SIDE)


def _checker(given: Proposals, held_back: NDArray[np.int64], channels: int) -> Callable[[Any], str]:
    """A check for `train_for`: how often a tile is believed likelier than none, and how well boxes fit."""
    import torch  # noqa: PLC0415

    pictures = _middle(given.pixels[held_back, ..., :channels])
    tile = given.tile[held_back]
    edges = given.edges[held_back] * STORED / SIDE

    def check(network: Any) -> str:
        with torch.no_grad():
            told = torch.cat([network(part) for part in pictures.split(256)]).numpy()
        ranks = np.empty(len(tile))
        ranks[np.argsort(told[:, 0])] = np.arange(1, len(tile) + 1)
        yes, no = int(tile.sum()), int((~tile).sum())
        area = (ranks[tile].sum() - yes * (yes + 1) / 2) / max(1, yes * no)
        off = float(np.abs(told[tile, 1:] - edges[tile]).mean()) * MARGINS[0] / 2
        return f"tile likelier than none {area:.4f}, edges off {off:.4f} of the box"

    return check
