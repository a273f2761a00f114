"""What a reading costs: `python -m benchmarks.reading_cost`, and beside another program with `--beside-peer`.

Without an option: the time of each stage for 12-megapixel photos, beside the arithmetic of the networks. With
`--beside-peer`: every figure that is promised of one reading, measured on the photos of ../shared, where first
Tilescore and then PyPI's `mahjong-detector` reads each photo; accuracy and calibration on the same photos; a watched
table; memory.
"""

import argparse
import time

from benchmarks.footprint import peak_memory
from benchmarks.live.watching import live_figures
from benchmarks.reading_cost.beside_peer import peer_reading
from benchmarks.reading_cost.kept import kept_accuracy
from benchmarks.reading_cost.stages import photo_to_score, reading_cost
from tests.harness.figures import show


def main() -> None:
    """Print the figures, each part as soon as it is measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reading_cost", description=__doc__)
    parser.add_argument("--beside-peer", action="store_true", help="all promises, beside mahjong-detector")
    parser.add_argument("--clips", type=int, default=12, help="number of watched clips")
    parser.add_argument("--every", type=int, default=1, help="the peer and Tilescore read one photo of this many")
    parser.add_argument("--cpu", action="store_true", help="beside the peer, count CPU time: for a busy machine")
    options = parser.parse_args()
    if not options.beside_peer:
        show([*reading_cost(), *photo_to_score()])
        return
    show(peer_reading(every=options.every, clock=time.process_time if options.cpu else time.perf_counter))
    show(photo_to_score())
    show([peak_memory()])
    show(live_figures(options.clips))
    show(kept_accuracy())


if __name__ == "__main__":
    main()
