"""Watch a table for an hour: `python -m benchmarks.live.hour --minutes 60`, as fast as the machine reads the frames.

In deal after deal, a player lays a rendered hand, leaves it for some minutes, and clears the table. The promise: memory
stays flat, and a table without changes needs almost no computing time. A separate process renders the frames, because
the renderer caches every face that it draws.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager
from itertools import chain, count, cycle, islice
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks.live.clips import SIZE_WH, render_clip
from tests.harness.figures import Figure, at_most, command
from tilescore.models.registry import load_reader
from tilescore.vision.video.config import SourceConfig
from tilescore.vision.video.frame_reader import FrameReader
from tilescore.vision.video.watch import Watch, WatchedFrame

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection

    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]

_RATE: Final = 15
"""Frames a second."""
_DEAL_S: Final = 180
_CLEARED_S: Final = 3
_BARE: Final = 3
"""The number of different frames of a bare table."""
_SEED: Final = 800


def hour(minutes: float = 60.0) -> list[Figure]:
    """The figures of that many minutes."""
    if 20 * minutes <= _DEAL_S:
        sys.exit(f"the video must be longer than {_DEAL_S // 20} minutes, because the first third needs a whole deal.")
    watch, finder = Watch(), FrameReader(load_reader())
    memory: list[tuple[float, float]] = []
    idle_s, idle, hands = 0.0, 0, 0
    with _table() as table:
        for frames, rgb in enumerate(islice(table, int(60 * minutes * _RATE)), 1):
            calm = watch.understood is not None
            began = time.process_time()
            watch = watch.after(WatchedFrame(rgb, frames / _RATE), finder)
            if calm and not watch.was_passed:
                idle_s, idle = idle_s + time.process_time() - began, idle + 1
            hands += watch.is_news
            if frames % (60 * _RATE) == 0:
                memory.append((frames / _RATE, _megabytes()))
                print(
                    f"{frames / _RATE / 60:.0f} minutes, {hands} hands reported, {memory[-1][1]:.0f} MB",
                    file=sys.stderr,
                )
    first, last = (
        max(megabytes for at_s, megabytes in memory if (at_s <= 20 * minutes) == early) for early in (True, False)
    )
    return [
        Figure("live: minutes watched, 15 frames a second", frames / _RATE / 60),
        Figure("live: hands reported in this time", hands),
        Figure("live: memory at the end, MB", memory[-1][1]),
        at_most("live: growth of the peak memory after the first third, MB", last - first, 50),
        at_most(
            "live: share of one core at a table without changes",
            idle_s / max(1, idle) / SourceConfig().calm_interval_s,
            0.1,
        ),
    ]


@contextmanager
def _table() -> Iterator[Iterator[Pixels]]:
    """An endless series of frames of deals, which another process renders."""
    spawn = get_context("spawn")
    theirs, ours = spawn.Pipe(duplex=False)
    renderer = spawn.Process(target=_render, args=(ours,), daemon=True)
    renderer.start()
    ours.close()
    try:
        yield chain.from_iterable(_deal(theirs) for _ in count())
    finally:
        renderer.terminate()
        renderer.join()


def _deal(rendered: Connection) -> Iterator[Pixels]:
    """The frames of one deal: the player lays the last tiles, all tiles lie still, the table is bare."""

    def received() -> Pixels:
        return np.frombuffer(rendered.recv_bytes(), np.uint8).reshape(*SIZE_WH[::-1], 3)

    laying = rendered.recv()
    yield from (received() for _ in range(laying))
    yield from islice(cycle([received() for _ in range(_RATE)]), (_DEAL_S - _CLEARED_S) * _RATE - laying)
    yield from islice(cycle([received() for _ in range(_BARE)]), _CLEARED_S * _RATE)


def _render(frames: Connection) -> None:
    """Send the frames that `_deal` receives, deal after deal."""
    for deal in count():
        clip = render_clip(_SEED, deal)
        laying = int((clip.laid_s + 2) * _RATE)
        frames.send(laying)
        for number in range(laying + _RATE):
            frames.send_bytes(clip.at(number / _RATE).tobytes())
        rng = np.random.default_rng(clip.seed)
        for _ in range(_BARE):
            bare = np.asarray(90 + rng.integers(-7, 8, (*SIZE_WH[::-1], 3)), np.uint8)
            frames.send_bytes(bare.tobytes())


def _megabytes() -> float:
    """The resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    command(hour)
