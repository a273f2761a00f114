"""The hands of each browser: kept, found again, forgotten without a trace."""

from __future__ import annotations

import base64
import json
import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tilescore.scoring.game.ledger import Game
from tilescore.ui.storage.database import Database, StoreError
from tilescore.ui.storage.hand_store import MIGRATIONS, HandStore, PastHand, PastHands
from tilescore.ui.storage.ledger_store import LedgerStore

if TYPE_CHECKING:
    from pathlib import Path

JPEG = bytes(cv2.imencode(".jpg", np.full((40, 40), 7, np.uint8))[1]) + b"a photo of tiles " * 500


def past(name: str, day: int = 1) -> PastHand:
    at = datetime(2026, 11, day, tzinfo=UTC)
    return PastHand(
        id=name, at=at, ruleset="mcr", notation="11m", total=8, unit="points", lines=("mcr.all_chows",),
        state=f'{{"id": "{name}"}}',
    )  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> HandStore:
    return HandStore(tmp_path / "hands.sqlite3", most_visits=2)


def test_a_browser_finds_its_table_again_and_no_other(store: HandStore) -> None:
    store.put_visit("ann", {"a": 1}, photo=JPEG)
    store.put_visit("ann", {"a": 2}, photo=JPEG)
    assert store.visit("ann") == ({"a": 2}, JPEG)
    assert store.visit("ben") is None
    store.put_visit("ben", {}, photo=None)
    store.put_visit("cleo", {}, photo=None)
    assert store.visit("ann") is None, "two browsers are kept"


def test_the_log_of_a_file_that_is_gone_goes_with_the_next_deletion(store: HandStore) -> None:
    log = store.path.with_name("hands.sqlite3-wal")
    log.write_bytes(b"pages with a hand")
    store.put_hand("ann", past("hand1"), photo=None)
    assert len([*store.path.parent.glob("*.before-*")]) == 1
    store.forget_all("ann")
    assert store.file.settle()
    assert [*store.path.parent.glob("*.before-*")] == []


def test_past_hands_are_kept_once_and_by_browser(store: HandStore) -> None:
    for day in range(1, 6):
        store.put_hand("ann", past(f"hand{day}", day), photo=JPEG)
    store.put_hand("ann", replace(past("hand5", 20), total=16), photo=JPEG)
    assert [(hand.id, hand.at.day, hand.total) for hand in store.hands("ann").hands] == [
        ("hand5", 5, 16), ("hand4", 4, 8), ("hand3", 3, 8), ("hand2", 2, 8), ("hand1", 1, 8),
    ]  # fmt: skip
    assert store.hands("ben").hands == ()
    assert store.photo("ann", "hand5") == JPEG
    assert store.photo("ben", "hand5") is None
    store.put_hand("ben", past("hand5"), photo=None)
    assert store.hands("ann").hands[0].total == 16, "nobody writes over another's hand"


def test_what_is_forgotten_is_gone_from_the_file(store: HandStore) -> None:
    """In the database and in its log of writes, though the hand still lay on the table and another program reads."""
    store.put_hand("ann", past("secret-name"), photo=JPEG)
    store.put_hand("ann", past("another"), photo=None)
    store.put_visit("ann", {"work": {"id": "secret-name"}}, photo=JPEG)
    with closing(sqlite3.connect(store.path)) as other:
        other.execute("SELECT * FROM hands").fetchall()
        store.forget("ann", ["secret-name"])
        store.file.settle()
        assert (store.path.parent / "hands.sqlite3-wal").exists()
        left = b"".join(path.read_bytes() for path in store.path.parent.iterdir())
    assert [hand.id for hand in store.hands("ann").hands] == ["another"]
    assert store.visit("ann") is None
    assert b"secret-name" not in left
    assert b"a photo of tiles" not in left
    assert store.path.stat().st_mode & 0o77 == 0


def test_all_is_forgotten_at_once(store: HandStore) -> None:
    store.put_hand("ann", past("one"), photo=JPEG)
    store.put_hand("ben", past("two"), photo=None)
    store.put_visit("ann", {"work": {"id": "one"}}, photo=JPEG)
    with closing(sqlite3.connect(store.path)) as other, other:
        other.execute("UPDATE hands SET total = 9 WHERE id = 'one'")
    assert store.hands("ann") == PastHands((), damaged=1, is_whole=False)
    store.forget_all("ann")
    assert store.hands("ann") == PastHands(())
    assert store.visit("ann") is None
    assert [hand.id for hand in store.hands("ben").hands] == ["two"]


ODD_ROWS = [
    # what, column, value
    ("no zone", "at", "2026-11-27T10:00:00"),
    ("after the last year", "at", "9999-12-31T23:59:59-12:00"),
    ("no time", "at", "noon"),
    ("unknown ruleset", "ruleset", "hk"),
    ("lines that are no list", "lines", "{}"),
    ("lines that are no JSON", "lines", "["),
    ("a line that is none", "lines", "[7]"),
    ("a state that is none", "state", "[]"),
    ("a total that is a text", "total", "many"),
    ("a total without end", "total", float("inf")),
]


