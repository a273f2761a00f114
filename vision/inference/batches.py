"""Running a small network on many cut-outs: in batches, each thread its own share of the boxes."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tilescore.base.threads import thread_count
from tilescore.vision.inference.session import open_session

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from tilescore.vision.image.boxes import Box

    Output = NDArray[np.float32]

_BATCH: Final = 8
"""So many cut-outs are looked at by a thread at a time: no slower than forty, and onnxruntime never gives back what
memory the largest batch took."""


class SmallNetwork:
    """A network with input (N, C, side, side), RGB 0-1 of one cut-out or more, and output (N, M).

    Each thread cuts out and looks at its own share of the boxes: a sixth faster than all threads at one layer after the
    other, of which each waits for the slowest.
    """

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self._session = open_session(path, threads=1)
        given = self._session.get_inputs()[0]
        self._input: Final[str] = given.name
        self.channels: Final[int] = int(given.shape[1])
        self.side: Final[int] = int(given.shape[-1])
        self._threads = thread_count()
        self._crew = ThreadPoolExecutor(self._threads, thread_name_prefix="small-network")

    def see(self, crops: NDArray[np.uint8]) -> Output:
        """What it says (N, M) of cut-outs (N, side, side, C), in the thread that asks."""
        return self.run(crops.transpose(0, 3, 1, 2).astype(np.float32, order="C") / np.float32(255))

    def run(self, tensor: Output) -> Output:
        """The same of cut-outs as the network takes them, (N, C, side, side)."""
        told = [
            self._session.run(None, {self._input: tensor[start : start + _BATCH]})[0]
            for start in range(0, len(tensor), _BATCH)
        ]
        return np.concatenate(told)

    def shared(self, boxes: Sequence[Box], work: Callable[[Sequence[Box]], NDArray[Any]]) -> NDArray[Any]:
        """What the work gives for the boxes, of which there is one at least: each thread does a share of them."""
        share = math.ceil(len(boxes) / self._threads)
        shares = [boxes[start : start + share] for start in range(0, len(boxes), share)]
        return np.concatenate(list(self._crew.map(work, shares)))
