"""Damage stays where it is: flipped bits, lost pages, empty files, disks that cannot be written; backups help."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.harness.ledger_damage import HAND, SAME, TOLD, build, measure
from tilescore.scoring.context import Context, Occasion, Seat, WinBy
from tilescore.scoring.deal import Deal
from tilescore.scoring.game import deals
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.han import riichi
from tilescore.scoring.hand import Hand
from tilescore.ui.storage import daily_backup, database
from tilescore.ui.storage.database import Database, StoreError
from tilescore.ui.storage.draft_store import DraftStore
from tilescore.ui.storage.ledger_store import LedgerStore

NAMES = ("Ann", "Ben", "Cleo", "Dan")
JPEG = b"\xff\xd8\xff" + b"a photo of tiles " * 400


@pytest.fixture
def store(tmp_path: Path) -> LedgerStore:
    return LedgerStore(tmp_path / "games" / "games.sqlite3")


def game(store: LedgerStore, name: str) -> str:
    saved = store.begin(Game.new("riichi", (name, *NAMES[1:])))
    won = Deal(winner=Seat.EAST, hands={Seat.EAST: (HAND, Context(win_by=WinBy.SELF_DRAW))})
    store.save(saved, saved.game.play(won), kind="deal")
    store.attach(saved.id, str(HAND), JPEG)
    return saved.id


def overwrite(path: Path, old: bytes, new: bytes) -> None:
    data = path.read_bytes()
    assert old in data
    assert len(old) == len(new)
    path.write_bytes(data.replace(old, new))


def test_no_flipped_bit_changes_a_game_without_a_word() -> None:
    assert measure(60, seed=2).keys() <= {SAME, TOLD}


def test_whole_games_are_shown_beside_a_damaged_one(store: LedgerStore) -> None:
    hurt, whole = game(store, "Zacharias"), game(store, "Yolanda")
    overwrite(store.path, b'"Zacharias"', b'"Zackarias"')
    listing = store.listing()
    assert ([one.id for one in listing.games], listing.damaged, listing.whole) == ([whole], (hurt,), True)
    assert store.load(whole).game.players[0] == "Yolanda"
    with pytest.raises(StoreError, match="damaged"):
        store.load(hurt)
    left = json.loads(store.remains(hurt))
    assert "Zackarias" in left["document"]
    assert [entry["intact"] for entry in left["log"]] == [True, True]
    assert store.check() == (f"Game {hurt} is damaged.",)


def test_a_damaged_entry_of_the_log_costs_undo_alone(store: LedgerStore) -> None:
    name = game(store, "Ann")
    before = store.load(name)
    overwrite(store.path, b'{"kind": "deal"', b'{"kind": "dead"')
    after = store.load(name)
    assert after.game == before.game
    assert (before.log_damaged, after.log_damaged) == (False, True)
    assert len(store.save(after, after.game.without(1), kind="remove").game.records) == 0


def test_a_damaged_photo_is_not_shown(store: LedgerStore) -> None:
    name = game(store, "Ann")
    overwrite(store.path, b"a photo of tiles " * 20, b"a photo of cats! " * 20)
    with pytest.raises(StoreError, match="photo"):
        store.photo(name, str(HAND))
    assert store.load(name).game.records


def test_a_lost_photo_is_told(store: LedgerStore) -> None:
    name = game(store, "Ann")
    with closing(sqlite3.connect(store.path)) as file:
        file.execute("DELETE FROM photos")
        file.commit()
    with pytest.raises(StoreError, match="photo"):
        store.photographed(name)


def test_an_empty_file_is_no_empty_ledger(store: LedgerStore) -> None:
    game(store, "Ann")
    store.path.write_bytes(b"")
    with pytest.raises(StoreError, match="ledger restore"):
        store.games()
    assert store.path.read_bytes() == b""


@pytest.mark.parametrize("code", [errno.EROFS, errno.ENOSPC])
@pytest.mark.parametrize("log", [False, True])
def test_games_are_shown_on_a_disk_that_cannot_be_written(
    code: int, *, log: bool, store: LedgerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = game(store, "Ann")
    if log:  # a program that was killed leaves its log of writes
        with closing(sqlite3.connect(store.path)) as file:
            file.execute("SELECT * FROM games").fetchall()
            second = game(store, "Ben")
            copies = [(path, path.read_bytes()) for path in store.path.parent.glob("games.sqlite3*")]
        for path, data in copies:
            path.write_bytes(data)
    before = {path: path.read_bytes() for path in store.path.parent.glob("games.sqlite3*")}

    def refuse(_: Path) -> Path:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(database, "private_file", refuse)
    assert {one.id for one in store.games()} == ({first, second} if log else {first})
    assert len(store.load(first).game.records) == 1
    assert store.photo(first, str(HAND)) == JPEG
    with pytest.raises(StoreError, match=r"full|cannot be kept"):
        store.hide(first)
    assert {path: path.read_bytes() for path in store.path.parent.glob("games.sqlite3*")} == before


@pytest.mark.parametrize("code", [errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP])
def test_games_are_kept_on_a_memory_stick(code: int, store: LedgerStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Path) -> None:
        if faster:
            faster.pop().rename(store.path)
        raise OSError(code, os.strerror(code))

    faster: list[Path] = []
    monkeypatch.setattr(os, "link", refuse)
    name = game(store, "Ann")
    assert [one.id for one in store.games()] == [name]
    assert [path.name for path in store.path.parent.glob("games*")] == ["games.sqlite3"]
    aside = store.path.rename(store.path.with_name("aside"))
    faster.append(aside)  # of a process that makes the file at the same time
    assert [one.id for one in store.games()] == [name]


def test_of_two_processes_that_begin_on_a_memory_stick_none_loses_its_game(
    store: LedgerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename, others = Path.rename, ThreadPoolExecutor()

    def refuse(*_: Path) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    def interrupted(path: Path, target: Path) -> Path:
        """Another process begins between the look for a file and the new name of ours; a lock keeps it waiting."""
        monkeypatch.setattr(Path, "rename", rename)
        began.append(others.submit(game, store, "Ben"))
        wait(began, timeout=0.5)
        return rename(path, target)

    began: list[Future[str]] = []
    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr(database, "sole_thread", nullcontext)  # two processes do not share it
    monkeypatch.setattr(Path, "rename", interrupted)
    names = {game(store, "Ann"), *(one.result() for one in began)}
    assert {one.id for one in store.games()} == names
    assert len(names) == 2


def test_the_log_of_a_file_that_was_moved_away_is_not_written_into_the_next_one(store: LedgerStore) -> None:
    for name in ("Ann", "Ben", "Cleo"):
        game(store, name)
    with closing(sqlite3.connect(store.path)) as file:
        file.execute("SELECT * FROM games").fetchall()
        game(store, "Dan")
        log = store.path.with_name("games.sqlite3-wal").read_bytes()
    store.path.unlink()
    store.path.with_name("games.sqlite3-wal").write_bytes(log)  # of a killed program
    assert store.games() == ()
    name = game(store, "Eve")
    assert [one.id for one in store.games()] == [name]
    assert store.check() == ()
    (aside,) = store.path.parent.glob("games.sqlite3.before-*")
    assert aside.read_bytes() == log
    store.delete(name)
    assert not aside.exists(), "nothing that was deleted stays"


def test_a_new_file_whose_log_stays_full_takes_no_place(store: LedgerStore, monkeypatch: pytest.MonkeyPatch) -> None:
    readers = []
    migrate = database._migrate

    def with_a_reader(file: sqlite3.Connection, what: Database) -> None:
        """As on a full disk, the log cannot be written into the file, and to close the file does not say so."""
        migrate(file, what)
        for fresh in store.path.parent.glob("games.sqlite3.????????"):
            readers.append(sqlite3.connect(fresh, isolation_level=None))
            readers[-1].execute("BEGIN")
            readers[-1].execute("SELECT * FROM games").fetchall()
            file.execute("PRAGMA user_version = 4")

    with monkeypatch.context() as full:
        full.setattr(database, "_migrate", with_a_reader)
        with pytest.raises(StoreError, match="another program"):
            store.games()
    assert [path.name for path in store.path.parent.iterdir()] == []
    for reader in readers:
        reader.close()
    assert store.games() == ()


def test_one_backup_a_day_of_the_last_seven(store: LedgerStore, monkeypatch: pytest.MonkeyPatch) -> None:
    name = game(store, "Ann")
    for day in range(1, 11):
        monkeypatch.setattr(daily_backup, "_now", lambda day=day: datetime(2027, 1, day, tzinfo=UTC))
        saved = store.load(name)
        for kind in ("close", "open"):
            saved = store.save(saved, saved.game.close(closed=kind == "close"), kind=kind)
    kept = [path.stem for path in store.backups.paths()]
    assert kept == [f"games-2027-01-{day:02d}" for day in range(10, 3, -1)]
    latest = LedgerStore(store.backups.paths()[0]).load(name)
    assert (latest.version, len(latest.game.records)) == (2 + 2 * 9, 1)


@pytest.mark.parametrize("wrong", [1970, 2036])
def test_a_clock_that_was_wrong_for_days_costs_no_backup_of_today(
    wrong: int, store: LedgerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An earlier version deleted the backup of today at once, for as long as seven with later dates were there."""

    def backed_up(year: int, day: int) -> list[str]:
        monkeypatch.setattr(daily_backup, "_now", lambda: datetime(year, 1, day, tzinfo=UTC))
        made = store.backups.make(store.file)
        assert made.exists()
        assert store.backups.has_today()
        return [path.stem for path in store.backups.paths()]

    game(store, "Ann")
    for day in range(1, 10):
        backed_up(2027, day)
    once = backed_up(wrong, 1)
    assert len(once) == 7
    assert sum("2027" in name for name in once) == 6, "one wrong day takes the place of one right day"
    for day in range(2, 9):
        backed_up(wrong, day)
    for day in range(10, 17):
        kept = backed_up(2027, day)
    assert kept == [f"games-2027-01-{day:02d}" for day in range(16, 9, -1)]


