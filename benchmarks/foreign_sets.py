"""How long a set of another program takes: `python -m benchmarks.foreign_sets`.

It checks 8,000 labels on 400 pictures. It checks and converts 100,000 labels on 5,000 pictures, without the model. The
memory is that of the list of pictures: labels are packed, and each format is written picture by picture. The promise of
100,000 labels is of the time that passes; other work on the machine hardly changes the seconds of the processor.
"""

import json
import random
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from tests.harness.figures import Figure, at_most, command
from tilescore.datasets import formats
from tilescore.datasets.checks.dataset_check import check

_NAMES = [f"{rank}_{suit}" for suit in ("man", "pin", "sou") for rank in range(1, 10)]
_CHECK = "check"


def _yolo_set(root: Path, pictures: int, *, labels: int, seed: int = 0) -> Path:
    """A set in Roboflow's form, with small pictures that differ."""
    rng, noise = random.Random(seed), np.random.default_rng(seed)
    for folder in ("images", "labels"):
        (root / "train" / folder).mkdir(parents=True)
    for number in range(pictures):
        patches = noise.integers(0, 255, (12, 16, 3)).astype(np.uint8)
        picture = cv2.resize(patches, (320, 240), interpolation=cv2.INTER_CUBIC)
        cv2.imwrite(str(root / "train" / "images" / f"{number:05d}.jpg"), picture)
        lines = [
            f"{rng.randrange(27)} {rng.uniform(0.1, 0.9):.6f} {rng.uniform(0.1, 0.9):.6f} 0.06 0.1"
            for _ in range(labels)
        ]
        (root / "train" / "labels" / f"{number:05d}.txt").write_text("\n".join(lines))
    (root / "data.yaml").write_text(f"names: {json.dumps(_NAMES)}\n")
    return root


def _taken(folder: Path, out: Path, format_name: str) -> tuple[int, float, float, float]:
    """Convert a set, or check it: number of labels, CPU seconds, seconds that passed, growth of this process in MiB."""
    Path("/proc/self/clear_refs").write_text("5")  # forgets the peak of what came before
    before = _peak_mib()
    start, worked = time.perf_counter(), time.process_time()
    found = formats.read(folder, progress=lambda _done, _total: None)
    if format_name == _CHECK:
        check(found)
    else:
        formats.write(found.pictures, out, format_name=format_name)
    return found.boxes, time.process_time() - worked, time.perf_counter() - start, _peak_mib() - before


def _peak_mib() -> float:
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def foreign_sets() -> list[Figure]:
    """The figures of checking a small set and of converting a large one."""
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as place:
        small = _yolo_set(Path(place, "small"), 400, labels=20)
        start = time.process_time()
        report = check(formats.read(small))
        checked = time.process_time() - start
        figures.append(Figure("labels checked", sum(count.boxes for count in report.counts)))
        figures.append(at_most("CPU seconds to check them", round(checked, 1), 5))
        large = _yolo_set(Path(place, "large"), 5000, labels=20)
        for format_name, most_mib in ((_CHECK, 120), ("yolo", 25), ("coco", 25), ("cvat", 25)):
            # A process of its own, because the peak of a process never falls.
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
                job = process.submit(_taken, large, Path(place, format_name), format_name)
                labels, cpu_s, seconds, grown = job.result()
            what = "check" if format_name == _CHECK else f"convert to {format_name}"
            figures.append(Figure(f"labels to {what}", labels))
            figures.append(Figure(f"CPU seconds to {what}", round(cpu_s, 1)))
            figures.append(at_most(f"seconds that passed to {what}", round(seconds, 1), 20))
            figures.append(at_most(f"MiB of memory to {what}", round(grown), most_mib))
    return figures


if __name__ == "__main__":
    command(foreign_sets)