@pytest.mark.parametrize(("what", "column", "value"), ODD_ROWS)
def test_a_row_that_no_hand_can_have_is_counted_shown_and_deleted(
    store: HandStore, what: str, column: str, value: object
) -> None:
    """An earlier version wrote it with a right checksum."""
    store.put_hand("ann", past("one"), photo=JPEG)
    store.put_hand("ann", past("two"), photo=None)
    store.put_hand("ben", past("one"), photo=None)
    with Database(store.path, MIGRATIONS).writing() as file:
        question = f"UPDATE hands SET {column} = ? WHERE id = 'one' AND visitor = 'ann'"  # noqa: S608  # of the table
        file.execute(question, (value,))
        file.execute(
            "UPDATE hands SET checksum = row_sum(id, visitor, at, ruleset, notation, total, unit, lines, state, photo)"
        )
    kept = store.hands("ann")
    assert ([hand.id for hand in kept.hands], kept.damaged, kept.is_whole) == (["two"], 1, False), what
    assert [hand.id for hand, _ in store.each("ann")] == ["two"]
    (left,) = json.loads(store.remains("ann"))["rows"]
    assert (left["id"], base64.b64decode(left["photo"])) == ("one", JPEG)
    store.forget_damaged("ann")
    assert store.hands("ann") == PastHands(kept.hands)
    assert [hand.id for hand in store.hands("ben").hands] == ["one"]
    assert b"a photo of tiles" not in store.path.read_bytes()


def test_a_table_that_is_no_past_hand_stays(store: HandStore) -> None:
    store.put_hand("ann", past("one"), photo=None)
    store.put_visit("ann", {"work": {"id": "not a win yet"}}, photo=None)
    with closing(sqlite3.connect(store.path)) as other, other:
        other.execute("UPDATE hands SET visitor = 'anm' WHERE id = 'one'")
    store.forget_all("ann")
    assert store.hands("ann") == PastHands(())
    assert store.visit("ann") is not None


def test_a_file_of_the_version_before_gets_its_checksums(store: HandStore) -> None:
    with Database(store.path, MIGRATIONS[:1]).writing() as file:
        values = ("one", "ann", past("one").at.isoformat(), "mcr", "11m", 8, "points", "[]", "{}", None)
        file.execute("INSERT INTO hands VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
    assert [hand.id for hand in store.hands("ann").hands] == ["one"]


def test_a_damaged_file_of_hands_does_not_send_for_the_backup_of_the_games(store: HandStore) -> None:
    folder = HandStore(store.path.with_name("folder"))
    folder.path.mkdir(parents=True)
    for content, kept, said in (
        (b"garbage", store, "move the file away"),
        (b"", store, "move the file away"),
        (b"", folder, "hands cannot be kept"),
    ):
        store.path.write_bytes(content)
        for use in (partial(kept.hands, "ann"), partial(kept.put_visit, "ann", {}, photo=None)):
            with pytest.raises(StoreError, match=said) as caught:
                use()
            assert (caught.value.code[:5], "ledger restore" in str(caught.value)) == ("hands", False)


def test_no_flipped_bit_changes_or_hides_a_hand_silently(tmp_path: Path) -> None:
    """Each bit is flipped in a copy: the hands are those before, or the store says that some are damaged."""
    store = HandStore(tmp_path / "hands.sqlite3")
    for day in range(1, 6):
        store.put_hand("ann", past(f"hand{day}", day), photo=JPEG if day % 2 else None)
    store.put_visit("ann", {"work": {"id": "hand1"}}, photo=JPEG)
    before, table = store.hands("ann").hands, store.visit("ann")
    with closing(sqlite3.connect(store.path)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = store.path.read_bytes()
    drawn, noticed = random.Random(0), 0
    for number in range(300):
        copy = HandStore(tmp_path / str(number) / "hands.sqlite3")
        copy.path.parent.mkdir()
        damaged = bytearray(data)
        damaged[drawn.randrange(len(data))] ^= 1 << drawn.randrange(8)
        copy.path.write_bytes(damaged)
        try:
            now = copy.hands("ann")
            assert set(map(repr, now.hands)) <= set(map(repr, before))
            assert now.hands == before or not now.is_whole
            noticed += not now.is_whole
            assert copy.visit("ann") in (table, None)
            assert copy.photo("ann", "hand1") in (JPEG, None)
        except StoreError:
            noticed += 1
    assert noticed > 10


def test_a_game_is_booked_while_the_hands_are_written(store: HandStore) -> None:
    """To write the hands anew takes seconds where many photos are kept."""
    games = LedgerStore(store.path.with_name("games.sqlite3"))
    booked = Thread(target=lambda: games.begin(Game.new("mcr", ("Ana", "Ben", "Cai", "Dee"))), daemon=True)
    with store.file.writing():
        booked.start()
        booked.join(timeout=10)
        assert len(games.games()) == 1
