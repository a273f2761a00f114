"""Restarts the app under open pages and presses at every moment: no page may show what is not true.

`python -m benchmarks.restarts --count 40` prints what became of the pages.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from pathlib import Path

from tests.harness.app_process import chromium, reserved_port
from tests.harness.figures import Figure, at_most, show
from tests.harness.restarts import MOMENTS, PLACES, WAYS, Server, opened, restart


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--places", nargs="*", default=[place.name for place in (*PLACES, *WAYS)])
    given = parser.parse_args()
    draw, found = random.Random(given.seed), Counter[str]()
    with tempfile.TemporaryDirectory() as folder, chromium() as browser, reserved_port() as port:
        server = Server(Path(folder), port)
        server.start()
        try:
            chosen = [place for place in (*PLACES, *WAYS) if place.name in given.places]
            pages = opened(browser, server.address, chosen)
            for number in range(given.count):
                moment = MOMENTS[number % len(MOMENTS)]
                now = restart(server, pages, moment=moment, draw=draw)
                print(number + 1, moment, dict(now), flush=True)
                found += now
        finally:
            server.end()
    bad = [at_most(f"pages {fate} after {given.count} restarts", found[fate], 0) for fate in ("stale", "dead")]
    show([*bad, *(Figure(f"pages {fate}", found[fate]) for fate in sorted(found) if fate.startswith("true"))])


if __name__ == "__main__":
    main()
