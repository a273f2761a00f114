"""Games and hands with words and photos that a search of the disk finds, and others who hold their files."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import pytest

from tilescore.files.paths import data_folder
from tilescore.scoring.context import Context, Seat, WinBy
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.hand import Hand
from tilescore.ui.storage import ledger_store
from tilescore.ui.storage.hand_store import HandStore, PastHand
from tilescore.ui.storage.summary import summarised

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tilescore.ui.storage.ledger_store import LedgerStore, Saved

HAND = Hand.parse("123m345678p99s567s +5s")
OTHER = Hand.parse("234m345678p99s567s +5s")
JPEG, OTHER_JPEG = (b"\xff\xd8\xff" + random.Random(number).randbytes(9000) for number in (1, 2))
_HOLDER: Final = """
import sqlite3, sys
file = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]:
    file.execute(statement).fetchall()
print("held", flush=True)
sys.stdin.read()
"""


def win(game: Game, hand: Hand) -> Game:
    return game.play(Deal(winner=Seat.EAST, hands={Seat.EAST: (hand, Context(win_by=WinBy.SELF_DRAW))}))


def played(store: LedgerStore, name: str) -> Saved:
    """A game of that person with two deals and two photos, one correction and one undo."""
    saved = store.begin(Game.new("riichi", (name, "Ben", "Cleo", "Dan")))
    for hand, jpeg in ((HAND, JPEG), (OTHER, OTHER_JPEG)):
        saved = store.save(saved, win(saved.game, hand), kind="deal")
        store.attach(saved.id, str(hand), jpeg)
    undone = store.save(saved, saved.game.undo(), kind="undo")
    return store.save(undone, undone.game.redo(), kind="redo")


def by_other_rules(store: LedgerStore) -> Saved:
    """A game whose totals an earlier version counted by other rules; its tallies were lists."""
    other = {"totals": [26000, 25000, 24000, 25000], "tallies": [[]] * 4}
    with pytest.MonkeyPatch.context() as earlier:
        earlier.setattr(ledger_store, "summarised", lambda game, *_: json.dumps(json.loads(summarised(game)) | other))
        return store.begin(Game.new("riichi", ("Ann", "Ben", "Cleo", "Dan")))


def keep_hand(name: str) -> None:
    """A past hand of Ann with a photo."""
    hand = PastHand(
        id=name, at=datetime.now(UTC), ruleset="mcr", notation="11m", total=1, unit="points", lines=(), state="{}"
    )
    HandStore().put_hand("ann", hand, photo=JPEG)


def on_disk() -> bytes:
    """All bytes of the data folder."""
    return b"\0".join(path.read_bytes() for path in sorted(data_folder().rglob("*")) if path.is_file())


def holding(trace: bytes) -> set[str]:
    """The files of the data folder that hold these bytes."""
    files = (path for path in data_folder().rglob("*") if path.is_file())
    return {str(path.relative_to(data_folder())) for path in files if trace in path.read_bytes()}


@contextmanager
def another_program(path: Path, *statements: str) -> Iterator[None]:
    """While another process holds a database after these statements."""
    command = [sys.executable, "-c", _HOLDER, str(path), *statements]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield
        finally:
            process.kill()


READS: Final = ("BEGIN", "SELECT count(*) FROM sqlite_master")
WRITES: Final = ("BEGIN IMMEDIATE",)
LOCKS: Final = ("BEGIN EXCLUSIVE",)
