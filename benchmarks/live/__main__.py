"""Measure the reading of a watched table: `python -m benchmarks.live --count 40`.

`Watch` gets each rendered clip as from a camera: it gets the frame of the moment at which the previous frame is done.
The measurement first determines the mean cost of a frame at several tables, or takes it from `--frame-ms`. The clock of
a clip advances by this cost, so that delays do not depend on other work of the machine. A second run of each clip
simulates a machine that is a seventh slower and gets other frames: a hand that is right by luck alone is unlikely to be
right twice.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Final

from benchmarks.live.clips import render_clip
from benchmarks.live.watching import COST_TABLES, SEED, Cost, figures_of, pass_cost, watched_at
from tests.harness.figures import show
from tilescore.models.registry import load_reader
from tilescore.processes.parallel import Pool, work_in_order

if TYPE_CHECKING:
    from collections.abc import Sequence

SLOWER: Final = 8 / 7
"""The factor by which a frame costs more in the second run."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.live", description=__doc__)
    parser.add_argument("--count", type=int, default=8, help="number of clips")
    parser.add_argument("--seed", type=int, default=SEED, help="seed of the clips")
    parser.add_argument("--frame-ms", type=float, nargs=3, metavar=("FIND", "CONFIRM", "MEAN"), help="cost of a frame")
    parser.add_argument("--held-out", action="store_true", help="use only artwork outside the training data")
    parser.add_argument("--workers", type=int, default=0, help="number of processes; 0 for one process for each core")
    options = parser.parse_args(arguments)
    render = partial(render_clip, options.seed, held_out=options.held_out)
    if options.frame_ms:
        cost = Cost(*(ms / 1000 for ms in options.frame_ms))
    else:
        cost = pass_cost(load_reader(), map(render, range(COST_TABLES)))
    outcomes = []
    work = partial(watched_at, render=render, costs=(cost, cost.times(SLOWER)))
    for index, (text, both) in work_in_order(work, range(options.count), Pool(options.workers)):
        outcomes += both
        print(f"clip {index} {text}", flush=True)
    show(figures_of(outcomes, cost))


if __name__ == "__main__":
    main()
