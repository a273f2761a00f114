"""Compare the cost of reading a photo with the peak of this processor: `python -m benchmarks.reading_cost`.

The lower bound for a photo is its measured decoding time plus the arithmetic of all network passes at the rate of a
large matrix product of numpy, the highest rate that we can measure. Networks with thin layers do not reach that rate.
The report therefore also shows the time of onnxruntime for the passes alone, without our code.
"""

from __future__ import annotations

import json
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from math import prod
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import patch

import cv2
import numpy as np

from tests.harness.figures import Figure, at_most
from tilescore.datasets.sample import SAMPLES
from tilescore.models.registry import load_reader
from tilescore.models.training.export import FILLED
from tilescore.vision.detection.detector import OnnxDetector
from tilescore.vision.image.boxes import letterbox
from tilescore.vision.image.photo import decode_photo
from tilescore.vision.inference.batches import SmallNetwork

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tilescore.vision.detections import Proposal

PHONE_WH: Final = (4032, 3024)
_SIDE: Final = 2048
"""The side of the square matrices."""
_ROUNDS: Final = 15
STAGES: Final = ("decode", "detect", "classify", "layout", "total")
MEDIAN: Final = "12 MP JPEG, p50: "
"""The beginning of the names of all figures in the chart."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass of a network: its file and the shape of its input."""

    network: Path
    shape: tuple[int, ...]


def reading_cost(rounds: int = 10) -> list[Figure]:
    """Milliseconds of each stage for the sample photos at 12 megapixels, and the ratio of the total to its lower bound.

    A ratio compares the fastest rounds, because other work of the machine only adds time. All parts of a ratio are
    measured within seconds, because the speed of a shared machine changes from minute to minute.
    """
    reader = load_reader()
    timings: list[dict[str, float]] = []
    peaks, arithmetic, floors, alone, above_floor, above_alone = [], [], [], [], [], []
    for path in sorted(SAMPLES.glob("*.jpg")):
        data = phone_photo(path)
        passes = _passes(data)
        here = [dict(reader.read(decode_photo(data)).timings_ms) for _ in range(rounds)]
        timings += here
        decoded, total = (min(timing[stage] for timing in here) for stage in ("decode", "total"))
        arithmetic.append(sum(_flops(one) for one in passes))
        alone.append(sum(1000 * _alone_seconds(one) for one in passes))
        peaks.append(_peak_flops())
        floors.append(1000 * arithmetic[-1] / peaks[-1])
        above_floor.append(total / (decoded + floors[-1]))
        above_alone.append(total / (decoded + alone[-1]))
    return [
        *(Figure(f"{MEDIAN}{stage}, ms", median(t[stage] for t in timings)) for stage in STAGES),
        *(Figure(f"12 MP JPEG, p95: {stage}, ms", _late([t[stage] for t in timings])) for stage in STAGES),
        Figure("matrix product on all cores, GFLOP/s", mean(peaks) / 1e9),
        Figure("networks' arithmetic, GFLOP a photo", mean(arithmetic) / 1e9),
        Figure(f"{MEDIAN}arithmetic at that rate, ms", mean(floors)),
        Figure(f"{MEDIAN}passes in onnxruntime alone, ms", mean(alone)),
        at_most("reading / (decoding + arithmetic at that rate)", mean(above_floor), 1.5),
        Figure("reading / (decoding + passes in onnxruntime alone)", mean(above_alone)),
    ]


def photo_to_score() -> list[Figure]:
    """Seconds from the file of a 12-megapixel JPEG to the score, with loaded networks."""
    from tilescore.scoring.context import Context, WinBy
    from tilescore.scoring.ruleset import ruleset

    reader, rules, context = load_reader(), ruleset("mcr"), Context(win_by=WinBy.SELF_DRAW)
    times = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "photo.jpg"
        path.write_bytes(phone_photo(SAMPLES / "winning_hand.jpg"))
        for _ in range(12):
            start = time.perf_counter()
            rules.score(reader.read(decode_photo(path.read_bytes())).hand, context)
            times.append(time.perf_counter() - start)
    kept = sorted(times[2:])
    return [
        at_most("photo to score, 12 MP JPEG, median, s", median(kept), 0.15),
        at_most("photo to score, 12 MP JPEG, slowest of ten, s", kept[-1], 1.2),
    ]


