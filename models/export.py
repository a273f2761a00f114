"""From trained weights to the ONNX file that is shipped (extra `train`)."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

import numpy as np

_TOLERANCE: Final = 1e-3
_SIZES: Final = ((640, 640), (480, 640), (96, 640))
"""Inputs (height, width) on which the file must compute what torch computes."""

_KEPT_NOTES: Final = ("author", "license", "names", "stride", "task")


def export(weights: Path, out: Path) -> float:
    """Write `out` with free input sizes; returns the largest difference to torch, scores 0-1 and boxes in input widths.

    Raises:
        ValueError: if the file computes something else than the weights.
    """
    os.environ.setdefault("YOLO_OFFLINE", "1")
    os.environ.setdefault("YOLO_AUTOINSTALL", "0")
    from ultralytics import YOLO  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        # ultralytics writes beside the weights.
        copy = Path(shutil.copy(weights, folder))
        network = YOLO(str(copy))
        written = network.export(format="onnx", imgsz=640, simplify=True, dynamic=True)
        difference = max(_difference(copy, Path(written), size) for size in _SIZES)
        if difference > _TOLERANCE:
            raise ValueError(f"the export of '{weights}' differs from torch by {difference:.1e}, over {_TOLERANCE}.")
        _without_paths(Path(written), out)
    return difference


def _without_paths(written: Path, out: Path) -> None:
    """Copy the file but for what ultralytics notes of the machine it was trained on."""
    import onnx  # noqa: PLC0415

    model = onnx.load(written)
    kept = [entry for entry in model.metadata_props if entry.key in _KEPT_NOTES]
    notes = {entry.key: entry.value for entry in kept}
    del model.metadata_props[:]
    onnx.helper.set_model_props(model, notes)
    onnx.save(model, out)


def _difference(weights: Path, onnx: Path, size_hw: tuple[int, int]) -> float:
    import onnxruntime  # noqa: PLC0415
    import torch  # noqa: PLC0415
    from ultralytics import YOLO  # noqa: PLC0415

    height, width = size_hw
    picture = np.random.default_rng(0).random((1, 3, height, width), np.float32)
    with torch.no_grad():
        expected = YOLO(str(weights)).model.float().eval()(torch.from_numpy(picture))[0].numpy()
    session = onnxruntime.InferenceSession(str(onnx), providers=["CPUExecutionProvider"])
    got = session.run(None, {session.get_inputs()[0].name: picture})[0]
    scale = np.ones((1, expected.shape[1], 1), np.float32)
    scale[:, :4] = max(size_hw)
    return float(np.abs((got - expected) / scale).max())
