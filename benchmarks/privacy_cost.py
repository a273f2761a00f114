"""What privacy costs in time: `python -m benchmarks.privacy_cost`.

Each pair runs in turns, with Tilescore's protection and without it: a reading with onnxruntime's telemetry off and on,
the app behind its door and without it. The readings run in a network namespace of their own, so that onnxruntime sends
nothing even where its telemetry is on.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.harness.app_process import ROOT, running_app
from tests.harness.closed_network import missing, unshared
from tests.harness.figures import Figure, at_most, command
from tilescore.telemetry import VARIABLES

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

_PHOTO: Final = ROOT / "datasets" / "sample" / "riichi_closed.jpg"
_ROUNDS: Final = 9
_REQUESTS: Final = 300
_READ: Final = "import sys, onnxruntime; from tilescore.ui.cli.main import main; sys.exit(main())"
"""Loads onnxruntime first, so that the variables of the process decide about its telemetry, not Tilescore."""
_NO_GUARDS: Final = """import tilescore.ui.server.server as server; server.guards = lambda *_: []
from tilescore.ui.cli.main import main; main()"""
_NO_DOOR: Final = ("-c", _NO_GUARDS)
_IN_CI: Final = ("CI", "GITHUB_ACTIONS", "TF_BUILD")
"""onnxruntime keeps silent where one of these is set."""


def reading() -> list[Figure]:
    """Starting the command and reading one photo."""
    with tempfile.TemporaryDirectory() as home:

        def read(variables: dict[str, str]) -> float:
            kept = {name: value for name, value in os.environ.items() if name not in (*_IN_CI, *VARIABLES)}
            command = [*unshared(), sys.executable, "-W", "ignore", "-c", _READ, "read", str(_PHOTO)]
            start = time.perf_counter()
            subprocess.run(  # noqa: S603  # our own interpreter
                command, cwd=ROOT, env=kept | {"HOME": home, "TILESCORE_DATA": home} | variables, check=True,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            return time.perf_counter() - start

        ratio = _in_turns(lambda: read(dict(VARIABLES)), lambda: read({}))
    return [at_most("start and read a photo, telemetry off / on, ratio", ratio, 1.05)]


def app() -> list[Figure]:
    """Starting the app, and answering a request."""
    with tempfile.TemporaryDirectory() as folder:
        ours, bare = Path(folder) / "ours", Path(folder) / "bare"
        ratio = _in_turns(
            lambda: _seconds_to_open(running_app(ours)), lambda: _seconds_to_open(running_app(bare, start=_NO_DOOR))
        )
        with running_app(ours) as behind_door, running_app(bare, start=_NO_DOOR) as without:
            took = {address: _milliseconds(address) for address in (behind_door, without)}
    return [
        at_most("start of the app, behind the door / without, ratio", ratio, 1.1),
        at_most("one request, behind the door, ms", took[behind_door], 5),
        at_most("one request, behind the door longer by, ms", took[behind_door] - took[without], 1),
    ]


def _in_turns(ours: Callable[[], float], bare: Callable[[], float]) -> float:
    """The median ratio of the two durations over the rounds, after one round that warms the caches."""
    ratios = [ours() / bare() for _ in range(_ROUNDS + 1)]
    return statistics.median(ratios[1:])


def _seconds_to_open(app: AbstractContextManager[str]) -> float:
    start = time.perf_counter()
    with app:
        return time.perf_counter() - start


def _milliseconds(address: str) -> float:
    """The median duration of a request on an open connection."""
    connection = HTTPConnection(address.partition("//")[2])
    took = []
    for _ in range(_REQUESTS):
        start = time.perf_counter()
        connection.request("GET", "/_stcore/health")
        connection.getresponse().read()
        took.append(1000 * (time.perf_counter() - start))
    connection.close()
    return statistics.median(took)


def cost() -> list[Figure]:
    """All figures of this module."""
    if missing():
        sys.exit(missing())
    return [*reading(), *app()]


if __name__ == "__main__":
    command(cost)
