"""Export and import of everything: `python -m benchmarks.copies --hands 10000 --games 1000 --photos 1100`.

A data folder is filled; one process exports it, another one imports the file into an empty folder. The promise: both
together end within three minutes, neither process needs 400 MB, and what comes in is what went out.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from tests.harness.app_process import ROOT
from tests.harness.figures import Figure, at_most, command
from tilescore.scoring.context import Context, Seat, WinBy
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.hand import Hand
from tilescore.ui.storage.hand_store import HandStore, PastHand
from tilescore.ui.storage.ledger_store import LedgerStore
from tilescore.ui.storage.summary import GameCopy

if TYPE_CHECKING:
    from collections.abc import Mapping

VISITOR: Final = "benchmark"
_DEALS: Final = 8
_PHOTO: Final = bytes(cv2.imencode(".jpg", np.zeros((36, 48), np.uint8))[1])
"""A very small photo; random bytes behind it make it as large as others."""
_PHOTO_BYTES: Final = 300_000
"""About as many as a photo of the app has."""
_MOST_S: Final = 180
_MOST_MEGABYTES: Final = 400
_EXPORT: Final = f"""
import sys
from tilescore.ui.storage.copies.backup import exported
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.writelines(line + chr(10) for line in exported("{VISITOR}"))
"""
_IMPORT: Final = f"""
import sys
from tilescore.ui.storage.copies.backup import imported
with open(sys.argv[1], "rb") as file:
    found = imported(file, "{VISITOR}")
print(found.games, found.hands, found.known)
"""
_COST: Final = """
import resource
used = resource.getrusage(resource.RUSAGE_SELF)
print(round(used.ru_utime + used.ru_stime), used.ru_maxrss)
"""


def copies(hands: int = 10_000, games: int = 1000, photos: int = 1100) -> list[Figure]:
    """The figures of one export and one import: past hands, games of eight deals each, past hands with a photo."""
    with tempfile.TemporaryDirectory() as name:
        folder, file = Path(name), Path(name) / "copy.json"
        here, there = ({"TILESCORE_DATA": str(folder / place)} for place in ("here", "there"))
        fill(folder / "here", hands, games, photos)
        out_s, out_cpu_s, out_kb, _ = _run(_EXPORT, file, here)
        in_s, in_cpu_s, in_kb, counts = _run(_IMPORT, file, there)
        _run(_EXPORT, folder / "again.json", there)
        lost = abs(games - counts[0]) + abs(hands - counts[1]) + counts[2]
        differ = _digest(file) != _digest(folder / "again.json")
        megabytes = file.stat().st_size / 1e6
    return [
        Figure("size of the file, MB", megabytes),
        Figure("export, s", out_s),
        Figure("import, s", in_s),
        at_most("export and import together, s", out_s + in_s, _MOST_S),
        Figure("processor time of both, s: what a machine without other work needs", out_cpu_s + in_cpu_s),
        at_most("peak memory of the export, MB", out_kb / 1000, _MOST_MEGABYTES),
        at_most("peak memory of the import, MB", in_kb / 1000, _MOST_MEGABYTES),
        at_most("games and hands that did not come in", lost, 0),
        at_most("entries that differ after export, import and export", differ, 0),
    ]


def fill(folder: Path, hands: int, games: int, photos: int) -> None:
    """Write so many hands, games and photos into that data folder."""
    draw = random.Random(0)
    with LedgerStore(folder / "games.sqlite3").taking() as take_game:
        for number in range(games):
            take_game(GameCopy(game=_game(number)), "", None)
    with HandStore(folder / "hands.sqlite3").taking(VISITOR) as take_hand:
        for number in range(hands):
            take_hand(_hand(number), _PHOTO + draw.randbytes(_PHOTO_BYTES - len(_PHOTO)) if number < photos else None)


def _game(number: int) -> Game:
    game = Game.new("mcr", (f"Ann {number}", "Ben", "Cleo", "Dan"))
    hand = Hand.parse("123456789m234s55p +4s")
    for _ in range(_DEALS):
        context = Context(win_by=WinBy.SELF_DRAW, seat=Seat.SOUTH)
        game = game.play(Deal(winner=Seat.SOUTH, hands={Seat.SOUTH: (hand, context)}))
    return game


def _hand(number: int) -> PastHand:
    """A hand with the state of 14 tiles of a photo."""
    names = [["5m", 0.98], ["5p", 0.01], ["5s", 0.01]]
    seen = [{"box": [1.5, 2.5, 30.5, 40.5], "presence": 0.99, "sharpness": 1.0, "names": names}] * 14
    return PastHand(
        id=f"hand{number}", at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=number), ruleset="mcr",
        notation="123456789m234s55p +4s", total=22, unit="points", lines=("mcr.pure_straight",),
        state=json.dumps({"id": f"hand{number}", "typed": "", "reading": {"seen": seen}}),
    )  # fmt: skip


def _run(script: str, file: Path, folder: Mapping[str, str]) -> tuple[float, int, int, list[int]]:
    """Run the script on the file: seconds, those of the processor, peak memory in kilobytes, the printed numbers."""
    begun = time.monotonic()
    done = subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-c", script + _COST, str(file)],
        cwd=ROOT, env=os.environ | folder, check=True, capture_output=True, text=True,
    )  # fmt: skip
    seconds = time.monotonic() - begun
    *numbers, used_s, peak = map(int, done.stdout.split())
    return seconds, used_s, peak, numbers


def _digest(file: Path) -> str:
    """The same for files with the same entries, in whatever order: games of one moment have none."""
    with file.open("rb") as lines:
        entries = sorted(hashlib.sha256(line.strip().rstrip(b",")).hexdigest() for line in lines)
    return hashlib.sha256(json.dumps(entries).encode()).hexdigest()


if __name__ == "__main__":
    command(copies)
