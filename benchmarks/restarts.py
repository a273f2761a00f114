"""Restarts the app under open pages and presses at every moment: no page may show what is not true.

`python -m benchmarks.restarts --count 40` prints what became of the pages.
"""

import random
import tempfile
from collections import Counter
from pathlib import Path

from tests.harness.app_process import chromium, reserved_port
from tests.harness.figures import Figure, at_most, command
from tests.harness.restarts import MOMENTS, PLACES, WAYS, Server, opened, restart

_ALL = tuple(place.name for place in (*PLACES, *WAYS))


def restarted(count: int = 40, seed: int = 1, places: tuple[str, ...] = _ALL) -> list[Figure]:
    """What became of the pages of those names after that many restarts."""
    draw, fates = random.Random(seed), Counter[str]()
    with tempfile.TemporaryDirectory() as folder, chromium() as browser, reserved_port() as port:
        server = Server(Path(folder), port)
        server.start()
        try:
            pages = opened(browser, server.address, [place for place in (*PLACES, *WAYS) if place.name in places])
            for number in range(count):
                moment = MOMENTS[number % len(MOMENTS)]
                now = restart(server, pages, moment=moment, draw=draw)
                print(number + 1, moment, dict(now), flush=True)
                fates += now
        finally:
            server.end()
    bad = [at_most(f"pages {fate} after {count} restarts", fates[fate], 0) for fate in ("stale", "dead")]
    return [*bad, *(Figure(f"pages {fate}", fates[fate]) for fate in sorted(fates) if fate.startswith("true"))]


if __name__ == "__main__":
    command(restarted)