def test_a_damaged_file_is_backed_up_and_costs_no_whole_backup(
    store: LedgerStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    name = game(store, "Zacharias")
    whole = [game(store, "Yolanda")]
    for day in range(1, 30):
        monkeypatch.setattr(daily_backup, "_now", lambda day=day: datetime(2027, 1, day, tzinfo=UTC))
        whole.append(game(store, f"Day{day}"))
        if day == 2:
            overwrite(store.path, b'"Zacharias"', b'"Zackarias"')
    assert name in store.listing().damaged
    *latest, last = store.backups.paths()
    assert [path.stem[-2:] for path in (*latest, last)] == ["29", "28", "27", "26", "25", "24", "23", "02"]
    assert [game.id for game in reversed(LedgerStore(latest[0]).games())] == whole[:-1]
    assert LedgerStore(last).load(name).game.players[0] == "Zacharias"
    assert len([one for one in caplog.messages if "is damaged" in one]) == 27, "once a day"
    store.back_up(anew=True)
    assert LedgerStore(last).is_whole()
    store.delete(name)
    assert LedgerStore(store.backups.paths()[0]).is_whole()


def test_a_damaged_file_replaces_no_backup_of_the_day(store: LedgerStore) -> None:
    name, _, other = game(store, "Zacharias"), game(store, "Yolanda"), game(store, "Xenia")
    store.back_up(anew=True)
    overwrite(store.path, b'"Zacharias"', b'"Zackarias"')
    store.delete(other)
    (today,) = store.backups.paths()
    assert LedgerStore(today).load(name).game.players[0] == "Zacharias"


def test_a_backup_is_in_place_and_the_file_before_it_aside_where_the_log_cannot_be_emptied(
    store: LedgerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = game(store, "Ann")
    copy = store.backups.make(store.file).rename(store.backups.unfinished())
    both = [game(store, "Ben"), first]
    connect = sqlite3.connect

    def full_disk(path: Path) -> sqlite3.Connection:
        file = connect(path)
        file.set_authorizer(lambda _, what, *__: sqlite3.SQLITE_DENY if what == "wal_checkpoint" else sqlite3.SQLITE_OK)
        return file

    with monkeypatch.context() as full:
        full.setattr(sqlite3, "connect", full_disk)
        aside = store.backups.put_in_place(copy)
    assert aside is not None
    assert [one.id for one in LedgerStore(aside).games()] == both
    assert [one.id for one in store.games()] == [first]


def test_a_draft_is_deleted_with_its_game(store: LedgerStore) -> None:
    name = game(store, "Ann")
    drafts = DraftStore(store)
    drafts.put(name, "ben", {"draft": "Xanthippe"}, {"A": JPEG})
    assert drafts.get(name, "ben") == ({"draft": "Xanthippe"}, {"A": JPEG})
    assert drafts.get(name, "cleo") is None
    store.delete(name)
    assert b"Xanthippe" not in b"".join(path.read_bytes() for path in store.path.parent.iterdir() if path.is_file())
    assert drafts.get(name, "ben") is None


def test_a_deal_that_stricter_rules_refuse_counts_as_it_was_booked(store: LedgerStore) -> None:
    replaced = Context(win_by=WinBy.SELF_DRAW, occasions=Occasion.KONG_REPLACEMENT)  # but the hand has no kong
    deal = Deal(winner=Seat.EAST, hands={Seat.EAST: (HAND, replaced)})
    saved = store.begin(Game.new("riichi", NAMES))
    with pytest.MonkeyPatch.context() as earlier:
        earlier.setattr(riichi, "check_plausible", lambda *_: None)
        saved = store.save(saved, saved.game.play(deal), kind="deal")
    loaded = store.load(saved.id)
    assert loaded.game.totals == saved.game.totals
    assert [record.as_booked for record in loaded.game.records] == [True]
    assert not loaded.log_damaged
    later = store.save(loaded, loaded.game.play(Deal(hands={}, draw="exhausted")), kind="deal")
    undone = store.save(store.load(later.id), store.load(later.id).game.undo(), kind="undo")
    assert store.load(undone.id).game.totals == saved.game.totals
    with pytest.raises(ValueError, match="kong"):
        loaded.game.play(deal)


SIX_OF_SIX = Hand.parse("234m345678p66s678s +8s")
"""A hand that two players cannot hold: both have three 6s."""


def test_a_deal_of_more_tiles_than_a_set_holds_counts_as_it_was_booked(store: LedgerStore) -> None:
    south, west = (Context(win_by=WinBy.DISCARD, discarder=Seat.EAST, seat=seat) for seat in (Seat.SOUTH, Seat.WEST))
    hands = {Seat.SOUTH: (SIX_OF_SIX, south), Seat.WEST: (SIX_OF_SIX, west)}
    deal = Deal(winner=Seat.SOUTH, also_won=(Seat.WEST,), discarder=Seat.EAST, hands=hands)
    saved = store.begin(Game.new("riichi", NAMES))
    with pytest.MonkeyPatch.context() as earlier:
        earlier.setattr(deals, "check_one_set", lambda _: None)
        saved = store.save(saved, saved.game.play(deal), kind="deal")
    loaded = store.load(saved.id)
    later = store.save(loaded, loaded.game.play(Deal(hands={}, draw="exhausted")), kind="deal")
    loaded = store.load(later.id)
    assert loaded.game.totals == later.game.totals
    assert [record.as_booked for record in loaded.game.records] == [True, False]
    assert store.check() == ()
    undone = store.save(loaded, loaded.game.undo(), kind="undo")
    assert store.load(undone.id).game.totals == saved.game.totals


def test_a_file_of_the_version_before_checksums(tmp_path: Path, store: LedgerStore) -> None:
    known: dict[str, Any] = dict(build(tmp_path / "new.sqlite3", seed=3))
    with closing(sqlite3.connect(tmp_path / "new.sqlite3")) as file:
        for table in ("drafts", "draft_photos"):
            file.execute(f"DROP TABLE {table}")
        for table in ("games", "events", "photos"):
            file.execute(f"ALTER TABLE {table} DROP COLUMN checksum")
        file.execute("ALTER TABLE games DROP COLUMN photos")
        file.execute("PRAGMA user_version = 3")
        file.commit()
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.path.parent.mkdir()
    shutil.copyfile(tmp_path / "new.sqlite3", store.path)
    assert store.check() == ()
    assert {one.id for one in store.games()} == known.keys()
