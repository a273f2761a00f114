"""The hands of each browser: kept, found again, forgotten without a trace."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from tilescore.ui.storage.hand_store import HandStore, KeepConfig, PastHand

if TYPE_CHECKING:
    from pathlib import Path

JPEG = b"\xff\xd8" + b"a photo of tiles " * 500


def past(name: str, day: int = 1) -> PastHand:
    at = datetime(2026, 11, day, tzinfo=UTC)
    return PastHand(
        id=name, at=at, ruleset="mcr", notation="11m", total=8, unit="points", lines=("mcr.all_chows",),
        state={"id": name},
    )  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> HandStore:
    return HandStore(tmp_path / "hands.sqlite3", KeepConfig(most_visits=2, most_hands=3))


def test_a_browser_finds_its_table_again_and_no_other(store: HandStore) -> None:
    store.put_visit("ann", {"a": 1}, photo=JPEG)
    store.put_visit("ann", {"a": 2}, photo=JPEG)
    assert store.visit("ann") == ({"a": 2}, JPEG)
    assert store.visit("ben") is None
    store.put_visit("ben", {}, photo=None)
    store.put_visit("cleo", {}, photo=None)
    assert store.visit("ann") is None, "two browsers are kept"


def test_past_hands_are_kept_once_and_by_browser(store: HandStore) -> None:
    for day in range(1, 6):
        store.put_hand("ann", past(f"hand{day}", day), photo=JPEG)
    store.put_hand("ann", replace(past("hand5", 20), total=16), photo=JPEG)
    assert [(hand.id, hand.at.day, hand.total) for hand in store.hands("ann")] == [
        ("hand5", 5, 16), ("hand4", 4, 8), ("hand3", 3, 8),
    ]  # fmt: skip
    assert store.hands("ben") == ()
    assert store.photo("ann", "hand5") == JPEG
    assert store.photo("ben", "hand5") is None
    store.put_hand("ben", past("hand5"), photo=None)
    assert store.hands("ann")[0].total == 16, "nobody writes over another's hand"


def test_what_is_forgotten_is_gone_from_the_file(store: HandStore) -> None:
    """In the database and in its log of writes, though the hand still lay on the table and another program reads."""
    store.put_hand("ann", past("secret-name"), photo=JPEG)
    store.put_hand("ann", past("another"), photo=None)
    store.put_visit("ann", {"work": {"id": "secret-name"}}, photo=JPEG)
    with closing(sqlite3.connect(store.path)) as other:
        other.execute("SELECT * FROM hands").fetchall()
        store.forget("ann", ["secret-name"])
        assert (store.path.parent / "hands.sqlite3-wal").exists()
        left = b"".join(path.read_bytes() for path in store.path.parent.iterdir())
    assert [hand.id for hand in store.hands("ann")] == ["another"]
    assert store.visit("ann") is None
    assert b"secret-name" not in left
    assert b"a photo of tiles" not in left
    assert store.path.stat().st_mode & 0o77 == 0
