"""Train the detector (extra `train`): on labelled pictures with ultralytics, then on poor photos without labels.

ultralytics works on a CPU or on a GPU, counts epochs and keeps its own checkpoints, from which a second run resumes.
"""

import csv
import os
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from tilescore.datasets.mix import data_hash
from tilescore.datasets.training_folder import read_labels, rgb_of
from tilescore.errors import InputError
from tilescore.models.training.networks import as_input
from tilescore.models.training.poor_photos import seen_poorly
from tilescore.models.training.trainer import Schedule, Training, averaged
from tilescore.processes.progress import Progress
from tilescore.processes.threads import thread_count
from tilescore.vision.arrays import Pixels
from tilescore.vision.image.boxes import GREY

RUNS: Final = Path("runs")
"""Folder of checkpoints and prepared data, in the working directory."""
_FINISHED: Final = -1
"""The epoch in a checkpoint of a finished training of ultralytics."""
_SIDE: Final = 640
"""Side of the square input of the training on poor photos, pixels."""
_TILE_PX: Final = (24.0, 70.0)
"""Widths of a tile there."""
_WHOLE: Final = 0.4
"""Share of the pictures that are seen whole."""
_ZOOM: Final = (0.75, 1.6)
"""The others are at least and at most so much larger."""
_CROP: Final = 1.6
"""Side of the crop of a tile, in widths of a tile."""
_KEPT: Final = 3.0
"""Weight of clear pictures; that of poor ones is 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectorConfig:
    """How a detector is trained."""

    start: Path  # weights to start from: a checkpoint (.pt) or a shipped detector (.onnx)
    data: Path  # data.yaml that `tilescore.datasets.mix.build_mix` wrote
    name: str  # name of the run, a folder in `runs`
    epochs: int = 10  # passes over the training list
    size: int = 640  # side of the square input, pixels
    batch: int = 8  # pictures a step; on a GPU, -1 lets ultralytics choose
    rate: float = 6e-4  # first learning rate of AdamW; it falls along a cosine
    seed: int = 0  # seed of the random choices of ultralytics
    backs: bool = False  # train the head for backs only (`tilescore.models.training.backs_head`)
    close_mosaic: int = 2  # number of last epochs without mosaic
    runs: Path = RUNS  # folder of checkpoints


def train(config: DetectorConfig, *, progress: Progress | None = None) -> Path:
    """Train a detector, or resume its training; returns the best weights.

    A finished training adds a row to runs.csv in the folder of checkpoints. If `progress` receives the number of
    finished steps and of all steps, ultralytics prints nothing.
    """
    import torch  # gigabytes that only training needs

    if progress is not None:
        os.environ["YOLO_VERBOSE"] = "False"  # ultralytics reads it when it loads
    from tilescore.models.training.backs_head import Trainer, all_but_backs, keep_only_backs
    from tilescore.models.training.yolo import YOLO, silence

    if progress is not None:
        silence()
    folder = config.runs / config.name
    last = folder / "weights" / "last.pt"
    gpu = torch.cuda.is_available()
    start = _checkpoint(config, folder)
    network = YOLO(str(last if last.exists() else start))
    network.add_callback("on_train_start", lambda trainer: _suit_cpu(trainer, gpu=gpu))
    if progress is not None:
        _tell(network, progress)
    if not last.exists():
        frozen = all_but_backs(network.model) if config.backs else None
        network.train(trainer=Trainer, freeze=frozen, **_settings(config, gpu=gpu, quiet=progress is not None))
    elif network.ckpt["epoch"] != _FINISHED:
        network.train(trainer=Trainer, resume=True)
    if network.trainer is not None:
        _record(config, folder, {name: float(value) for name, value in (network.trainer.metrics or {}).items()})
    best = folder / "weights" / "best.pt"
    chosen = best if best.exists() else last
    if config.backs:
        keep_only_backs(chosen, start)
    return chosen


def _checkpoint(config: DetectorConfig, folder: Path) -> Path:
    """The start as a checkpoint. For an ONNX file, training pictures give the statistics of the normalisation."""
    if config.start.suffix != ".onnx":
        return config.start
    written = folder / "start.pt"
    if (folder / "weights" / "last.pt").exists() and written.exists():
        return written
    from tilescore.models.training.initial_weights import checkpoint_from  # after torch

    pictures = _listed(config.data.parent / "train.txt")
    folder.mkdir(parents=True, exist_ok=True)
    return checkpoint_from(config.start, written, pictures=pictures[:: max(1, len(pictures) // 32)])


def _listed(listing: Path) -> list[Path]:
    return [Path(line) for line in listing.read_text().splitlines()]


def _suit_cpu(trainer: Any, *, gpu: bool) -> None:
    import torch

    if not gpu:
        torch.set_num_threads(thread_count())
        trainer.model.to(memory_format=torch.channels_last)


def _tell(network: Any, progress: Progress) -> None:
    """Report each step instead of what ultralytics prints."""
    done = 0

    def count(trainer: Any) -> None:
        nonlocal done
        steps = len(trainer.train_loader)
        done = max(done, trainer.epoch * steps) + 1
        progress(min(done, trainer.epochs * steps), trainer.epochs * steps)

    network.add_callback("on_train_batch_end", count)


def _settings(config: DetectorConfig, *, gpu: bool, quiet: bool) -> dict[str, Any]:
    """Arguments for ultralytics. They never mirror a picture, because characters are not symmetric."""
    machine = (
        {"device": 0, "amp": True, "workers": 8}
        if gpu
        else {"device": "cpu", "amp": False, "workers": 0, "cache": False, "val": False}
    )
    return machine | {
        "data": str(config.data), "epochs": config.epochs, "imgsz": config.size, "batch": config.batch,
        "seed": config.seed,
        "project": str(config.runs.resolve()), "name": config.name, "exist_ok": True, "save_period": 1,
        "optimizer": "AdamW", "lr0": config.rate, "lrf": 0.02, "cos_lr": True, "warmup_epochs": 0.3,
        "fliplr": 0.0, "flipud": 0.0, "degrees": 15.0, "scale": 0.6,
        "perspective": 3e-4, "translate": 0.15, "hsv_h": 0.02, "hsv_s": 0.6, "hsv_v": 0.45,
        "mosaic": 0.6, "close_mosaic": config.close_mosaic, "plots": not quiet, "max_det": 300, "verbose": not quiet,
    }  # fmt: skip


def train_on_poor_photos(start: Path, data: Path, out: Path, schedule: Schedule) -> Path:
    """Teach a detector to find in poor photos what it finds in clear ones; returns the averaged weights (.pt).

    The labels of `data`, a data.yaml that `tilescore.datasets.mix.build_mix` wrote, say how large the tiles are and
    nothing else: what `start` (.onnx) finds in a clear picture is what the detector learns. The layers for backs learn,
    too. A second run resumes from the checkpoint `out`.
    """
    import torch

    from tilescore.models.training.initial_weights import checkpoint_from
    from tilescore.models.training.yolo import YOLO

    def begin() -> Any:
        network = YOLO(str(plain)).model.float().eval().to(memory_format=torch.channels_last)
        network.model[-1].training = True  # the head gives its scores and box sides as they are
        return network.requires_grad_(requires_grad=True)

    listing = data.parent / "train.txt"
    pictures = _listed(listing)
    plain = checkpoint_from(start, out.with_suffix(".start.pt"), pictures=pictures[:: max(1, len(pictures) // 32)])
    teacher = begin().requires_grad_(requires_grad=False)

    def loss_of(network: Any, rng: np.random.Generator) -> Any:
        squares = [_square(pictures[at], rng) for at in rng.choice(len(pictures), schedule.batch)]
        clear = as_input(torch.from_numpy(np.stack([square for square, _ in squares])))
        clear = clear.contiguous(memory_format=torch.channels_last)
        poor = seen_poorly(clear, rng, crops=[min(1.0, _CROP * tile / _SIDE) for _, tile in squares])
        with torch.no_grad():
            before = teacher(clear)
        return _KEPT * _found_as_before(network(clear), before) + _found_as_before(network(poor), before)

    training = Training(begin, schedule, data_hash=data_hash(listing), start=start)
    training.run(loss_of, checkpoint=out)
    weights = out.with_suffix(".best.pt")
    network = averaged(begin(), out).requires_grad_(requires_grad=False)
    network.model[-1].training = False
    torch.save({"model": network, "epoch": _FINISHED, "train_args": {}}, weights)
    return weights


def _square(path: Path, rng: np.random.Generator) -> tuple[Pixels, float]:
    """A part of a picture as input (640, 640, 3), enlarged or reduced, and the width of its tiles in pixels."""
    rgb = rgb_of(path)
    if rgb is None:
        raise InputError("bad_picture", f"'{path}' is no picture: render it again, or take it away.", path=str(path))
    height, width = rgb.shape[:2]
    sides = [min(w * width, h * height) for *_, w, h in read_labels(path)]
    tile = float(np.median(sides)) if sides else _TILE_PX[1] * max(height, width) / _SIDE
    factor = _SIDE / max(height, width)
    if rng.random() > _WHOLE:
        wanted = float(np.exp(rng.uniform(*np.log(_TILE_PX)))) / (tile * factor)
        factor *= min(max(wanted, _ZOOM[0]), _ZOOM[1])
    part = cv2.resize(rgb, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR)
    top, left = (int(rng.integers(max(0, side - _SIDE) + 1)) for side in part.shape[:2])
    part = part[top : top + _SIDE, left : left + _SIDE]
    square = np.full((_SIDE, _SIDE, 3), GREY, np.uint8)
    square[: part.shape[0], : part.shape[1]] = part
    turned = np.rot90(square, int(rng.integers(4)) if rng.random() < 0.5 else 0)
    return np.ascontiguousarray(turned), tile * factor


def _found_as_before(found: Any, before: Any) -> Any:
    """The loss (a number, in nats a tile) of scores and box sides that are no longer those of before."""
    import torch
    from torch.nn import functional

    wanted = before["scores"].sigmoid()
    weight = wanted.amax(1)
    least = functional.binary_cross_entropy(wanted, wanted, reduction="sum")
    scores = functional.binary_cross_entropy_with_logits(found["scores"], wanted, reduction="sum") - least
    ours, theirs = (some["boxes"].unflatten(1, (4, -1)).log_softmax(2) for some in (found, before))
    sides = (theirs.exp() * (theirs - ours)).sum(2).mean(1)
    return (scores + (weight * sides).sum()) / torch.clamp(weight.sum(), min=1)


def _record(config: DetectorConfig, folder: Path, metrics: dict[str, float]) -> None:
    """Add a row to runs/runs.csv: configuration, hash of the data, last loss, metrics of the last validation."""
    results = folder / "results.csv"
    rows = list(csv.DictReader(results.open(encoding="utf-8"))) if results.exists() else []
    row = {key: str(value) for key, value in asdict(config).items()}
    row |= {
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "data_hash": data_hash(config.data.parent / "train.txt"),
        "cls_loss": rows[-1]["train/cls_loss"].strip() if rows else "",
        "map50": f"{metrics.get('metrics/mAP50(B)', 0.0):.4f}",
        "map50_95": f"{metrics.get('metrics/mAP50-95(B)', 0.0):.4f}",
    }
    table = config.runs / "runs.csv"
    new = not table.exists()
    with table.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(row))
        if new:
            writer.writeheader()
        writer.writerow(row)
