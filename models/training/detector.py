"""Train the detector with ultralytics (extra `train`), on a CPU or on a GPU.

ultralytics counts epochs and keeps its own checkpoints, from which a second run resumes.
"""

import csv
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tilescore.datasets.mix import data_hash
from tilescore.processes.progress import Progress
from tilescore.processes.threads import thread_count

RUNS: Final = Path("runs")
"""Folder of checkpoints and prepared data, in the working directory."""
_FINISHED: Final = -1
"""The epoch in a checkpoint of a finished training of ultralytics."""


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
    last = last_checkpoint(folder / "weights", config.epochs)
    gpu = torch.cuda.is_available()
    start = _checkpoint(config, folder)
    network = YOLO(str(last or start))
    network.add_callback("on_train_start", lambda trainer: _suit_cpu(trainer, gpu=gpu))
    if progress is not None:
        _tell(network, progress)
    if last is None:
        frozen = all_but_backs(network.model) if config.backs else None
        network.train(trainer=Trainer, freeze=frozen, **_settings(config, gpu=gpu, quiet=progress is not None))
    elif network.ckpt["epoch"] != _FINISHED:
        network.train(trainer=Trainer, resume=True)
    if network.trainer is not None:
        _record(config, folder, {name: float(value) for name, value in (network.trainer.metrics or {}).items()})
    best, newest = (folder / "weights" / name for name in ("best.pt", "last.pt"))
    chosen = best if best.exists() else newest
    if config.backs:
        keep_only_backs(chosen, start)
    return chosen


def last_checkpoint(weights: Path, epochs: int) -> Path | None:
    """The newest checkpoint in this folder from which a training of so many epochs goes on, or that finished it.

    ultralytics writes its checkpoints in place. A crash can leave a part of one, or the last epoch without its end.
    """
    from tilescore.models.training.yolo import torch_load

    earlier = sorted(weights.glob("epoch*.pt"), key=lambda path: int(path.stem.removeprefix("epoch")), reverse=True)
    for path in (weights / "last.pt", *earlier):
        with suppress(Exception):  # a damaged file raises errors of many modules
            if torch_load(path, map_location="cpu")["epoch"] + 1 < epochs:
                return path
    return None


def _checkpoint(config: DetectorConfig, folder: Path) -> Path:
    """The start as a checkpoint. For an ONNX file, training pictures give the statistics of the normalisation."""
    if config.start.suffix != ".onnx":
        return config.start
    written = folder / "start.pt"
    if (folder / "weights" / "last.pt").exists() and written.exists():
        return written
    from tilescore.models.training.initial_weights import checkpoint_from  # after torch

    pictures = [Path(line) for line in (config.data.parent / "train.txt").read_text().splitlines()]
    folder.mkdir(parents=True, exist_ok=True)
    return checkpoint_from(config.start, written, pictures=pictures[:: max(1, len(pictures) // 32)])


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
