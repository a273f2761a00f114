"""Training the detector with ultralytics (extra `train`), the same on two cores and on a big GPU, resumable."""

from __future__ import annotations

import csv
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tilescore.base.threads import thread_count
from tilescore.datasets.mix import data_hash

RUNS: Final = Path("runs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What a training run is told.

    Attributes:
        start: weights to start from: a checkpoint (.pt), or a detector as shipped (.onnx).
        data: data.yaml of `tilescore.datasets.mix.build_mix`.
        name: folder of the run under `runs/`.
        epochs: passes over the training list.
        size: side of the square input, pixels.
        batch: pictures a step; on a GPU -1 lets ultralytics choose.
        rate: first learning rate of AdamW, falling along a cosine.
        backs: whether nothing but the layers of backs learns (`tilescore.models.training.backs_head`).
        close_mosaic: last epochs without mosaic.
    """

    start: Path
    data: Path
    name: str
    epochs: int = 10
    size: int = 640
    batch: int = 8
    rate: float = 6e-4
    backs: bool = False
    close_mosaic: int = 2


def train(recipe: Recipe) -> Path:
    """Run, or resume, a training; returns the best weights. Each finished run adds a row to runs/runs.csv."""
    import torch  # noqa: PLC0415  # gigabytes that only training needs

    from tilescore.models.training.backs_head import Trainer, all_but_backs, keep_only_backs  # noqa: PLC0415
    from tilescore.models.training.yolo import YOLO  # noqa: PLC0415

    folder = RUNS / recipe.name
    last = folder / "weights" / "last.pt"
    gpu = torch.cuda.is_available()
    start = _checkpoint(recipe, folder)
    network = YOLO(str(last if last.exists() else start))
    network.add_callback("on_train_start", lambda trainer: _suit_cpu(trainer, gpu=gpu))
    if last.exists():
        network.train(trainer=Trainer, resume=True)
    else:
        frozen = all_but_backs(network.model) if recipe.backs else None
        network.train(trainer=Trainer, freeze=frozen, **_settings(recipe, gpu=gpu))
    _record(recipe, folder, {name: float(value) for name, value in (network.trainer.metrics or {}).items()})
    best = folder / "weights" / "best.pt"
    chosen = best if best.exists() else last
    if recipe.backs:
        keep_only_backs(chosen, start)
    return chosen


def _checkpoint(recipe: Recipe, folder: Path) -> Path:
    """The start as a checkpoint; statistics of an ONNX file are measured on what it will be trained on."""
    if recipe.start.suffix != ".onnx":
        return recipe.start
    from tilescore.models.training.initial_weights import checkpoint_from  # noqa: PLC0415  # after torch

    pictures = [Path(line) for line in (recipe.data.parent / "train.txt").read_text().splitlines()]
    folder.mkdir(parents=True, exist_ok=True)
    return checkpoint_from(recipe.start, folder / "start.pt", pictures=pictures[:: max(1, len(pictures) // 32)])


def _suit_cpu(trainer: Any, *, gpu: bool) -> None:
    import torch  # noqa: PLC0415

    if not gpu:
        torch.set_num_threads(thread_count())
        trainer.model.to(memory_format=torch.channels_last)


def _settings(recipe: Recipe, *, gpu: bool) -> dict[str, Any]:
    """Arguments for ultralytics; never a mirrored tile: characters are not symmetric."""
    machine = (
        {"device": 0, "amp": True, "workers": 8}
        if gpu
        else {"device": "cpu", "amp": False, "workers": 0, "cache": False, "val": False}
    )
    return machine | {
        "data": str(recipe.data), "epochs": recipe.epochs, "imgsz": recipe.size, "batch": recipe.batch,
        "project": str(RUNS.resolve()), "name": recipe.name, "exist_ok": True, "save_period": 1,
        "optimizer": "AdamW", "lr0": recipe.rate, "lrf": 0.02, "cos_lr": True, "warmup_epochs": 0.3,
        "fliplr": 0.0, "flipud": 0.0, "degrees": 15.0, "scale": 0.6,
        "perspective": 3e-4, "translate": 0.15, "hsv_h": 0.02, "hsv_s": 0.6, "hsv_v": 0.45,
        "mosaic": 0.6, "close_mosaic": recipe.close_mosaic, "plots": True, "max_det": 300, "verbose": True,
    }  # fmt: skip


def _record(recipe: Recipe, folder: Path, metrics: dict[str, float]) -> None:
    """One row a run in runs/runs.csv: recipe, hash of the data, last loss, what the last validation measured."""
    results = folder / "results.csv"
    rows = list(csv.DictReader(results.open(encoding="utf-8"))) if results.exists() else []
    row = {key: str(value) for key, value in asdict(recipe).items()}
    row |= {
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "data_hash": data_hash(recipe.data.parent / "train.txt"),
        "cls_loss": rows[-1]["train/cls_loss"].strip() if rows else "",
        "map50": f"{metrics.get('metrics/mAP50(B)', 0.0):.4f}",
        "map50_95": f"{metrics.get('metrics/mAP50-95(B)', 0.0):.4f}",
    }
    table = RUNS / "runs.csv"
    new = not table.exists()
    with table.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(row))
        if new:
            writer.writeheader()
        writer.writerow(row)
