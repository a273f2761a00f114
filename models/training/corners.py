"""Train the corner network of `vision.classification.rectify` with torch (extra `train`)."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tilescore.datasets.training_folder import rgb_of
from tilescore.models.training.networks import Views, as_input, conv, middle_of, seen_worse, trunk, write_onnx
from tilescore.models.training.trainer import Schedule, Training, averaged, hash_of, split_for_check
from tilescore.vision.arrays import Pixels
from tilescore.vision.classification.rectify import FACE_MARGIN
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.crops import SIDE, crop, crop_window

WIDTHS: Final = (16, 32, 64, 96)
STORED: Final = 96
"""Pixels a side of the stored crops."""
STORED_MARGIN: Final = 1.7
"""Size of the stored crops, as a multiple of the box: more than the network sees, as a margin for the augmentation."""
_LEAST_PX: Final = 12
"""Shortest side of a box that is used, pixels."""
_FARTHEST: Final = 1.4
"""A face is left out if a coordinate of a corner exceeds this; the edges of the crop are at 1."""
_BETA: Final = 0.05
"""Errors below this, in the same unit, have a quadratic loss, larger errors a linear loss."""


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """Crops (N, 96, 96, 3) and the corners of their faces (N, 4, 2), -1 to 1 in the crop, clockwise."""

    pixels: Pixels
    corners: NDArray[np.float32]


def gather_faces(scenes: Iterable[Path]) -> Faces:
    """Collect the faces of all tiles in folders that `tilescore.datasets.synthesis.synth` wrote; backs have none.

    Raises ValueError if the folders contain no face.
    """
    pixels: list[Pixels] = []
    corners: list[NDArray[np.float32]] = []
    for folder in scenes:
        for line in (folder / "structure.jsonl").read_text(encoding="utf-8").splitlines():
            scene = json.loads(line)
            rgb = rgb_of(folder / "images" / scene["file"])
            if rgb is None:
                continue
            for tile in scene["tiles"]:
                box = Box(*tile["box_xyxy"])
                if tile["tile"] == "back" or box.short_side < _LEAST_PX:
                    continue
                x0, y0, x1, y1 = crop_window(box, STORED_MARGIN)
                quad = (np.array(tile["quad"]) - [x0, y0]) / [x1 - x0, y1 - y0] * 2 - 1
                if np.abs(quad).max() < _FARTHEST:
                    pixels.append(crop(rgb, box, side=STORED, margin=STORED_MARGIN))
                    corners.append(quad.astype(np.float32))
    if not pixels:
        raise ValueError("the folders contain no faces: give folders written by `tilescore dataset synth`.")
    return Faces(np.stack(pixels), np.stack(corners))


def build_network() -> Any:
    """A small residual network (N, 3, 64, 64) -> (N, 8), about ten million multiply-adds a tile."""
    from torch import nn

    return nn.Sequential(
        *trunk(WIDTHS),
        *conv(WIDTHS[-1], 48, size=1),
        nn.SiLU(),
        nn.Flatten(),
        nn.Linear(48 * (SIDE // 16) ** 2, 128),
        nn.SiLU(),
        nn.Linear(128, 8),
    )


def train_corners(faces: Faces, out: Path, schedule: Schedule) -> Path:
    """Train the corner network; a second run resumes from the checkpoint `out` (.pt)."""
    import torch

    held_back, learned = split_for_check(len(faces.pixels), seed=schedule.seed)

    def loss_of(network: Any, rng: np.random.Generator) -> Any:
        chosen = rng.choice(learned, schedule.batch)
        pixels, corners = torch.from_numpy(faces.pixels[chosen]), torch.from_numpy(faces.corners[chosen])
        generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
        pictures, wanted = augment(pixels, corners, generator)
        return _loss(network(pictures), wanted).mean()

    training = Training(
        lambda: build_network().to(memory_format=torch.channels_last),
        schedule,
        data_hash=hash_of(faces.pixels, faces.corners),
    )
    check = _checker(Faces(faces.pixels[held_back], faces.corners[held_back]))
    training.run(loss_of, checkpoint=out, check=check)
    return out


def export_corners(checkpoint: Path, out: Path) -> float:
    """Write the ONNX file; returns the largest difference to torch."""
    return write_onnx(averaged(build_network(), checkpoint), out, side=SIDE, output="corners")


def augment(pixels: Any, corners: Any, generator: Any) -> tuple[Any, Any]:
    """Turn stored crops into network input (N, 3, 64, 64) and its corners: moved, turned, mirrored, in other light.

    Mirroring is valid here, because the network does not name the face.
    """
    import torch

    share = FACE_MARGIN / STORED_MARGIN
    views = Views.random(len(pixels), generator, share=share, shift=0.08, zoom=(0.85, 1.18))
    seen = views.points(corners)
    seen = torch.where((views.mirror < 0)[:, None, None], seen.flip(1), seen)
    return seen_worse(views.of(as_input(pixels), side=SIDE), generator), seen


def _loss(guessed: Any, wanted: Any) -> Any:
    """The loss (N,) of corners (N, 8) against the true corners (N, 4, 2), for the best choice of the first corner."""
    import torch
    from torch.nn.functional import smooth_l1_loss

    quads = guessed.view(-1, 4, 2)
    ways = [
        smooth_l1_loss(quads, wanted.roll(begin, 1), beta=_BETA, reduction="none").mean((1, 2)) for begin in range(4)
    ]
    return torch.stack(ways, 1).amin(1)


def _checker(faces: Faces) -> Callable[[Any], str]:
    """A check for `Training.run`: the corner error, as a share of the length of the box."""
    import torch

    pictures = middle_of(faces.pixels, share=FACE_MARGIN / STORED_MARGIN, side=SIDE)
    wanted = torch.from_numpy(faces.corners) * STORED_MARGIN / FACE_MARGIN

    def check(network: Any) -> str:
        with torch.no_grad():
            quads = torch.cat([network(part) for part in pictures.split(256)]).view(-1, 4, 2)
        apart = torch.stack([(quads - wanted.roll(begin, 1)).norm(dim=2).mean(1) for begin in range(4)], 1).amin(1)
        off = apart * FACE_MARGIN / 2
        return f"corner error of the box: median {off.median():.4f}, 90th percentile {off.quantile(0.9):.4f}"

    return check
