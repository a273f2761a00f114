"""Running a small network on many crops: in batches, each thread with its own share of the boxes."""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tilescore.processes.threads import thread_count
from tilescore.vision.arrays import Pixels
from tilescore.vision.image.boxes import Box
from tilescore.vision.inference.session import open_session

Output = NDArray[np.float32]


BATCH: Final = 4
"""Most crops of one run of a network. A batch of forty is no faster, and one of eight is 3 % faster (measured). A hand
of 14 tiles is four batches, so that four threads share it. onnxruntime never returns the memory of its largest
batch."""


class SmallNetwork:
    """A network with input (N, C, side, side), RGB 0-1 of one or more crops, and output (N, M).

    Each thread crops and runs a batch of boxes at a time. This takes a sixth less time than all threads on one layer
    after the other, where each waits for the slowest (measured). The batches follow from the boxes alone: the number of
    threads changes no output.
    """

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self._session = open_session(path, threads=1)
        given = self._session.get_inputs()[0]
        self._input: Final[str] = given.name
        self.channels: Final[int] = int(given.shape[1])
        self.side: Final[int] = int(given.shape[-1])
        self._workers = ThreadPoolExecutor(thread_count(), thread_name_prefix="small-network")

    def predict(self, crops: Pixels) -> Output:
        """The output (N, M) for crops (N, side, side, C), computed in the calling thread."""
        return self.run(crops.transpose(0, 3, 1, 2).astype(np.float32, order="C") / np.float32(255))

    def run(self, tensor: Output) -> Output:
        """The output (N, M) for an input tensor (N, C, side, side), computed in the calling thread."""
        outputs = [
            self._session.run(None, {self._input: tensor[start : start + BATCH]})[0]
            for start in range(0, len(tensor), BATCH)
        ]
        return np.concatenate(outputs)

    def in_threads(self, boxes: Sequence[Box], work: Callable[[Sequence[Box]], NDArray[Any]]) -> NDArray[Any]:
        """The results of `work` for one box or more; each call gets a batch of boxes.

        The batches are even in number and size: half of the readings have one to seven boxes at a time, which two
        threads share. Readings take 3 % less time than with whole batches and a rest (measured).
        """
        count = min(len(boxes), 2 * math.ceil(len(boxes) / (2 * BATCH)))
        ends = [len(boxes) * done // count for done in range(count + 1)]
        return np.concatenate(list(self._workers.map(work, (boxes[start:end] for start, end in pairwise(ends)))))