def phone_photo(path: Path) -> bytes:
    """The picture as a 12-megapixel photo of a phone."""
    rgb = decode_photo(path.read_bytes()).rgb
    large = cv2.resize(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), PHONE_WH, interpolation=cv2.INTER_CUBIC)
    return bytes(cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])


def _passes(data: bytes) -> list[Pass]:
    """The passes of the networks over the photo; where threads share the work, the passes of each thread."""
    passes: list[Pass] = []
    detect, run = OnnxDetector.detect, SmallNetwork.run

    def noting_detect(self: OnnxDetector, rgb: NDArray[np.uint8], *, long_side: int) -> tuple[Proposal, ...]:
        passes.append(Pass(self.path, letterbox(rgb, long_side=long_side).tensor.shape))
        return detect(self, rgb, long_side=long_side)

    def noting_run(self: SmallNetwork, tensor: NDArray[np.float32]) -> NDArray[np.float32]:
        passes.append(Pass(self.path, tensor.shape))
        return run(self, tensor)

    with patch.object(OnnxDetector, "detect", noting_detect), patch.object(SmallNetwork, "run", noting_run):
        load_reader().read(decode_photo(data))
    return passes


@cache
def _peak_flops() -> float:
    """Multiplications and additions a second in the fastest matrix product of numpy."""
    one = np.random.default_rng(0).random((_SIDE, _SIDE), dtype=np.float32)
    return 2 * _SIDE**3 / _best_seconds(lambda: one @ one)


def _best_seconds(work: Callable[[], object]) -> float:
    """The time of the fastest round; the first round does not count."""
    work()
    times = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


@cache
def _alone_seconds(one: Pass) -> float:
    """The time of onnxruntime for that pass."""
    session, given = _session(one)
    return _best_seconds(lambda: session.run(None, given))


@cache
def _flops(one: Pass) -> int:
    """Multiplications and additions of that pass, from the shapes that onnxruntime records for each node of the graph.

    Operations on empty channels, which only fill blocks, do not count.
    """
    with tempfile.TemporaryDirectory() as folder:
        session, given = _session(one, notes=str(Path(folder) / "nodes"))
        session.run(None, given)
        nodes = json.loads(Path(session.end_profiling()).read_text(encoding="utf-8"))
    shares: dict[str, float] = json.loads(session.get_modelmeta().custom_metadata_map.get(FILLED, "{}"))
    done = [node for node in nodes if "output_type_shape" in node.get("args", {})]
    return round(
        sum(shares.get(node["name"].removesuffix("_kernel_time"), 1) * _node_flops(node["args"]) for node in done)
    )


def _node_flops(node: dict[str, Any]) -> int:
    inputs, outputs = (
        [next(iter(entry.values())) for entry in node[f"{side}_type_shape"]] for side in ("input", "output")
    )
    made = int(prod(outputs[0]))
    if node["op_name"] == "Conv":
        return 2 * made * int(prod(inputs[1][1:]))
    return 2 * made * int(inputs[0][-1]) if node["op_name"] in ("MatMul", "Gemm") else 0


def _session(one: Pass, notes: str = "") -> tuple[Any, dict[str, NDArray[np.float32]]]:
    """A session for that pass, and its input.

    With `notes`, the session runs the graph without optimization and writes a profile of its nodes to that path.
    """
    from tilescore.vision.inference.session import load_onnxruntime

    onnxruntime = load_onnxruntime()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    if notes:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.enable_profiling, options.profile_file_prefix = True, notes
    session = onnxruntime.InferenceSession(str(one.network), options, providers=["CPUExecutionProvider"])
    given = np.random.default_rng(0).random(one.shape, dtype=np.float32)
    return session, {session.get_inputs()[0].name: given}


def _late(times: list[float]) -> float:
    return float(np.percentile(times, 95))
